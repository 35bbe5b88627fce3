package io.holdfast.service.route;

import org.jspecify.annotations.Nullable;

/**
 * The key of a record on its way to a sink: the Kafka key, and the partition to write to. A
 * partitioner of Kafka Streams sees the key and not the task, so the key carries the partition.
 *
 * @param key the Kafka key as it came; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // in flight between two nodes; never compared
public record Outgoing(int partition, byte @Nullable [] key) {}
