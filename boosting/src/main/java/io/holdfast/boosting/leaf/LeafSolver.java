package io.holdfast.boosting.leaf;

import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafLayout.LeafArrays;
import io.holdfast.boosting.leaf.LeafSystem.LeafStep;
import io.holdfast.boosting.numeric.WeightedQuantile;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.ScalarObjective;
import io.holdfast.boosting.tree.TreeStructure;
import java.util.Arrays;
import java.util.List;

/** Lowers the anchor loss by one round's leaf values at a time. Owned by one thread. */
public final class LeafSolver {
  /*
   * The full Newton step is taken if its system is positive definite and the anchor loss does not
   * rise. Else the third-derivative term is dropped (Gauss–Newton), on the same two conditions. Else a
   * Levenberg ridge is added, ten times stiffer each time, until the loss does not rise; else values
   * are 0.
   *
   * With a log link and an anchor each step is bounded: what lowers the mean of a leaf lowers its
   * curvature as much, so a leaf of few rows could move ever further for the sake of its environment.
   *
   * A loss without curvature has no such step: a leaf takes the quantile of its residuals.
   */
  private static final double FIRST_RIDGE = 1e-3; // of the largest diagonal entry
  private static final int RIDGES = 20;
  private static final double FURTHEST = 4; // times the step
  private static final int SECTIONS = 20; // to a thousandth of the step
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  private static final double ROUNDING = 1e-11; // of the loss: what a sum over rows may be off by

  /** What to do when the full step is not safe. */
  public enum Safeguard {
    ON,
    /** Take the full step all the same, as the reference vectors do. */
    OFF
  }

  private final AnchorObjective objective;
  private final LeafSettings settings;
  private final Safeguard safeguard;
  private final LeafArrays arrays;
  private final int entries; // rows times outputs
  private double[] scores; // arrays may be longer
  private double[] trialScores;
  private AnchorState state;
  private AnchorState trialState;
  private int safeguards;

  /** A solver that starts from a copy of {@code scores}, output by output; they may be longer. */
  public LeafSolver(
      AnchorObjective objective, double[] scores, LeafSettings settings, Safeguard safeguard) {
    this.objective = objective;
    this.settings = settings;
    this.safeguard = safeguard;
    arrays = new LeafArrays(objective.buffers());
    state = objective.newState();
    trialState = objective.newState();
    entries = Math.multiplyExact(state.outputs(), objective.rows());
    this.scores = objective.buffers().doubles(entries);
    System.arraycopy(scores, 0, this.scores, 0, entries);
    trialScores = objective.buffers().doubles(entries);
    objective.evaluate(this.scores, state);
  }

  /** The objective at the current scores; valid until the next {@link #solve}. */
  public AnchorState state() {
    return state;
  }

  /** The current raw scores, output by output, a copy. */
  public double[] scores() {
    return Arrays.copyOf(scores, entries);
  }

  /** The loss, with the parameters learned so far. */
  public Objective objective() {
    return objective.objective();
  }

  /** How many steps were not the full step. */
  public int safeguards() {
    return safeguards;
  }

  /**
   * Takes a joint step over a round's trees, learning rate included, and moves the scores by it.
   *
   * @param trees one tree for each raw score, or one whose leaves hold a value for each
   * @return for each tree the values of leaf 0, then of leaf 1, and so on
   */
  public double[][] solve(List<TreeStructure> trees) {
    return take(LeafLayout.ofRound(trees, state.outputs(), arrays));
  }

  double[][] take(LeafLayout layout) {
    double[] values = move(layout);
    accept();
    return layout.byTree(values);
  }

  /**
   * Lets the loss learn its parameters (such as thresholds) at the current scores of its rows;
   * under the safeguard only where the anchor loss does not rise.
   */
  public void refitObjective(Rows rows) {
    Objective before = objective.objective();
    Objective learned = before.refitted(rows, scores);
    if (learned.equals(before)) {
      return;
    }
    objective.replaceObjective(learned);
    System.arraycopy(scores, 0, trialScores, 0, entries);
    objective.evaluate(trialScores, trialState);
    if (safeguard == Safeguard.OFF || !rises()) {
      accept();
    } else {
      objective.replaceObjective(before);
    }
  }

  /** Moves the scores by these values. */
  void advance(LeafLayout layout, double[] values) {
    tryValues(values, layout);
    accept();
  }

  /** The values of the next step, by line search if settings ask for it; likewise. */
  double[] move(LeafLayout layout) {
    double[] values = step(layout);
    return settings.step() == StepSize.LINE_SEARCH ? alongTheLine(layout, values) : values;
  }

  /** The values of the next Newton step, learning rate included. The scores stay where they are. */
  double[] step(LeafLayout layout) {
    if (objective.objective() instanceof ScalarObjective scalar
        && scalar.leafQuantile().isPresent()) {
      return quantiles(layout, scalar.leafQuantile().getAsDouble());
    }
    LeafSystem system = LeafSystem.newton(state, layout, settings.lambda1(), settings.lambda2());
    LeafStep full = system.step();
    double[] values = full.times(settings.learningRate());
    if (safeguard == Safeguard.OFF) {
      tryValues(values, layout);
      return values;
    }
    double reach = reach();
    boolean near = full.within(reach);
    if (near && full.descent() && tryValues(values, layout)) {
      return values;
    }
    safeguards++;
    if (!near && full.descent()) {
      values = system.within(reach).step().times(settings.learningRate());
      if (tryValues(values, layout)) {
        return values;
      }
    }
    return safeValues(layout, reach);
  }

  /**
   * The step to the least anchor loss along {@code step}, by golden sections, learning rate
   * included. The trial is left there.
   */
  private double[] alongTheLine(LeafLayout layout, double[] step) {
    double low = 0;
    double high = Double.isFinite(reach()) ? 1 : FURTHEST;
    double left = high - GOLDEN * (high - low);
    double right = low + GOLDEN * (high - low);
    double lossLeft = lossAt(layout, step, left);
    double lossRight = lossAt(layout, step, right);
    for (int section = 0; section < SECTIONS; section++) {
      if (lossLeft <= lossRight) {
        high = right;
        right = left;
        lossRight = lossLeft;
        left = high - GOLDEN * (high - low);
        lossLeft = lossAt(layout, step, left);
      } else {
        low = left;
        left = right;
        lossLeft = lossRight;
        right = low + GOLDEN * (high - low);
        lossRight = lossAt(layout, step, right);
      }
    }
    double[] values = times(step, (low + high) / 2);
    if (tryValues(values, layout)) {
      return values;
    }
    tryValues(step, layout);
    return step;
  }

  /** The anchor loss at so many times the whole step, without the learning rate. */
  private double lossAt(LeafLayout layout, double[] step, double times) {
    tryValues(times(step, times / settings.learningRate()), layout);
    double loss = trialState.loss().total();
    return Double.isNaN(loss) ? Double.POSITIVE_INFINITY : loss;
  }

  static double[] times(double[] values, double factor) {
    double[] scaled = new double[values.length];
    Arrays.setAll(scaled, k -> factor * values[k]);
    return scaled;
  }

  private double reach() {
    return state.anchored() && objective.objective() instanceof ScalarObjective scalar
        ? scalar.reach()
        : Double.POSITIVE_INFINITY;
  }

  /** The weighted quantile of each leaf's residuals y − f, within bounds; 0 without rows. */
  private double[] quantiles(LeafLayout layout, double quantile) {
    int[] unknownOf = layout.unknownOf[0];
    int[] start = new int[layout.size + 1];
    for (int row = 0; row < layout.rows; row++) {
      start[unknownOf[row] + 1]++;
    }
    for (int unknown = 0; unknown < layout.size; unknown++) {
      start[unknown + 1] += start[unknown];
    }
    double[] residuals = new double[layout.rows];
    double[] weights = new double[layout.rows];
    int[] byLeaf = new int[layout.rows];
    int[] next = Arrays.copyOf(start, layout.size);
    for (int row = 0; row < layout.rows; row++) {
      byLeaf[next[unknownOf[row]]++] = row;
      residuals[row] = objective.label(row) - scores[row];
      weights[row] = objective.weight(row);
    }
    double[] values = new double[layout.size];
    int[] scratch = new int[layout.rows];
    for (int unknown = 0; unknown < layout.size; unknown++) {
      int[] rows = Arrays.copyOfRange(byLeaf, start[unknown], start[unknown + 1]);
      if (rows.length > 0) {
        double value =
            WeightedQuantile.of(rows, rows.length, residuals, weights, quantile, scratch);
        values[unknown] = Math.clamp(value, layout.lower[unknown], layout.upper[unknown]);
      }
    }
    double[] step = times(values, settings.learningRate());
    tryValues(step, layout);
    return step;
  }

  private double[] safeValues(LeafLayout layout, double reach) {
    LeafSystem system =
        LeafSystem.gaussNewton(state, layout, settings.lambda1(), settings.lambda2()).within(reach);
    double scale = system.scale();
    double ridge = 0;
    for (int k = 0; k <= RIDGES; k++) {
      LeafStep step = system.plusRidge(ridge).step();
      double[] values = step.times(settings.learningRate());
      if (step.descent() && tryValues(values, layout)) {
        return values;
      }
      ridge = k == 0 ? FIRST_RIDGE * (scale > 0 ? scale : 1) : 10 * ridge;
    }
    double[] none = new double[layout.size];
    tryValues(none, layout);
    return none;
  }

  /** Evaluates the scores with these leaf values; returns whether the loss does not rise. */
  private boolean tryValues(double[] values, LeafLayout layout) {
    layout.add(values, scores, entries, trialScores, objective.workers());
    objective.evaluate(trialScores, trialState);
    return !rises();
  }

  private boolean rises() {
    AnchorLoss before = state.loss();
    double slack = ROUNDING * (Math.abs(before.base()) + Math.abs(before.penalty()));
    return !(trialState.loss().total() <= before.total() + slack);
  }

  private void accept() {
    double[] oldScores = scores;
    scores = trialScores;
    trialScores = oldScores;
    AnchorState oldState = state;
    state = trialState;
    trialState = oldState;
  }
}
