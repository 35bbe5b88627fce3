package io.holdfast.trainer.reason;

import io.holdfast.boosting.numeric.Check;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why the loss rose, and for whom.
 *
 * @param environment the one whose rows are meant; empty for all rows
 * @param rowsBefore how many rows before it is held against
 * @param rows how many of the window
 * @param lossBefore their mean loss
 * @param loss that of the window's
 * @param parts what the rise is made of; null if the rows are too unlike each other to tell
 * @param subgroup the rows that had most of it; null if none stands out
 * @param environments the environments with rows in both
 */
public record LossReason(
    String environment,
    int rowsBefore,
    int rows,
    double lossBefore,
    double loss,
    Estimate rise,
    @Nullable Parts parts,
    @Nullable Subgroup subgroup,
    List<EnvironmentRise> environments) {
  public LossReason {
    environments = List.copyOf(environments);
  }

  /** What changed, mostly. */
  public enum Change {
    FEATURES,
    LABELS,
    BOTH,
    UNKNOWN
  }

  /**
   * The rise by what it is made of; the two add up to it.
   *
   * @param features that rows with other features came
   * @param labels that rows with like features had other labels
   * @param overlap how alike the rows are, from 0 to 1
   */
  public record Parts(Estimate features, Estimate labels, double overlap) {
    public Parts {
      Check.that(overlap >= 0 && overlap <= 1, "an overlap must be from 0 to 1: %s", overlap);
    }

    Change change() {
      if (features.above() && features.value() >= 2 * labels.value()) {
        return Change.FEATURES;
      }
      if (labels.above() && labels.value() >= 2 * features.value()) {
        return Change.LABELS;
      }
      return features.above() || labels.above() ? Change.BOTH : Change.UNKNOWN;
    }
  }

  /** How much the loss of an environment rose. */
  public record EnvironmentRise(String environment, int rowsBefore, int rows, Estimate rise) {}

  /** In plain words. */
  public String sentence() {
    return ReasonSentence.of(this);
  }

  public Change change() {
    return parts == null ? Change.UNKNOWN : parts.change();
  }
}
