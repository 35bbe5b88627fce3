package io.holdfast.service.route;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The time that an event counts for. One that is ahead of the clock by more than may be counts as
 * of now, so that no message moves time; while such come, the model has a trouble. Thread-safe.
 */
public final class EventClock {
  /** How long the trouble lasts after the last of them. */
  static final Duration LASTING = Duration.ofMinutes(1);

  private final String model;
  private final Duration maxSkew;
  private final Troubles troubles;
  private volatile @Nullable Ahead newest;

  private record Ahead(long seenAt, long saidAt, long millis, RecordMetadata source, long count) {}

  public EventClock(String model, Duration maxSkew, Troubles troubles) {
    this.model = model;
    this.maxSkew = maxSkew;
    this.troubles = troubles;
  }

  /** The time that a message counts for, by its own timestamp and the clock. */
  public long of(long timestamp, long now, RecordMetadata source) {
    if (timestamp - now <= maxSkew.toMillis()) {
      return timestamp;
    }
    ahead(timestamp, now, source);
    return now;
  }

  private synchronized void ahead(long timestamp, long now, RecordMetadata source) {
    Ahead before = newest;
    boolean say = before == null || now - before.saidAt() >= 1_000; // once a second at most
    long saidAt = before == null || say ? now : before.saidAt();
    long count = before == null ? 1 : before.count() + 1;
    Ahead next = new Ahead(now, saidAt, timestamp - now, source, count);
    newest = next;
    if (say) {
      troubles.begin(model, TroubleKind.CLOCK_AHEAD, sentence(next));
    }
  }

  /** To be called now and then: ends the trouble when its cause has gone. */
  public void look(long now) {
    Ahead last = newest;
    if (last != null && now - last.seenAt() > LASTING.toMillis()) {
      synchronized (this) {
        newest = null;
        troubles.end(model, TroubleKind.CLOCK_AHEAD);
      }
    }
  }

  private String sentence(Ahead ahead) {
    RecordMetadata source = ahead.source();
    return Sentence.of(
        "%s has %d messages with a time more than %s ahead of this machine's clock, the last at"
            + " partition %d, offset %d by %s (%s): they count as of now; set the clocks right, of"
            + " the producers or of this machine",
        source.topic(),
        ahead.count(),
        maxSkew,
        source.partition(),
        source.offset(),
        Duration.ofMillis(ahead.millis()),
        Instant.ofEpochMilli(ahead.seenAt() + ahead.millis()));
  }
}
