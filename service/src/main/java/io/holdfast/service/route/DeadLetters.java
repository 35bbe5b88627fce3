package io.holdfast.service.route;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.topic.DeadLetterMessage.Cause;
import io.holdfast.schemas.topic.DeadLetterMessage.Origin;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Makes the dead letters of one model's messages that could not be used. Thread-safe. */
public final class DeadLetters {
  public static final String COUNT = "holdfast.dead.letters";

  private final MeterRegistry meters;
  private final String model;
  private final int maxBytes;
  private final InstantSource clock;
  private final DeadLetterLog log;
  private final ConcurrentMap<Kind, Counter> counters = new ConcurrentHashMap<>();

  private record Kind(Subject of, String reason) {}

  public DeadLetters(MeterRegistry meters, ModelSettings settings) {
    this(meters, settings, InstantSource.system());
  }

  DeadLetters(MeterRegistry meters, ModelSettings settings, InstantSource clock) {
    this.clock = clock;
    this.log = new DeadLetterLog(settings.name(), clock);
    this.meters = meters;
    this.model = settings.name();
    this.maxBytes = settings.topics().maxRecordBytes();
    // There from the start: an increase from nothing to 1 is none to Prometheus.
    for (Reason reason : Reason.values()) {
      counter(Subject.LABEL, reason.name());
      if (reason.isOfRecords()) {
        counter(Subject.RECORD, reason.name());
      }
    }
  }

  /** The dead letter of a message that cannot be read. */
  public Record<Outgoing, byte @Nullable []> of(
      Subject subject,
      Record<byte[], byte[]> message,
      RecordMetadata source,
      String reason,
      String fault) {
    return of(
        message,
        new Origin(source.topic(), source.partition(), source.offset()),
        new Cause(subject, reason, MalformedRecordException.class.getName(), fault));
  }

  /**
   * The dead letter of a message, which is counted. Its time is now, for its topic keeps it from
   * then on.
   */
  public Record<Outgoing, byte @Nullable []> of(
      Record<byte[], byte[]> message, Origin origin, Cause cause) {
    count(cause.subject(), cause.reason());
    log.add(origin, cause);
    DeadLetterMessage letter =
        DeadLetterMessage.of(
            message.key(),
            message.value(),
            message.headers(),
            message.timestamp(),
            origin,
            cause,
            maxBytes);
    return new Record<>(
        new Outgoing(origin.partition(), letter.key()),
        letter.value(),
        clock.millis(),
        letter.headers());
  }

  /** Counts one dead letter. */
  public void count(Subject of, String reason) {
    counter(of, reason).increment();
  }

  /** Says in the log what there was, if that is due. To be called now and then. */
  public void look() {
    log.look();
  }

  private Counter counter(Subject of, String reason) {
    return counters.computeIfAbsent(new Kind(of, reason), this::registered);
  }

  private Counter registered(Kind kind) {
    return Counter.builder(COUNT)
        .description("Records and labels that could not be used, by which of them and by reason")
        .tag("model", model)
        .tag("of", kind.of().label())
        .tag("reason", kind.reason())
        .register(meters);
  }
}
