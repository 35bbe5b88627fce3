package io.holdfast.service.join;

import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.ExampleTime;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.holdfast.service.label.ExampleEncoder;
import io.holdfast.service.label.LabelMeters;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.RowFieldReader;
import io.holdfast.service.label.RowFields;
import io.holdfast.service.label.RowLabel;
import io.holdfast.service.route.DeadLetterMeters;
import io.holdfast.service.route.DeadLetters;
import io.holdfast.service.route.MessageSize;
import io.holdfast.service.route.Outgoing;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the three inputs of one model's join and writes what {@link LabelJoin} decides. Owned by
 * the stream thread of its task.
 */
final class JoinProcessor
    implements Processor<byte[], byte[], Outgoing, byte[]>, LabelJoin.Outputs {
  private final Parts parts;
  private final ModelSettings settings;
  private final Framing framing;
  private final LabelMeters labelMeters;
  private final JoinMeters joinMeters;
  private final DeadLetterMeters deadLetterMeters;
  private final RowFieldReader ownLabel;
  private final RowFieldReader labelContract;
  private final RowFieldReader recordFields;
  private final ExampleEncoder examples;
  private final ContractCodec<Score> scores = new ContractCodec<>(Score.class);

  @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before process
  private ProcessorContext<Outgoing, byte[]> context;

  @SuppressWarnings("NullAway.Init")
  private LabelJoin join;

  /** What the processors of all tasks of one model are made of. */
  record Parts(
      ModelSettings settings,
      Duration maxWait,
      JoinNames names,
      Framing framing,
      MeterRegistry meters) {}

  JoinProcessor(Parts parts) {
    this.parts = parts;
    this.settings = parts.settings();
    this.framing = parts.framing();
    this.labelMeters = new LabelMeters(parts.meters(), settings.name());
    this.joinMeters = new JoinMeters(parts.meters(), settings.name());
    this.deadLetterMeters = new DeadLetterMeters(parts.meters(), settings.name());
    this.ownLabel = RowFieldReader.ownLabel(settings);
    this.labelContract = RowFieldReader.labelContract();
    this.recordFields = RowFieldReader.record(settings);
    this.examples = new ExampleEncoder(framing);
  }

  @Override
  public void init(ProcessorContext<Outgoing, byte[]> context) {
    this.context = context;
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(parts.names().store());
    this.join = new LabelJoin(new HeldStore(store), parts.maxWait().toMillis(), this);
    context.schedule(sweepInterval(parts.maxWait()), PunctuationType.STREAM_TIME, join::expire);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata source = context.recordMetadata().orElseThrow();
    long now = context.currentStreamTimeMs();
    Message message =
        new Message(source.offset(), record.timestamp(), record.value(), record.headers());
    String topic = source.topic();
    if (topic.equals(settings.topics().records())) {
      // Without a value, or too large, it is a dead letter of scoring and no row.
      if (record.value() != null && fits(record)) {
        join.record(record.key(), message, now);
      }
    } else if (topic.equals(settings.topics().scores())) {
      score(record.key(), message, now);
    } else if (fits(record)) {
      label(record.key(), message, now);
    } else {
      malformed(
          record.key(),
          message,
          new MalformedRecordException(
              Reason.LIMIT_EXCEEDED,
              "key, value and headers must be at most "
                  + MessageSize.MAX_BYTES
                  + " bytes together"));
    }
  }

  private static boolean fits(Record<byte[], byte[]> record) {
    return MessageSize.of(record.key(), record.value(), record.headers()) <= MessageSize.MAX_BYTES;
  }

  private void score(byte @Nullable [] key, Message message, long now) {
    try {
      Score score = scores.decode(message.value());
      // Another model's scores may share the topic.
      if (score.getModel().equals(settings.name())
          && score.getSourceTopic().equals(settings.topics().records())) {
        join.score(key, score.getSourceOffset(), message, now);
      }
    } catch (MalformedRecordException e) {
      deadLetter(key, message, settings.topics().scores(), cause(e));
    }
  }

  private void label(byte @Nullable [] key, Message message, long now) {
    if (key == null) {
      unused(null, message, LabelOutcome.NO_KEY);
      return;
    }
    try {
      RowFields fields = labelFields(message);
      // What the label says must hold; what it leaves to its record is seen when they meet.
      RowLabel.check(settings, fields);
      join.label(key, message, now);
    } catch (MalformedRecordException e) {
      malformed(key, message, e);
    }
  }

  private RowFields labelFields(Message message) throws MalformedRecordException {
    if (message.value() == null) {
      throw new MalformedRecordException(Reason.NO_VALUE, "the label has no value");
    }
    Framing.Frame frame = framing.open(message.value());
    boolean ours = frame.schema().getFullName().equals(Label.getClassSchema().getFullName());
    RowFieldReader reader = ours ? labelContract : ownLabel;
    return reader.read(frame.schema(), message.value(), frame.bodyOffset());
  }

  @Override
  public void example(byte[] key, Message record, byte[] score, Message label) {
    int partition = context.taskId().partition();
    try {
      RowFields fromLabel = labelFields(label);
      Framing.Frame frame = framing.open(record.value());
      RowFields fromRecord = recordFields.read(frame.schema(), record.value(), frame.bodyOffset());
      RowLabel row = RowLabel.of(settings, fromLabel.orElse(fromRecord));
      Score served = scores.decode(score);
      byte[] example =
          examples.encode(
              record.value(),
              row,
              new ExampleEncoder.Served(
                  served.getVersion(),
                  served.getModelHash().bytes(),
                  served.getRawScores().stream().mapToDouble(Double::doubleValue).toArray()),
              partition,
              record.offset());
      // The example is known when the later of the two is.
      long timestamp = Math.max(record.timestampMillis(), label.timestampMillis());
      context.forward(
          new Record<>(
              new Outgoing(partition, key),
              example,
              timestamp,
              ExampleTime.stamped(record.headers(), context.currentSystemTimeMs())),
          parts.names().examples());
      labelMeters.count(LabelOutcome.USED);
    } catch (MalformedRecordException e) {
      malformed(key, label, e);
    }
  }

  @Override
  public void unused(byte @Nullable [] key, Message label, LabelOutcome outcome) {
    labelMeters.count(outcome);
    String why =
        switch (outcome) {
          case LATE ->
              "the label came when its record had waited " + parts.maxWait() + " of event time";
          case DUPLICATE -> "the record of this key has another label already";
          case ORPHAN -> "no record of this key came within " + parts.maxWait() + " of event time";
          case NO_KEY -> "a label without a key belongs to no record";
          case UNSCORED -> "the record of this key was never scored: it is a dead letter itself";
          case USED, ABSENT, MALFORMED -> throw new IllegalArgumentException("used: " + outcome);
        };
    deadLetter(
        key,
        label,
        settings.topics().labels(),
        new DeadLetters.Cause(outcome.name(), LabelJoin.class.getName(), why));
  }

  @Override
  public void unlabelled(RecordOutcome outcome) {
    joinMeters.count(outcome);
  }

  private void malformed(byte @Nullable [] key, Message label, MalformedRecordException fault) {
    labelMeters.count(LabelOutcome.MALFORMED);
    deadLetter(key, label, settings.topics().labels(), cause(fault));
  }

  private void deadLetter(
      byte @Nullable [] key, Message message, String topic, DeadLetters.Cause cause) {
    deadLetterMeters.count(cause.reason());
    int partition = context.taskId().partition();
    context.forward(
        DeadLetters.of(
            new Record<>(key, message.value(), message.timestampMillis(), message.headers()),
            new DeadLetters.Origin(topic, partition, message.offset()),
            cause),
        parts.names().deadLetters());
  }

  private static DeadLetters.Cause cause(MalformedRecordException fault) {
    return new DeadLetters.Cause(
        fault.reason().name(),
        MalformedRecordException.class.getName(),
        String.valueOf(fault.getMessage()));
  }

  /** Often enough that what has ended adds little to what waits, seldom enough to cost nothing. */
  private static Duration sweepInterval(Duration maxWait) {
    long millis = Math.clamp(maxWait.toMillis() / 16, 10, 60_000);
    return Duration.ofMillis(millis);
  }
}
