package io.holdfast.bench.capacity;

/**
 * What an instance of the service or trainer, and a broker, has; and how much of it may be in use.
 *
 * @param cores of an instance
 * @param heapMib of an instance
 * @param threads that an instance may have
 * @param startSeconds that an instance may take until all its models score
 * @param brokerCores of a broker
 * @param brokerBytes a second that a broker may take in, replicas' copies included
 * @param brokerPartitions replicas that a broker may hold
 * @param use the share of processor and memory that may be in use
 */
record Machine(
    int cores,
    double heapMib,
    int threads,
    double startSeconds,
    int brokerCores,
    double brokerBytes,
    int brokerPartitions,
    double use) {}
