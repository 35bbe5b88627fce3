package io.holdfast.service.route;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import org.apache.kafka.streams.processor.api.Record;

/**
 * How large a record or label may be. An example carries its record, and a dead letter its message
 * with more headers, so both must fit where they are written, and compression may have made more of
 * it fit where it came from. What is larger could be written nowhere and would stop the stream.
 */
public final class RecordSize {
  private RecordSize() {}

  /** Checks key, value and headers together. */
  public static void check(ModelSettings settings, Record<byte[], byte[]> message)
      throws MalformedRecordException {
    long bytes = DeadLetterMessage.bytes(message.key(), message.value(), message.headers());
    int most = settings.topics().maxRecordBytes();
    if (bytes > most) {
      throw new MalformedRecordException(
          Reason.LIMIT_EXCEEDED,
          Sentence.of(
              "key, value and headers must be at most %d bytes together, which is"
                  + " holdfast.models.%s.topics.maxRecordBytes: %d",
              most, settings.name(), bytes));
    }
  }
}
