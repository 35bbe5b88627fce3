package io.holdfast.bench.capacity;

/**
 * What a model costs, as {@code holdfast-bench models} measures it, and a window, as {@code
 * training} does.
 *
 * @param threads of an instance of the service, for a model whose labels come in a topic
 * @param heapMib of an instance of the service
 * @param startSeconds of processor time at the start of an instance
 * @param trainerThreads of its trainer
 * @param topicsOfPartitions topics with as many partitions as its records
 * @param windowMillis of a trainer's processor, a window
 */
record ModelCosts(
    int threads,
    double heapMib,
    double startSeconds,
    int trainerThreads,
    int topicsOfPartitions,
    double windowMillis) {}
