package io.holdfast.service.route;

import io.holdfast.schemas.EpochUnit;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The record's own timestamp; for a record without one, the newest of its partition. Kafka Streams'
 * extractors stop on such a record or leave it out, and every record must have an outcome.
 *
 * <p>Kafka's timestamps are milliseconds. One that is too large for them, in micros or nanos,
 * counts as the time that it means. One that is a time of this century in seconds stays, for it may
 * be a replay's of 1970: but if it is in seconds, an hour's wait lasts for weeks. While either
 * come, the models have a trouble. Thread-safe.
 */
public final class RecordTime implements TimestampExtractor {
  /** So many records in milliseconds, and the trouble is over. */
  static final int CLEAR = 100;

  // Of this century in seconds; in milliseconds, of five weeks of 1970.
  private static final long FIRST_SECOND = 1_000_000_000;

  private static final long LAST_SECOND = 4_102_444_800L;

  /** Of so many in another unit one is said. */
  private static final int SAID_EVERY = 100;

  private final List<String> models;
  private final Troubles troubles;
  private volatile boolean other; // whether one of the newest was in another unit
  private long others; // since the trouble began
  private int since; // so many were in milliseconds

  /** Of a topic that {@code models} read. */
  public RecordTime(List<String> models, Troubles troubles) {
    this.models = List.copyOf(models);
    this.troubles = troubles;
  }

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    long timestamp = record.timestamp();
    if (timestamp < 0) {
      return Math.max(partitionTime, 0);
    }
    EpochUnit unit = unit(timestamp);
    if (unit != EpochUnit.MILLIS) {
      seeOther(record, unit);
      return EpochUnit.millisOfMessage(timestamp);
    }
    if (other) {
      seeMillis();
    }
    return timestamp;
  }

  private static EpochUnit unit(long timestamp) {
    if (timestamp >= FIRST_SECOND && timestamp < LAST_SECOND) {
      return EpochUnit.SECONDS;
    }
    EpochUnit unit = EpochUnit.of((double) timestamp);
    return unit == EpochUnit.MICROS || unit == EpochUnit.NANOS ? unit : EpochUnit.MILLIS;
  }

  private synchronized void seeOther(ConsumerRecord<Object, Object> record, EpochUnit unit) {
    other = true;
    since = 0;
    if (others++ % SAID_EVERY == 0) {
      String sentence = sentence(record, unit);
      models.forEach(model -> troubles.begin(model, TroubleKind.TIME_UNIT, sentence));
    }
  }

  private synchronized void seeMillis() {
    if (++since >= CLEAR) {
      other = false;
      others = 0;
      models.forEach(model -> troubles.end(model, TroubleKind.TIME_UNIT));
    }
  }

  private String sentence(ConsumerRecord<Object, Object> record, EpochUnit unit) {
    Instant counted = Instant.ofEpochMilli(EpochUnit.millisOfMessage(record.timestamp()));
    String what =
        unit == EpochUnit.SECONDS
            ? Sentence.of(
                "they count as of %s; if they are meant to be of %s, waits and delays last a"
                    + " thousand times as long",
                counted, Instant.ofEpochSecond(record.timestamp()))
            : Sentence.of(
                "they count as of the time that this means (%s), but Kafka keeps and deletes them"
                    + " by the number as it stands",
                counted);
    return Sentence.of(
        "%s has %,d messages whose timestamp seems to be in %s, where Kafka's are milliseconds,"
            + " such as %d at partition %d, offset %d: %s; have their producer send milliseconds",
        record.topic(),
        others,
        unit.label(),
        record.timestamp(),
        record.partition(),
        record.offset(),
        what);
  }
}
