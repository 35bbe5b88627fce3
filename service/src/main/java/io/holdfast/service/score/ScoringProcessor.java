package io.holdfast.service.score;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.topic.ExampleTime;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.holdfast.service.label.ExampleEncoder;
import io.holdfast.service.label.LabelMeters;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.RowFieldReader;
import io.holdfast.service.label.RowFields;
import io.holdfast.service.label.RowLabel;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.FeatureTally;
import io.holdfast.service.model.ModelSource;
import io.holdfast.service.route.DeadLetterMeters;
import io.holdfast.service.route.DeadLetters;
import io.holdfast.service.route.MessageSize;
import io.holdfast.service.route.Outgoing;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Gives each of one model's records its outcome, one by one: by the version that served when the
 * record was polled, if it was scored ahead with others, else by the one that serves now. Owned by
 * the stream thread of its task. A bad record is an outcome; only our own bugs are thrown.
 */
final class ScoringProcessor implements Processor<byte[], byte[], Outgoing, byte[]> {
  /** One record in so many is timed: asking for the time costs as much as a small model. */
  private static final int TIMED_EVERY = 16;

  private final ModelSettings settings;
  private final ScoringNames names;
  private final Framing framing;
  private final ModelSource active;
  private final ScoreMeters scoreMeters;
  private final DeadLetterMeters deadLetterMeters;
  private final @Nullable LabelPart labelPart;
  private final RecordScorer scorer = new RecordScorer(new FeatureTally());
  private final ScoreEncoder encoder;
  private final ShadowScorer shadows;
  private final @Nullable ScoreAhead ahead;
  private @Nullable PolledScores polled;
  private int untimed;
  private final LiveExpectation expectation;
  private int unexpected;

  @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before process
  private ProcessorContext<Outgoing, byte[]> context;

  /** What the processors of all tasks of one model are made of. */
  record Parts(
      ModelSettings settings,
      ScoringNames names,
      Framing framing,
      ModelSource active,
      MeterRegistry meters,
      @Nullable ScoreAhead ahead,
      LiveExpectation expectation) {}

  /** What is needed where records carry their label. */
  private record LabelPart(RowFieldReader fields, ExampleEncoder examples, LabelMeters meters) {}

  ScoringProcessor(Parts parts) {
    this.settings = parts.settings();
    this.names = parts.names();
    this.framing = parts.framing();
    this.active = parts.active();
    this.ahead = parts.ahead();
    this.expectation = parts.expectation();
    this.scoreMeters = new ScoreMeters(parts.meters(), settings.name());
    this.deadLetterMeters = new DeadLetterMeters(parts.meters(), settings.name());
    this.encoder = new ScoreEncoder(framing, settings.topics().records());
    this.shadows =
        new ShadowScorer(framing, settings.topics().records(), parts.meters(), settings.name());
    this.labelPart =
        settings.labels() instanceof Labels.InRecord
            ? new LabelPart(
                RowFieldReader.labelledRecord(settings),
                new ExampleEncoder(framing),
                new LabelMeters(parts.meters(), settings.name()))
            : null;
  }

  @Override
  public void init(ProcessorContext<Outgoing, byte[]> context) {
    this.context = context;
    if (ahead != null) {
      ahead.onAssigned();
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata source = context.recordMetadata().orElseThrow();
    ActiveModel serving = active.active(settings.name());
    if (serving == null) {
      throw new IllegalStateException(
          "scoring was started before model " + settings.name() + " had a verified version");
    }
    try {
      if (record.value() == null) {
        throw new MalformedRecordException(Reason.NO_VALUE, "the record has no value");
      }
      long bytes = MessageSize.of(record.key(), record.value(), record.headers());
      if (bytes > MessageSize.MAX_BYTES) {
        throw new MalformedRecordException(
            Reason.LIMIT_EXCEEDED,
            "key, value and headers must be at most "
                + MessageSize.MAX_BYTES
                + " bytes together: "
                + bytes);
      }
      Framing.Frame frame = framing.open(record.value());
      double[] raw = scorer.target(serving);
      ActiveModel before = takeAhead(record.value(), source, raw);
      ActiveModel model = before == null ? serving : before;
      if (before == null) {
        score(serving, frame, record.value());
      }
      byte[] score = encoder.encode(model, raw, source.partition(), source.offset());
      scoreMeters.scored();
      if (unexpected++ % LiveExpectation.EVERY == 0) {
        expectation.add(model.objective(), raw);
      }
      // Not withKey and withValue: each would copy the headers again.
      context.forward(
          new Record<>(
              new Outgoing(source.partition(), record.key()),
              score,
              record.timestamp(),
              record.headers()),
          names.scores());
      ActiveModel shadow = active.shadow(settings.name());
      if (shadow != null) {
        shadow(shadow, record, frame, source);
      }
      if (labelPart != null) {
        label(labelPart, record, new Row(source, frame, model, raw));
      }
    } catch (MalformedRecordException e) {
      deadLetter(record, source, e);
    }
  }

  /** The version that scored the record when it was polled, and its scores; null if none did. */
  private @Nullable ActiveModel takeAhead(byte[] value, RecordMetadata source, double[] target) {
    if (ahead == null) {
      return null;
    }
    PolledScores known = polled;
    if (known == null || !known.owned() || known.outputs() != target.length) {
      known = ahead.of(settings.name(), source.partition(), target.length);
      polled = known;
    }
    return known.take(source.offset(), value, target);
  }

  private void score(ActiveModel model, Framing.Frame frame, byte[] value)
      throws MalformedRecordException {
    boolean timed = untimed++ % TIMED_EVERY == 0;
    long start = timed ? System.nanoTime() : 0;
    scorer.score(model, frame.schema(), value, frame.bodyOffset());
    scoreMeters.clipped(scorer.clipped());
    if (timed) {
      scoreMeters.timed(System.nanoTime() - start);
    }
  }

  private void shadow(
      ActiveModel shadow,
      Record<byte[], byte[]> record,
      Framing.Frame frame,
      RecordMetadata source) {
    byte[] score = shadows.score(shadow, frame, record.value(), source);
    if (score != null) {
      context.forward(
          new Record<>(
              new Outgoing(source.partition(), record.key()),
              score,
              record.timestamp(),
              record.headers()),
          names.shadowScores());
    }
  }

  @Override
  public void close() {
    PolledScores known = polled;
    if (known != null && known.owned()) {
      known.clear();
    }
  }

  /** A record that was scored; the scores are the scorer's until it scores the next. */
  @SuppressWarnings("ArrayRecordComponent") // an argument; never compared
  private record Row(
      RecordMetadata source, Framing.Frame frame, ActiveModel model, double[] rawScores) {}

  private void label(LabelPart part, Record<byte[], byte[]> record, Row row) {
    int partition = row.source().partition();
    try {
      RowFields fields =
          part.fields().read(row.frame().schema(), record.value(), row.frame().bodyOffset());
      if (fields.label() == null) {
        part.meters().count(LabelOutcome.ABSENT);
        return;
      }
      RowLabel label = RowLabel.of(settings, fields);
      var served =
          new ExampleEncoder.Served(row.model().number(), row.model().hashBytes(), row.rawScores());
      byte[] example =
          part.examples().encode(record.value(), label, served, partition, row.source().offset());
      context.forward(
          new Record<>(
              new Outgoing(partition, record.key()),
              example,
              record.timestamp(),
              ExampleTime.stamped(record.headers(), context.currentSystemTimeMs())),
          names.examples());
      part.meters().count(LabelOutcome.USED);
    } catch (MalformedRecordException e) {
      part.meters().count(LabelOutcome.MALFORMED);
      deadLetter(record, row.source(), e);
    }
  }

  private void deadLetter(
      Record<byte[], byte[]> record, RecordMetadata source, MalformedRecordException fault) {
    String reason = fault.reason().name();
    deadLetterMeters.count(reason);
    context.forward(
        DeadLetters.of(
            record,
            new DeadLetters.Origin(source.topic(), source.partition(), source.offset()),
            new DeadLetters.Cause(
                reason,
                MalformedRecordException.class.getName(),
                String.valueOf(fault.getMessage()))),
        names.deadLetters());
  }
}
