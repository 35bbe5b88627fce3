package io.holdfast.boosting.anchor;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.objective.Calibrated;
import io.holdfast.boosting.objective.DerivativeBlock;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.ScalarObjective;
import io.holdfast.boosting.objective.Softmax;
import java.util.Arrays;

/**
 * J(f) = Σ w L(y, f) + (gamma − 1)/2 · Σ_k ‖P r_·k‖², the norm weighted by w (docs/math.md, section
 * 2). Owned by one thread.
 */
public final class AnchorObjective {
  final Projection projection;
  final double strength; // gamma − 1
  final double[] weights; // by row; may be longer
  final boolean unitWeights; // all are 1
  final DerivativeBlock[] blocks; // scratch of the state that is evaluated, one a worker
  private final Buffers buffers;
  private final int size;
  private final double[] labels;
  private final Workers workers;
  private Objective objective;

  /**
   * The objective of these rows.
   *
   * @param projection of as many rows; not used if gamma is 1
   * @param gamma anchor strength; 1 is the plain loss, bit for bit
   */
  public AnchorObjective(Objective objective, Rows rows, Projection projection, double gamma) {
    this(objective, rows, projection, gamma, new Buffers(), new Workers(1));
  }

  /** As above, evaluated by these workers to the same bits; valid until buffers are recycled. */
  public AnchorObjective(
      Objective objective,
      Rows rows,
      Projection projection,
      double gamma,
      Buffers buffers,
      Workers workers) {
    Check.that(
        projection.rows() == rows.size(),
        "the anchor must have as many rows as there are to train on, %s: %s",
        rows.size(),
        projection.rows());
    this.objective = objective;
    this.projection = projection;
    this.buffers = buffers;
    this.workers = workers;
    strength = gamma - 1;
    size = rows.size();
    labels = buffers.doubles(size);
    weights = buffers.doubles(size);
    unitWeights = rows.unitWeights();
    blocks = new DerivativeBlock[workers.count()];
    Arrays.setAll(blocks, worker -> new DerivativeBlock(strength != 0));
    for (int row = 0; row < size; row++) {
      labels[row] = rows.label(row);
      weights[row] = rows.weight(row);
    }
  }

  /** The loss that evaluations are of. */
  public Objective objective() {
    return objective;
  }

  /**
   * Goes on with other learned parameters (such as thresholds) of the same loss. States evaluated
   * before keep their values.
   */
  public void replaceObjective(Objective learned) {
    Check.that(
        learned.unfitted().equals(objective.unfitted()),
        "the objective must be %s with other learned parameters: %s",
        objective.unfitted(),
        learned.unfitted());
    objective = learned;
  }

  /** How many rows there are. */
  public int rows() {
    return size;
  }

  /** Where arrays for work on this objective come from. */
  public Buffers buffers() {
    return buffers;
  }

  /** Who works on this objective. */
  public Workers workers() {
    return workers;
  }

  /** The row's label. */
  public double label(int row) {
    return labels[row];
  }

  /** The row's weight. */
  public double weight(int row) {
    return weights[row];
  }

  /** A state to be filled by {@link #evaluate}. */
  public AnchorState newState() {
    return switch (objective) {
      case ScalarObjective _ -> new ScalarState(this);
      case Softmax softmax -> new SoftmaxState(softmax.classes(), this);
      case Calibrated _ ->
          throw new IllegalStateException("training corrects scores, and no probabilities");
    };
  }

  /**
   * Fills a state of this objective with loss and derivatives at these scores, output by output.
   */
  public void evaluate(double[] scores, AnchorState state) {
    state.evaluate(objective, labels, scores);
  }
}
