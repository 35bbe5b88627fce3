package io.holdfast.service.join;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.TrainableRows;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage.Cause;
import io.holdfast.schemas.topic.DeadLetterMessage.Origin;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.schemas.topic.ExampleTime;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.holdfast.service.correlate.JoinInput;
import io.holdfast.service.correlate.JoinInputCodec;
import io.holdfast.service.label.ExampleEncoder;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.RecordOutcome;
import io.holdfast.service.label.RowFieldReader;
import io.holdfast.service.label.RowFields;
import io.holdfast.service.label.RowLabel;
import io.holdfast.service.route.Outgoing;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads scored records and labels of one model by their id, and writes what {@link LabelJoin}
 * decides. Owned by the stream thread of its task.
 */
final class JoinProcessor
    implements Processor<byte[], byte[], Outgoing, byte[]>, LabelJoin.Outputs {
  private static final Duration TURN = Duration.ofMillis(50);

  /** So many a turn: a transaction must not be open for long. */
  private static final int WORK = 5_000;

  private final JoinParts parts;
  private final ModelSettings settings;
  private final Duration wait;
  private final LabelValues labelValues;
  private final TrainableRows rule;
  private final RowFieldReader recordFields;
  private final ExampleEncoder examples;
  private final Barriers barriers;
  private JoinBacklog.@Nullable Part backlog;
  private long lastRead;

  @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before process
  private ProcessorContext<Outgoing, byte[]> context;

  @SuppressWarnings("NullAway.Init")
  private LabelJoin join;

  JoinProcessor(JoinParts parts) {
    this.parts = parts;
    this.settings = parts.settings();
    this.wait = parts.labels().maxWait();
    this.rule = new TrainableRows(settings);
    this.labelValues = new LabelValues(settings, parts.framings().labels());
    this.recordFields = RowFieldReader.record(settings);
    this.examples = new ExampleEncoder(parts.framings().examples());
    // Often enough that what has ended adds little to what waits, seldom enough to cost nothing.
    this.barriers = new Barriers(parts.progress(), Math.clamp(wait.toMillis() / 16, 1_000, 60_000));
  }

  @Override
  public void init(ProcessorContext<Outgoing, byte[]> context) {
    this.context = context;
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(parts.names().store());
    this.join = new LabelJoin(new HeldStore(store), wait.toMillis(), this);
    this.lastRead = join.restored();
    parts.progress().open();
    this.backlog = parts.backlog().open();
    context.schedule(TURN, PunctuationType.WALL_CLOCK_TIME, this::turn);
  }

  @Override
  public void process(Record<byte[], byte[]> message) {
    RecordMetadata source = context.recordMetadata().orElseThrow();
    if (join.hasRead(source.offset(), message.timestamp())) {
      return;
    }
    join.read(source.offset(), message.timestamp());
    try {
      if (message.value() == null) {
        throw new IllegalArgumentException("the message has no value");
      }
      JoinInput input = JoinInputCodec.decode(message.value());
      if (input instanceof JoinInput.Barrier barrier) {
        join.pass(barrier);
        join.note();
        var _ = join.work(WORK);
      } else if (message.key() == null) {
        throw new IllegalArgumentException("the message has no key");
      } else {
        take(message.key(), source.offset(), input, message.value());
      }
    } catch (IllegalArgumentException e) {
      String fault =
          Sentence.of(
              "topic %s is for the service's own messages alone: %s",
              source.topic(), e.getMessage());
      context.forward(
          parts
              .deadLetters()
              .of(Subject.OTHER, message, source, Reason.UNKNOWN_FRAMING.name(), fault),
          parts.names().deadLetters());
    }
    lastRead = source.offset();
  }

  private void take(byte[] id, long offset, JoinInput input, byte[] bytes) {
    long now = context.currentSystemTimeMs();
    switch (input) {
      case JoinInput.Scored scored ->
          join.record(id, offset, new Held.Waiting(scored.record().eventMillis(), now, bytes));
      case JoinInput.Unscored unscored ->
          join.record(
              id, offset, new Held.Closed(Held.State.UNSCORED, unscored.eventMillis(), now));
      case JoinInput.Labelled labelled ->
          join.label(offset, new Held.Label(labelled.label().eventMillis(), now, id, bytes));
      case JoinInput.Barrier _ -> throw new IllegalStateException("a barrier has no id");
    }
  }

  /** Begins and sends barriers, and does what is left to do. */
  private void turn(long now) {
    join.note();
    var _ = join.work(WORK);
    // Of its own partition: what was committed before it, whoever wrote it, is read before it.
    int partition = context.taskId().partition();
    for (JoinInput.Barrier barrier : barriers.due(now, lastRead, join.undecided() > 0)) {
      context.forward(
          new Record<>(new Outgoing(partition, null), JoinInputCodec.encode(barrier), now),
          parts.names().barriers());
    }
    if (backlog != null) {
      backlog.set(join.undecided(), join.early(), join.waiting(), barriers.heldMillis(now));
      parts.backlog().look(now, parts.progress());
      parts.deadLetters().look();
    }
  }

  @Override
  public void close() {
    if (backlog != null) {
      parts.backlog().close(backlog);
      parts.progress().close();
      backlog = null;
    }
  }

  @Override
  public void example(byte[] scoredBytes, byte[] labelBytes) {
    JoinInput.Scored scored = (JoinInput.Scored) JoinInputCodec.decode(scoredBytes);
    JoinInput.Message record = scored.record();
    JoinInput.Message label = label(labelBytes);
    RowLabel row;
    try {
      RowFields fromLabel = labelValues.read(label.value(), label.headers());
      Framing.Frame frame = parts.framings().single().open(record.value());
      RowFields fromRecord = recordFields.read(frame.schema(), record.value(), frame.bodyOffset());
      row = RowLabel.of(settings, rule, fromLabel.orElse(fromRecord));
    } catch (MalformedRecordException e) {
      parts.labelMeters().count(LabelOutcome.MALFORMED);
      parts.recordMeters().count(RecordOutcome.UNUSABLE);
      labelLetter(label, e.reason().name(), String.valueOf(e.getMessage()));
      return;
    }
    var served =
        new ExampleEncoder.Served(
            scored.version(), scored.hash(), scored.rawScores(), scored.uncertainty());
    byte[] example =
        examples.encode(record.value(), row, served, record.partition(), record.offset());
    // The example is known when the later of the two is.
    long timestamp = Math.max(record.eventMillis(), label.eventMillis());
    context.forward(
        new Record<>(
            new Outgoing(record.partition(), record.key()),
            example,
            timestamp,
            ExampleTime.stamped(
                parts.framings().examples().headers(record.headers()),
                context.currentSystemTimeMs())),
        parts.names().examples());
    parts.labelMeters().count(LabelOutcome.USED);
    parts.delay().record(label.eventMillis() - record.eventMillis());
    parts.used().accept(row.label());
  }

  @Override
  public void unused(
      byte[] id, byte[] labelBytes, LabelOutcome outcome, @Nullable Long recordEventMillis) {
    JoinInput.Message label = label(labelBytes);
    parts.labelMeters().count(outcome);
    labelLetter(label, outcome.name(), why(label, outcome, recordEventMillis));
  }

  private String why(JoinInput.Message label, LabelOutcome outcome, @Nullable Long recordEvent) {
    Instant time = Instant.ofEpochMilli(label.eventMillis());
    Instant recordTime = Instant.ofEpochMilli(recordEvent == null ? 0 : recordEvent);
    return switch (outcome) {
      case LATE ->
          Duration.between(recordTime, time).compareTo(wait) > 0
              ? Sentence.of(
                  "the label's time %s is more than labels.wait, %s, after its record's, %s",
                  time, wait, recordTime)
              : Sentence.of(
                  "the label came when its record, of %s, had been given up after labels.wait, %s",
                  recordTime, wait);
      case DUPLICATE -> Sentence.of("its record, of %s, has another label already", recordTime);
      case ORPHAN ->
          Sentence.of(
              "no record of its id with a time within labels.wait, %s, of the label's, %s, came"
                  + " while it waited",
              wait, time);
      case UNSCORED ->
          Sentence.of("its record, of %s, was never scored: it is a dead letter", recordTime);
      case USED, ABSENT, MALFORMED, NO_KEY ->
          throw new IllegalArgumentException("not an outcome of the join: " + outcome);
    };
  }

  @Override
  public void unlabelled(RecordOutcome outcome) {
    parts.recordMeters().count(outcome);
  }

  private static JoinInput.Message label(byte[] bytes) {
    return ((JoinInput.Labelled) JoinInputCodec.decode(bytes)).label();
  }

  private void labelLetter(JoinInput.Message label, String reason, String why) {
    context.forward(
        parts
            .deadLetters()
            .of(
                new Record<>(label.key(), label.value(), label.timestampMillis(), label.headers()),
                new Origin(settings.topics().labels(), label.partition(), label.offset()),
                new Cause(Subject.LABEL, reason, LabelJoin.class.getName(), why)),
        parts.names().deadLetters());
  }
}
