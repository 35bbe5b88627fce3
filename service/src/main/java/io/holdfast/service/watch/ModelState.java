package io.holdfast.service.watch;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.DriftReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How a model is, at a glance: one condition with its reason, and what else is wrong. Immutable.
 *
 * @param condition the worst of what was found
 * @param reason in a sentence
 * @param others what else was found, the worst first
 */
public record ModelState(Condition condition, String reason, List<Finding> others) {
  /** An environment is not called worse than its constant for a chance of so much. */
  private static final double WORSE = 0.05;

  /** Something that is not as it should be, in a sentence. */
  public record Finding(Condition condition, String sentence) {}

  /**
   * What is known of a model.
   *
   * @param serves whether it has a version that serves
   * @param staleness that what serves is too old, in a sentence
   * @param reports the newest, oldest first
   */
  public record Facts(
      boolean serves,
      Optional<String> staleness,
      List<Trouble> troubles,
      List<WindowReport> reports,
      LabelCoverage labels) {}

  /** What the facts amount to. */
  public static ModelState of(Facts facts) {
    List<Finding> found = new ArrayList<>();
    for (Trouble trouble : facts.troubles()) {
      if (trouble.kind().degrades()) {
        found.add(new Finding(condition(trouble.kind()), trouble.sentence()));
      }
    }
    if (!facts.serves()) {
      found.add(
          new Finding(
              Condition.NO_VERSION,
              "the model topic holds no version that could be verified: one comes with the"
                  + " trainer's start"));
    }
    facts.staleness().ifPresent(sentence -> found.add(new Finding(Condition.STALE, sentence)));
    environment(RecentLoss.of(facts.reports())).ifPresent(found::add);
    drift(facts.reports()).ifPresent(found::add);
    if (facts.labels().isLow()) {
      found.add(
          new Finding(
              Condition.LABELS_MISSING,
              Sentence.of(
                  "of the %,d records since the start whose wait for a label is over, %,d had one:"
                      + " see whether labels come, and carry the records' keys",
                  facts.labels().labelled() + facts.labels().unlabelled(),
                  facts.labels().labelled())));
    }
    found.sort(Comparator.comparing(Finding::condition));
    if (found.isEmpty()) {
      found.add(new Finding(Condition.HEALTHY, "nothing was found to be wrong"));
    }
    for (Trouble trouble : facts.troubles()) {
      if (!trouble.kind().degrades()) {
        found.add(new Finding(Condition.NOTED, trouble.sentence()));
      }
    }
    return new ModelState(
        found.getFirst().condition(),
        found.getFirst().sentence(),
        List.copyOf(found.subList(1, found.size())));
  }

  private static Condition condition(TroubleKind kind) {
    return switch (kind) {
      case STOPPED, KAFKA, TOPIC, SCHEMA, REGISTRY -> Condition.STOPPED;
      case SCORED_TWICE, SETTINGS_DIFFER -> Condition.MISCONFIGURED;
      case WORSE_THAN_CONSTANT -> Condition.LOSING;
      case LAGGING -> Condition.BEHIND;
      case REFUSED_REPEATEDLY, VERSION -> Condition.REJECTING;
      case LABELS_HELD_BACK, LABELS_UNUSABLE -> Condition.LABELS_MISSING;
      default -> Condition.ODD_RECORDS;
    };
  }

  private static Optional<Finding> environment(RecentLoss recent) {
    RecentLoss.Figures worst = recent.worst();
    if (worst == null || worst.excess() <= WORSE || recent.all().excess() > WORSE) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            Condition.WORST_ENVIRONMENT,
            Sentence.of(
                "in environment %s what serves loses %.4g a row over the newest %,d, where the best"
                    + " constant loses %.4g; in all it loses %.4g: raise gamma, or see what its"
                    + " records have that others lack",
                worst.environment().isEmpty() ? "(none)" : worst.environment(),
                worst.loss(),
                worst.rows(),
                worst.constantLoss(),
                recent.all().loss())));
  }

  /** By the newest window that was compared: between, rows of small ones are gathered. */
  private static Optional<Finding> drift(List<WindowReport> reports) {
    for (WindowReport report : reports.reversed()) {
      DriftReport drift = report.getDrift();
      if (drift != null && (drift.getTests() > 0 || !drift.getAlarms().isEmpty())) {
        int alarms = drift.getAlarms().size();
        return alarms == 0
            ? Optional.empty()
            : Optional.of(
                new Finding(
                    Condition.DRIFTING,
                    Sentence.of(
                        "window %d raised %d %s: %s",
                        report.getWindow(),
                        alarms,
                        alarms == 1 ? "alarm" : "alarms",
                        drift.getAlarms().getFirst())));
      }
    }
    return Optional.empty();
  }
}
