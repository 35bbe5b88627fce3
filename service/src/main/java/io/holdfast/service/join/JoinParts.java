package io.holdfast.service.join;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.label.LabelDelay;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.OutcomeMeters;
import io.holdfast.service.label.RecordOutcome;
import io.holdfast.service.route.DeadLetters;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.DoubleConsumer;

/** What the processors of all tasks of one model's join are made of. Thread-safe. */
record JoinParts(
    ModelSettings settings,
    Labels.InTopic labels,
    JoinNames names,
    JoinFramings framings,
    InputProgress progress,
    Troubles troubles,
    OutcomeMeters<LabelOutcome> labelMeters,
    OutcomeMeters<RecordOutcome> recordMeters,
    LabelDelay delay,
    DeadLetters deadLetters,
    JoinBacklog backlog,
    DoubleConsumer used) {
  static JoinParts of(
      ModelSettings settings,
      JoinFramings framings,
      MeterRegistry meters,
      Troubles troubles,
      InputProgress progress,
      DoubleConsumer used) {
    String model = settings.name();
    return new JoinParts(
        settings,
        (Labels.InTopic) settings.labels(),
        JoinNames.of(settings),
        framings,
        progress,
        troubles,
        OutcomeMeters.labels(meters, model),
        OutcomeMeters.records(meters, model),
        new LabelDelay(meters, model),
        new DeadLetters(meters, settings),
        new JoinBacklog(meters, model, troubles),
        used);
  }
}
