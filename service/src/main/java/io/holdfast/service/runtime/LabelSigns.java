package io.holdfast.service.runtime;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.feature.LabelFit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.OutcomeMeters;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Whether a model's labels can be used: by the names in its settings, by what became of those that
 * came, and by what the newest window says of their environments. Called by one thread at a time.
 */
final class LabelSigns {
  /** So many labels in a row that cannot be used are no accident. */
  private static final double FEWEST = 10;

  private final StreamsPlan.Parts parts;
  private final ModelSettings model;

  /** Held, as a search for a meter looks at those of all models. */
  private final OutcomeMeters<LabelOutcome> outcomes;

  private Held held = new Held(List.of(), List.of(), Optional.empty());
  private double used; // when it was last seen to grow
  private double malformed; // at that time

  private record Held(List<Schema> records, List<Schema> labels, Optional<String> problem) {
    @SuppressWarnings("ReferenceEquality") // the same lists until they change
    boolean isOf(List<Schema> ofRecords, List<Schema> ofLabels) {
      return records == ofRecords && labels == ofLabels;
    }
  }

  LabelSigns(StreamsPlan.Parts parts, ModelSettings model) {
    this.parts = parts;
    this.model = model;
    this.outcomes = OutcomeMeters.labels(parts.meters().registry(), model.name());
  }

  /** What is wrong, in one sentence. */
  Optional<String> now() {
    List<Schema> records = parts.schemas().all(model.topics().records());
    List<Schema> labels =
        model.labels() instanceof Labels.InTopic
            ? parts.schemas().all(model.topics().labels())
            : List.of();
    if (!held.isOf(records, labels)) {
      held = new Held(records, labels, LabelFit.problem(model, records, labels));
    }
    return held.problem().or(this::malformed).or(() -> nowhere(records));
  }

  /** Labels came, and none of the newest was of use. */
  private Optional<String> malformed() {
    double nowUsed = outcomes.counted(LabelOutcome.USED);
    double nowMalformed = outcomes.counted(LabelOutcome.MALFORMED);
    if (nowUsed != used || nowMalformed < malformed) {
      used = nowUsed;
      malformed = nowMalformed;
    }
    return nowMalformed - malformed < FEWEST
        ? Optional.empty()
        : Optional.of(
            Sentence.of(
                "none of the newest %d labels could be used: they are dead letters in topic %s,"
                    + " each with its reason",
                (long) (nowMalformed - malformed), model.topics().deadLetters()));
  }

  /** No row of the newest window names an environment, though the settings do. */
  private Optional<String> nowhere(List<Schema> records) {
    List<WindowReport> newest = parts.reports().newest(model.name(), 1);
    String environment = model.environment();
    if (environment == null || newest.isEmpty()) {
      return Optional.empty();
    }
    WindowReport report = newest.getFirst();
    boolean none =
        report.getRows() > 0
            && !report.getEnvironments().isEmpty()
            && report.getEnvironments().stream().allMatch(of -> of.getEnvironment().isEmpty());
    return none
        ? Optional.of(
            Sentence.of(
                "no row of the newest window, %d, names its environment: neither records nor"
                    + " labels have a value in the field %s%s",
                report.getWindow(), environment, LabelFit.meant(environment, records)))
        : Optional.empty();
  }
}
