package io.holdfast.trainer.window;

import io.holdfast.boosting.numeric.Check;

/**
 * Where an example stands in its topic.
 *
 * @param partition the partition, 0 or more
 * @param offset the offset in it, 0 or more
 * @param timestamp the Kafka record's timestamp in milliseconds since 1970
 */
public record Position(int partition, long offset, long timestamp) {
  public Position {
    Check.that(partition >= 0, "partition must be 0 or more: %s", partition);
    Check.that(offset >= 0, "offset must be 0 or more: %s", offset);
  }
}
