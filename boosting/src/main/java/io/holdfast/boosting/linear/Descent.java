package io.holdfast.boosting.linear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Minimises the penalised loss of a linear function. Owned by one thread; for one use. */
final class Descent {
  /*
   * Proximal Newton: minimises a quadratic model of the loss plus the penalty exactly, and steps
   * towards that minimum: the whole way, else half of it, and so on, until the penalised loss has
   * fallen by a part of what the model promised. So it never rises, whatever the loss.
   *
   * All outputs step together if they have at most JOINT coefficients; else they take turns.
   */
  static final int JOINT = 1024;
  private static final int TURNS = 100;
  private static final int HALVINGS = 40;
  private static final double PROMISE = 1e-4; // part of the promised gain that is enough
  private static final double ROUNDING = 1e-13; // of the loss, as of a sum over rows

  private final SmoothLoss loss;
  private final Design design;
  private final ElasticNet penalty;
  private final int[][] blocks; // outputs that take a step together
  private final double[][] coefficients; // of each block, output after output
  private final double[] matrix;
  private final double[] scale;
  private final double[] scores;
  private final double[] trial;
  private final double[] gradients;
  private final double[] promises; // by block: of the step before
  private final List<Double> objectives = new ArrayList<>();
  private double current; // without the penalty

  /** A descent from these coefficients: of each output the intercept, then the other columns. */
  Descent(SmoothLoss loss, Design design, ElasticNet penalty, double[][] start) {
    this.loss = loss;
    this.design = design;
    this.penalty = penalty;
    boolean joint = (long) start.length * design.columns() <= JOINT;
    int size = joint ? start.length : 1;
    blocks = new int[start.length / size][size];
    coefficients = new double[blocks.length][];
    promises = new double[blocks.length];
    for (int block = 0; block < blocks.length; block++) {
      coefficients[block] = new double[size * design.columns()];
      for (int a = 0; a < size; a++) {
        blocks[block][a] = block * size + a;
        double[] own = start[blocks[block][a]];
        System.arraycopy(own, 0, coefficients[block], a * own.length, own.length);
      }
    }
    int unknowns = coefficients[0].length;
    matrix = new double[Math.multiplyExact(unknowns, unknowns)];
    scale = new double[unknowns];
    scores = new double[Math.multiplyExact(design.rows(), start.length)];
    trial = new double[scores.length];
    gradients = new double[scores.length];
    for (int block = 0; block < blocks.length; block++) {
      multiply(blocks[block], coefficients[block], scores);
    }
    current = loss.evaluate(scores);
    objectives.add(penalised());
  }

  /** Descends as far as it goes. */
  void run() {
    double small = loss.smallestGain() * Math.abs(current);
    for (int turn = 0; turn < TURNS; turn++) {
      boolean gained = false;
      for (int block = 0; block < blocks.length; block++) {
        gained |= descend(block, turn, small);
      }
      if (!gained) {
        return;
      }
    }
  }

  /** Of each output the intercept, then a coefficient for each further column of the design. */
  double[][] coefficients() {
    int columns = design.columns();
    int size = blocks[0].length;
    double[][] byOutput = new double[blocks.length * size][];
    Arrays.setAll(
        byOutput,
        k ->
            Arrays.copyOfRange(
                coefficients[k / size], k % size * columns, (k % size + 1) * columns));
    return byOutput;
  }

  /** The raw scores of the rows, output by output. */
  double[] scores() {
    return scores.clone();
  }

  /** The penalised loss at the start and after each step. */
  List<Double> objectives() {
    return List.copyOf(objectives);
  }

  /** Takes one step; returns whether another one may gain. */
  private boolean descend(int block, int turn, double small) {
    double[] b = coefficients[block];
    int n = b.length;
    if (turn == 0 || !loss.quadratic()) {
      loss.curvature(blocks[block], design, penalty.ridge(), matrix, scale);
    }
    double[] slope = slope(blocks[block]);
    double[] vector = new double[n];
    for (int j = 0; j < n; j++) {
      vector[j] = ElasticNet.times(matrix, n, j, b) - slope[j];
    }
    double[] best = penalty.minimise(matrix, vector, b, scale);
    double promised = penalty.penalty(best) - penalty.penalty(b);
    for (int j = 0; j < n; j++) {
      promised += slope[j] * (best[j] - b[j]);
    }
    if (!(promised < 0)) {
      return false;
    }
    boolean last = next(block, -promised) <= small;
    return step(block, best, promised, last ? 0 : HALVINGS) && !last;
  }

  /** What the next step may promise: Newton's convergence is quadratic if all is smooth. */
  private double next(int block, double promise) {
    double ratio = promise / promises[block];
    promises[block] = promise;
    return penalty.smooth() ? promise * Math.min(1, ratio * ratio) : promise;
  }

  private double[] slope(int[] outputs) {
    loss.gradients(gradients);
    double[] slope = new double[outputs.length * design.columns()];
    for (int a = 0; a < outputs.length; a++) {
      design.transposeMultiply(gradients, outputs[a] * design.rows(), slope, a * design.columns());
    }
    return slope;
  }

  private boolean step(int block, double[] best, double promised, int halvings) {
    double[] b = coefficients[block];
    double[] difference = new double[b.length];
    for (int j = 0; j < b.length; j++) {
      difference[j] = best[j] - b[j];
    }
    double[] direction = new double[scores.length]; // 0 for other outputs
    multiply(blocks[block], difference, direction);
    double slack = ROUNDING * Math.abs(current);
    double before = penalty.penalty(b);
    double[] candidate = new double[b.length];
    double length = 1;
    for (int halving = 0; halving <= halvings; halving++) {
      for (int j = 0; j < b.length; j++) {
        candidate[j] = length == 1 ? best[j] : b[j] + length * difference[j];
      }
      for (int k = 0; k < scores.length; k++) {
        trial[k] = scores[k] + length * direction[k];
      }
      double next = loss.evaluate(trial);
      double rise = next - current + penalty.penalty(candidate) - before;
      if (rise <= PROMISE * length * promised + slack) {
        System.arraycopy(trial, 0, scores, 0, scores.length);
        coefficients[block] = candidate;
        current = next;
        objectives.add(penalised());
        return true;
      }
      length *= 0.5;
    }
    loss.evaluate(scores);
    return false;
  }

  /** Writes the scores of these outputs. */
  private void multiply(int[] outputs, double[] b, double[] target) {
    for (int a = 0; a < outputs.length; a++) {
      design.multiply(b, a * design.columns(), target, outputs[a] * design.rows());
    }
  }

  private double penalised() {
    double sum = current;
    for (double[] b : coefficients) {
      sum += penalty.penalty(b);
    }
    return sum;
  }
}
