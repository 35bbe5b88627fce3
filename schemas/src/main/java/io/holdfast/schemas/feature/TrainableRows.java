package io.holdfast.schemas.feature;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a row's label, weight and anchors must be for a model to learn from it. Whoever takes labels
 * in and whoever learns from them ask the same rule, so that a label that counts as used is one
 * that can be used. Thread-safe.
 */
public final class TrainableRows {
  /** Sums of losses and of squared gradients must stay finite, however many rows there are. */
  private static final double MAX_LOSS = 1e100;

  /** Likewise of squares of anchors. */
  private static final double MAX_ANCHOR = 1e100;

  private final Objective objective;
  private final List<String> anchors;
  private final double[] zeroScores;

  public TrainableRows(ModelSettings settings) {
    this.objective = settings.booster().objective();
    this.anchors = settings.anchors();
    this.zeroScores = new double[objective.outputs()];
  }

  /** The label, if the objective takes it; throws with MISSING_LABEL or BAD_LABEL. */
  public double label(@Nullable Double label) throws MalformedRecordException {
    if (label == null) {
      throw new MalformedRecordException(Reason.MISSING_LABEL, "the label is null");
    }
    if (!Double.isFinite(label) || !objective.accepts(label)) {
      throw new MalformedRecordException(
          Reason.BAD_LABEL, "labels must be " + objective.labelRule() + ": " + label);
    }
    return label;
  }

  /** The weight, 1 if there is none; throws with BAD_WEIGHT. */
  public double weight(@Nullable Double weight) throws MalformedRecordException {
    double checked = weight == null ? 1 : weight;
    if (!(checked > 0 && checked < Double.POSITIVE_INFINITY)) {
      throw new MalformedRecordException(
          Reason.BAD_WEIGHT, "weights must be finite and above 0: " + weight);
    }
    return checked;
  }

  /** Checks that a label, with its weight, does not drown all others; throws with BAD_LABEL. */
  public void weighted(double label, double weight) throws MalformedRecordException {
    // NaN and infinity fail too.
    if (!(weight * objective.loss(label, zeroScores) < MAX_LOSS)) {
      throw new MalformedRecordException(
          Reason.BAD_LABEL,
          Sentence.of(
              "labels must be so small that weight times loss is below %s: %s%s",
              MAX_LOSS, label, weight == 1 ? "" : " with the weight " + weight));
    }
  }

  /** The continuous anchor at a place in the order of the settings; throws with BAD_ANCHOR. */
  public double anchor(int index, @Nullable Double anchor) throws MalformedRecordException {
    String name = anchors.get(index);
    if (anchor == null) {
      throw new MalformedRecordException(
          Reason.BAD_ANCHOR, "the anchor " + name + " is missing or null");
    }
    if (!(Math.abs(anchor) < MAX_ANCHOR)) {
      throw new MalformedRecordException(
          Reason.BAD_ANCHOR,
          Sentence.of(
              "the anchor %s must be a number between -%s and %s: %s",
              name, MAX_ANCHOR, MAX_ANCHOR, anchor));
    }
    return anchor;
  }
}
