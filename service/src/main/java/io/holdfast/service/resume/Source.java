package io.holdfast.service.resume;

import io.holdfast.schemas.EpochUnit;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The message that an outcome says it is of, and what is known of it.
 *
 * @param named whether {@code key} is its key
 * @param timestamp its time in milliseconds; negative if that is not known
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Source(int partition, long offset, boolean named, byte @Nullable [] key, long timestamp) {

  /**
   * Whether that is the message. A topic that was deleted and made anew has others at the same
   * offsets.
   */
  boolean is(ConsumerRecord<byte[], byte[]> message) {
    long time = message.timestamp();
    return message.offset() == offset
        && (!named || Arrays.equals(key, message.key()))
        && (timestamp < 0
            || time < 0
            || time == timestamp
            || EpochUnit.millisOfMessage(time) == timestamp);
  }
}
