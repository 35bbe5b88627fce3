package io.holdfast.service.label;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row's label, checked, with what else training needs to know of it.
 *
 * @param label a value that the objective accepts
 * @param environment the environment; empty if the model has none or the row does not say
 * @param weight finite and above 0
 * @param anchors the continuous anchors, finite, in the order of the settings; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // made and written for one row; never compared
public record RowLabel(double label, String environment, double weight, double[] anchors) {

  /**
   * Checks what is said of a row and fills in what is not: no environment is the empty one, no
   * weight is 1. Anchors have no stand-in: all must be there.
   *
   * @throws MalformedRecordException with MISSING_LABEL, BAD_LABEL, BAD_WEIGHT or BAD_ANCHOR
   */
  public static RowLabel of(ModelSettings settings, RowFields fields)
      throws MalformedRecordException {
    double label = label(settings.booster().objective(), fields.label());
    double weight = weight(fields.weight());
    double[] anchors = new double[settings.anchors().size()];
    for (int i = 0; i < anchors.length; i++) {
      String name = settings.anchors().get(i);
      Double anchor = i < fields.anchors().size() ? fields.anchors().get(i) : null;
      if (anchor == null) {
        throw new MalformedRecordException(
            Reason.BAD_ANCHOR, "the anchor " + name + " is missing or null");
      }
      anchors[i] = checked(name, anchor);
    }
    String environment = fields.environment();
    return new RowLabel(label, environment == null ? "" : environment, weight, anchors);
  }

  /**
   * Checks what a message alone says of a row: what it leaves to another may come there.
   *
   * @throws MalformedRecordException as {@link #of}, but for a missing anchor
   */
  public static void check(ModelSettings settings, RowFields fields)
      throws MalformedRecordException {
    var _ = label(settings.booster().objective(), fields.label());
    var _ = weight(fields.weight());
    List<@Nullable Double> anchors = fields.anchors();
    for (int i = 0; i < anchors.size(); i++) {
      Double anchor = anchors.get(i);
      if (anchor != null) {
        var _ = checked(settings.anchors().get(i), anchor);
      }
    }
  }

  private static double label(Objective objective, @Nullable Double label)
      throws MalformedRecordException {
    if (label == null) {
      throw new MalformedRecordException(Reason.MISSING_LABEL, "the label is null");
    }
    if (!objective.accepts(label)) {
      throw new MalformedRecordException(
          Reason.BAD_LABEL, "labels must be " + objective.labelRule() + ": " + label);
    }
    return label;
  }

  private static double weight(@Nullable Double weight) throws MalformedRecordException {
    double checked = weight == null ? 1 : weight;
    if (!(checked > 0 && checked < Double.POSITIVE_INFINITY)) {
      throw new MalformedRecordException(
          Reason.BAD_WEIGHT, "weights must be finite and above 0: " + weight);
    }
    return checked;
  }

  private static double checked(String name, double anchor) throws MalformedRecordException {
    if (!Double.isFinite(anchor)) {
      throw new MalformedRecordException(
          Reason.BAD_ANCHOR, "the anchor " + name + " must be a finite number: " + anchor);
    }
    return anchor;
  }
}
