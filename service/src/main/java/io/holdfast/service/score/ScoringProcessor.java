package io.holdfast.service.score;

import io.holdfast.schemas.feature.TrainableRows;
import io.holdfast.schemas.framing.ContractFraming;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.schemas.topic.ExampleTime;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.holdfast.service.correlate.CorrelationId;
import io.holdfast.service.correlate.IdText;
import io.holdfast.service.correlate.JoinInput;
import io.holdfast.service.correlate.JoinInputCodec;
import io.holdfast.service.label.ExampleEncoder;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.OutcomeMeters;
import io.holdfast.service.label.RecordOutcome;
import io.holdfast.service.label.RowFieldReader;
import io.holdfast.service.label.RowFields;
import io.holdfast.service.label.RowLabel;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.FeatureTally;
import io.holdfast.service.model.ModelSource;
import io.holdfast.service.model.ScoreWatch;
import io.holdfast.service.route.DeadLetters;
import io.holdfast.service.route.EventClock;
import io.holdfast.service.route.Outgoing;
import io.holdfast.service.route.RecordSize;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
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

  private static final Duration LOOK = Duration.ofSeconds(5);

  private final Parts parts;
  private final ModelSettings settings;
  private final ScoringNames names;
  private final ScoreMeters scoreMeters;
  private final DeadLetters deadLetters;
  private final @Nullable LabelPart labelPart;
  private final CorrelationId ids;
  private final @Nullable OutcomeMeters<RecordOutcome> joined; // where labels come apart
  private final EventClock times;
  private final RecordScorer scorer = new RecordScorer(new FeatureTally());
  private final ScoreEncoder encoder;
  private final UncertaintyEncoder uncertainty = new UncertaintyEncoder();
  private final ShadowScorer shadows;
  private @Nullable PolledScores polled;
  private @Nullable ActiveModel scoredBy;
  private int untimed;
  private int unexpected;
  private final @Nullable ScoreWatch watch;
  private @Nullable RecordSpan traced; // of the record that is being processed

  @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before process
  private ProcessorContext<Outgoing, byte[]> context;

  /** What the processors of all tasks of one model are made of. */
  record Parts(
      ModelSettings settings,
      ScoringNames names,
      RecordFraming framing,
      WrittenFramings written,
      ModelSource active,
      MeterRegistry meters,
      @Nullable ScoreAhead ahead,
      LiveExpectation expectation,
      DeadLetters deadLetters,
      Troubles troubles) {}

  /** What is needed where records carry their label. */
  private record LabelPart(
      RowFieldReader fields,
      TrainableRows rule,
      ExampleEncoder examples,
      OutcomeMeters<LabelOutcome> meters) {}

  ScoringProcessor(Parts parts) {
    this.parts = parts;
    this.settings = parts.settings();
    this.names = parts.names();
    this.watch = parts.active().scores(settings.name());
    this.scoreMeters = new ScoreMeters(parts.meters(), settings.name());
    this.deadLetters = parts.deadLetters();
    this.encoder = new ScoreEncoder(parts.written().scores(), settings.topics().records());
    this.shadows = new ShadowScorer(parts);
    this.labelPart =
        settings.labels() instanceof Labels.InRecord
            ? new LabelPart(
                RowFieldReader.labelledRecord(settings),
                new TrainableRows(settings),
                new ExampleEncoder(parts.written().examples()),
                OutcomeMeters.labels(parts.meters(), settings.name()))
            : null;
    this.ids = CorrelationId.ofRecords(settings);
    this.joined =
        settings.labels() instanceof Labels.InTopic
            ? OutcomeMeters.records(parts.meters(), settings.name())
            : null;
    this.times = new EventClock(settings.name(), settings.labels().maxSkew(), parts.troubles());
  }

  @Override
  public void init(ProcessorContext<Outgoing, byte[]> context) {
    this.context = context;
    context.schedule(LOOK, PunctuationType.WALL_CLOCK_TIME, times::look);
    context.schedule(LOOK, PunctuationType.WALL_CLOCK_TIME, _ -> deadLetters.look());
    if (parts.ahead() != null) {
      parts.ahead().onAssigned();
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata source = context.recordMetadata().orElseThrow();
    RecordSpan span = RecordSpan.of(settings.name(), record.headers(), source);
    traced = span;
    if (span == null) {
      process(record, source);
      return;
    }
    try {
      process(record.withHeaders(span.headers(record.headers())), source);
    } finally {
      span.end();
    }
  }

  private void process(Record<byte[], byte[]> record, RecordMetadata source) {
    ActiveModel serving = parts.active().active(settings.name());
    if (serving == null) {
      throw new IllegalStateException(
          "scoring was started before model " + settings.name() + " had a verified version");
    }
    try {
      if (record.value() == null) {
        throw new MalformedRecordException(Reason.NO_VALUE, "the record has no value");
      }
      RecordSize.check(settings, record);
      double[] raw = scorer.target(serving);
      ActiveModel before = takeAhead(record.value(), source, raw);
      ActiveModel model = before == null ? serving : before;
      Framing.Frame frame =
          before == null || polled == null
              ? parts.framing().open(record.value(), record.headers())
              : polled.frame();
      if (before == null) {
        score(serving, frame, record.value());
      }
      byte[] id = id(record, frame);
      byte[] text = IdText.of(id);
      uncertainty(record.value(), frame, model, raw, before == null);
      byte[] score =
          encoder.encode(model, raw, source.partition(), source.offset(), text, uncertainty);
      scoreMeters.scored(model, raw);
      if (traced != null) {
        traced.scored(model.number());
      }
      note(model);
      if (unexpected++ % LiveExpectation.EVERY == 0) {
        parts.expectation().add(model.objective(), raw);
      }
      if (watch != null) {
        watch.scored(model.objective(), raw);
      }
      forward(record, source, score, parts.written().scores(), names.scores());
      ActiveModel shadow = parts.active().shadow(settings.name());
      byte[] beside =
          shadow == null ? null : shadows.score(shadow, frame, record.value(), source, text);
      if (beside != null) {
        forward(record, source, beside, parts.written().shadowScores(), names.shadowScores());
      }
      if (labelPart != null) {
        label(labelPart, record, new Row(source, frame, model, raw));
      } else if (joined != null) {
        join(joined, record, new Row(source, frame, model, raw), id);
      }
    } catch (MalformedRecordException e) {
      deadLetter(Subject.RECORD, record, source, e);
      if (joined != null) {
        joinUnscored(record, source);
      }
    }
  }

  /** The version that scored the record when it was polled, and its scores; null if none did. */
  private @Nullable ActiveModel takeAhead(byte[] value, RecordMetadata source, double[] target) {
    ScoreAhead ahead = parts.ahead();
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

  private void note(ActiveModel model) {
    if (model != scoredBy) {
      scoredBy = model;
      if (watch != null) {
        watch.scoresFirst(model);
      }
    }
  }

  private void uncertainty(
      byte[] value, Framing.Frame frame, ActiveModel model, double[] raw, boolean now) {
    double spread = now || polled == null ? scorer.spread() : polled.spread();
    uncertainty.write(model, raw, spread, frame.schema(), frame.bytes(value), frame.bodyOffset());
  }

  private void score(ActiveModel model, Framing.Frame frame, byte[] value)
      throws MalformedRecordException {
    boolean timed = untimed++ % TIMED_EVERY == 0;
    long start = timed ? System.nanoTime() : 0;
    scorer.score(model, frame.schema(), frame.bytes(value), frame.bodyOffset());
    scoreMeters.clipped(scorer.clipped());
    if (timed) {
      scoreMeters.timed(System.nanoTime() - start);
    }
  }

  private void forward(
      Record<byte[], byte[]> record,
      RecordMetadata source,
      byte[] score,
      ContractFraming framing,
      String sink) {
    // Not withKey and withValue: each would copy the headers again.
    context.forward(
        new Record<>(
            new Outgoing(source.partition(), record.key()),
            score,
            record.timestamp(),
            framing.headers(record.headers())),
        sink);
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
      Framing.Frame frame = row.frame();
      RowFields fields =
          part.fields().read(frame.schema(), frame.bytes(record.value()), frame.bodyOffset());
      if (fields.label() == null) {
        part.meters().count(LabelOutcome.ABSENT);
        return;
      }
      RowLabel label = RowLabel.of(settings, part.rule(), fields);
      var served =
          new ExampleEncoder.Served(
              row.model().number(),
              row.model().hashBytes(),
              row.rawScores(),
              uncertainty.written());
      byte[] single = parts.framing().single(frame, record.value());
      byte[] example =
          part.examples().encode(single, label, served, partition, row.source().offset());
      long now = context.currentSystemTimeMs();
      context.forward(
          new Record<>(
              new Outgoing(partition, record.key()),
              example,
              times.of(record.timestamp(), now, row.source()),
              ExampleTime.stamped(parts.written().examples().headers(record.headers()), now)),
          names.examples());
      part.meters().count(LabelOutcome.USED);
      if (watch != null) {
        watch.labelled(label.label());
      }
    } catch (MalformedRecordException e) {
      part.meters().count(LabelOutcome.MALFORMED);
      deadLetter(Subject.LABEL, record, row.source(), e);
    }
  }

  /** What the record and its label share: null of a type that names nothing, as no label can. */
  private byte @Nullable [] id(Record<byte[], byte[]> record, Framing.Frame frame) {
    try {
      return ids.of(record.key(), record.headers(), frame, record.value());
    } catch (MalformedRecordException e) {
      return null;
    }
  }

  /** Tells the join of the record: by its id, in the transaction that makes its score visible. */
  private void join(
      OutcomeMeters<RecordOutcome> meters,
      Record<byte[], byte[]> record,
      Row row,
      byte @Nullable [] id) {
    if (id == null) {
      meters.count(RecordOutcome.NO_KEY);
      return;
    }
    long now = context.currentSystemTimeMs();
    RecordMetadata source = row.source();
    var message =
        new JoinInput.Message(
            source.partition(),
            source.offset(),
            record.timestamp(),
            times.of(record.timestamp(), now, source),
            record.key(),
            parts.framing().single(row.frame(), record.value()),
            record.headers());
    ActiveModel by = row.model();
    send(
        id,
        new JoinInput.Scored(
            message, by.number(), by.hashBytes(), row.rawScores(), uncertainty.written()),
        now);
  }

  private void joinUnscored(Record<byte[], byte[]> record, RecordMetadata source) {
    byte[] id = ids.outside(record.key(), record.headers());
    if (id != null && id.length <= settings.topics().maxRecordBytes()) {
      long now = context.currentSystemTimeMs();
      long event = times.of(record.timestamp(), now, source);
      send(id, new JoinInput.Unscored(source.partition(), source.offset(), event), now);
    }
  }

  private void send(byte[] id, JoinInput input, long now) {
    context.forward(
        new Record<>(Outgoing.byKey(id), JoinInputCodec.encode(input), now), names.join());
  }

  private void deadLetter(
      Subject of,
      Record<byte[], byte[]> record,
      RecordMetadata source,
      MalformedRecordException fault) {
    if (traced != null) {
      traced.refused(fault.reason().name());
    }
    context.forward(
        deadLetters.of(
            of, record, source, fault.reason().name(), String.valueOf(fault.getMessage())),
        names.deadLetters());
  }
}
