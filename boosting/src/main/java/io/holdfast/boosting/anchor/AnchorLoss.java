package io.holdfast.boosting.anchor;

/**
 * The anchor objective J over the training rows (docs/math.md, "The anchor objective").
 *
 * @param base sum of weighted losses
 * @param penalty (gamma − 1)/2 times the squared norm of the projected gradient
 */
public record AnchorLoss(double base, double penalty) {

  /** J. */
  public double total() {
    return base + penalty;
  }
}
