package io.holdfast.service.join;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.label.LabelMeters;
import io.holdfast.service.label.RecordMeters;
import io.holdfast.service.route.DeadLetterMeters;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.DoubleConsumer;

/**
 * What the processors of all tasks of one model's join are made of. Thread-safe.
 *
 * @param used is told each label that makes an example
 */
record JoinParts(
    ModelSettings settings,
    Labels.InTopic labels,
    JoinNames names,
    JoinFramings framings,
    InputProgress progress,
    Troubles troubles,
    LabelMeters labelMeters,
    RecordMeters recordMeters,
    DeadLetterMeters deadLetterMeters,
    JoinBacklog backlog,
    DoubleConsumer used) {

  static JoinParts of(
      ModelSettings settings,
      Labels.InTopic labels,
      JoinFramings framings,
      MeterRegistry meters,
      Troubles troubles,
      InputProgress progress,
      DoubleConsumer used) {
    String model = settings.name();
    return new JoinParts(
        settings,
        labels,
        JoinNames.of(model),
        framings,
        progress,
        troubles,
        new LabelMeters(meters, model),
        new RecordMeters(meters, model),
        new DeadLetterMeters(meters, model),
        new JoinBacklog(meters, model, troubles),
        used);
  }
}
