package io.holdfast.service.join;

import io.holdfast.schemas.feature.TrainableRows;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.holdfast.service.correlate.CorrelationId;
import io.holdfast.service.correlate.JoinInput;
import io.holdfast.service.correlate.JoinInputCodec;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.RowFields;
import io.holdfast.service.label.RowLabel;
import io.holdfast.service.route.EventClock;
import io.holdfast.service.route.Outgoing;
import io.holdfast.service.route.RecordSize;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Reads one model's labels, whatever partition they come in, and sends them to that of their id. A
 * label that cannot be used by itself is a dead letter here. Owned by the stream thread of its
 * task.
 */
final class LabelProcessor implements Processor<byte[], byte[], Outgoing, byte[]> {
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final JoinParts parts;

  private final LabelValues values;
  private final TrainableRows rule;
  private final CorrelationId ids;
  private final EventClock times;

  @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before process
  private ProcessorContext<Outgoing, byte[]> context;

  LabelProcessor(JoinParts parts) {
    ModelSettings settings = parts.settings();
    this.parts = parts;
    this.rule = new TrainableRows(settings);
    this.values = new LabelValues(settings, parts.framings().labels());
    this.ids = new CorrelationId(parts.labels().correlation().label());
    this.times = new EventClock(settings.name(), parts.labels().maxSkew(), parts.troubles());
  }

  @Override
  public void init(ProcessorContext<Outgoing, byte[]> context) {
    this.context = context;
    context.schedule(LOOK, PunctuationType.WALL_CLOCK_TIME, times::look);
  }

  @Override
  public void process(Record<byte[], byte[]> label) {
    RecordMetadata source = context.recordMetadata().orElseThrow();
    try {
      RecordSize.check(parts.settings(), label);
      if (label.value() == null) {
        throw new MalformedRecordException(Reason.NO_VALUE, "the label has no value");
      }
      Framing.Frame frame = parts.framings().labels().open(label.value(), label.headers());
      byte[] id = ids.of(label.key(), label.headers(), frame, label.value());
      if (id == null) {
        String noId = "a label without a " + ids.lacking() + " belongs to no record";
        unused(label, source, LabelOutcome.NO_KEY.name(), LabelOutcome.NO_KEY, noId);
        return;
      }
      RowFields fields = values.read(frame, label.value());
      // What the label says must hold; what it leaves to its record is seen when they meet.
      RowLabel.check(rule, fields);
      forward(id, label, source);
    } catch (MalformedRecordException e) {
      String message = String.valueOf(e.getMessage());
      unused(label, source, e.reason().name(), LabelOutcome.MALFORMED, message);
    }
  }

  private void forward(byte[] id, Record<byte[], byte[]> label, RecordMetadata source) {
    long now = context.currentSystemTimeMs();
    var message =
        new JoinInput.Message(
            source.partition(),
            source.offset(),
            label.timestamp(),
            times.of(label.timestamp(), now, source),
            label.key(),
            label.value(),
            label.headers());
    context.forward(
        new Record<>(
            Outgoing.byKey(id), JoinInputCodec.encode(new JoinInput.Labelled(message)), now),
        parts.names().labelsById());
  }

  private void unused(
      Record<byte[], byte[]> label,
      RecordMetadata source,
      String reason,
      LabelOutcome outcome,
      String message) {
    parts.labelMeters().count(outcome);
    context.forward(
        parts.deadLetters().of(Subject.LABEL, label, source, reason, message),
        parts.names().labelDeadLetters());
  }
}
