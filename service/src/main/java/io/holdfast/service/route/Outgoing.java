package io.holdfast.service.route;

import org.jspecify.annotations.Nullable;

/**
 * The key of a record on its way to a sink: the Kafka key, and the partition to write to. A
 * partitioner of Kafka Streams sees the key and not the task, so the key carries the partition.
 *
 * @param partition {@link #BY_KEY} for the one that the key's hash says
 * @param key as it came; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // in flight between two nodes; never compared
public record Outgoing(int partition, byte @Nullable [] key) {
  static final int BY_KEY = -1;

  /** Where all messages of that key go, whoever writes them. */
  public static Outgoing byKey(byte[] key) {
    return new Outgoing(BY_KEY, key);
  }
}
