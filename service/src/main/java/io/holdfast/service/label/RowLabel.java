package io.holdfast.service.label;

import io.holdfast.schemas.feature.TrainableRows;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.MalformedRecordException;

/**
 * A row's label, checked, with what else training needs to know of it.
 *
 * @param environment empty if the model has none or the row does not say
 * @param weight finite and above 0
 * @param anchors finite, in the order of the settings; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // made and written for one row; never compared
public record RowLabel(double label, String environment, double weight, double[] anchors) {

  /**
   * Checks what is said of a row and fills in what is not: no environment is the empty one, no
   * weight is 1. Anchors have no stand-in: all must be there.
   */
  public static RowLabel of(ModelSettings settings, TrainableRows rule, RowFields fields)
      throws MalformedRecordException {
    double label = rule.label(fields.label());
    double weight = rule.weight(fields.weight());
    rule.weighted(label, weight);
    double[] anchors = new double[settings.anchors().size()];
    for (int i = 0; i < anchors.length; i++) {
      anchors[i] = rule.anchor(i, i < fields.anchors().size() ? fields.anchors().get(i) : null);
    }
    String environment = fields.environment();
    return new RowLabel(label, environment == null ? "" : environment, weight, anchors);
  }

  /** Checks what a message alone says of a row: what it leaves to another may come there. */
  public static void check(TrainableRows rule, RowFields fields) throws MalformedRecordException {
    rule.weighted(rule.label(fields.label()), rule.weight(fields.weight()));
    for (int i = 0; i < fields.anchors().size(); i++) {
      if (fields.anchors().get(i) != null) {
        var _ = rule.anchor(i, fields.anchors().get(i));
      }
    }
  }
}
