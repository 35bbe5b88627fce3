package io.holdfast.service.label;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A row's label, checked.
 *
 * @param label a value that the objective accepts
 * @param environment the environment; empty if the model has none or the row does not say
 * @param weight finite and above 0
 */
public record RowLabel(double label, String environment, double weight) {

  /**
   * Checks a label and fills in what is not said: no environment is the empty one, no weight is 1.
   *
   * @throws MalformedRecordException with MISSING_LABEL, BAD_LABEL or BAD_WEIGHT
   */
  public static RowLabel of(
      Objective objective,
      @Nullable Double label,
      @Nullable String environment,
      @Nullable Double weight)
      throws MalformedRecordException {
    if (label == null) {
      throw new MalformedRecordException(Reason.MISSING_LABEL, "the label is null");
    }
    if (!objective.accepts(label)) {
      throw new MalformedRecordException(
          Reason.BAD_LABEL, "labels must be " + objective.labelRule() + ": " + label);
    }
    double checkedWeight = weight == null ? 1 : weight;
    if (!(checkedWeight > 0 && checkedWeight < Double.POSITIVE_INFINITY)) {
      throw new MalformedRecordException(
          Reason.BAD_WEIGHT, "weights must be finite and above 0: " + weight);
    }
    return new RowLabel(label, environment == null ? "" : environment, checkedWeight);
  }
}
