package io.holdfast.bench.training;

import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.peer.NativeRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Elimination;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the published anchor booster does in a round (anchorboosting 0.2), without Python's share of
 * its time: LightGBM grows a tree on the anchored gradients, is asked for the leaf of each row, and
 * leaf values are solved from dense anchors.
 */
final class PublishedAnchorContender implements Contender {
  private final WindowTask task;
  private final double gamma;
  private final LightGbm library;
  private final NativeRows window;
  private final NativeRows test;
  private final MemorySegment gradients;
  private final MemorySegment hessians;
  private final MemorySegment leaves;
  private final MemorySegment testLeaves;
  private final double[][] anchors; // orthonormal columns, row by row
  private final double[] scores;
  private final double[] first;
  private final double[] second;
  private final double[] projected;
  private final List<double[]> values = new ArrayList<>(); // of each tree
  private MemorySegment booster = MemorySegment.NULL;
  private double base;

  PublishedAnchorContender(WindowTask task, double gamma, Arena arena) {
    this.task = task;
    this.gamma = gamma;
    library = new LightGbm(LightGbmContender.parameters(task, "none"), arena);
    window = NativeRows.of(task.window(), arena);
    test = NativeRows.of(task.test(), arena);
    int rows = window.rows();
    gradients = arena.allocate(ValueLayout.JAVA_FLOAT, rows);
    hessians = arena.allocate(ValueLayout.JAVA_FLOAT, rows);
    leaves = arena.allocate(ValueLayout.JAVA_DOUBLE, rows);
    testLeaves = arena.allocate(ValueLayout.JAVA_DOUBLE, test.rows());
    anchors = anchors(task.window());
    scores = new double[rows];
    first = new double[rows];
    second = new double[rows];
    projected = new double[rows];
  }

  private static double[][] anchors(Rows rows) {
    int environments = rows.environments().size();
    double[] counts = new double[environments];
    for (int row = 0; row < rows.size(); row++) {
      counts[rows.environment(row)]++;
    }
    double[][] anchors = new double[rows.size()][environments];
    for (int row = 0; row < anchors.length; row++) {
      int environment = rows.environment(row);
      anchors[row][environment] = 1 / Math.sqrt(counts[environment]);
    }
    return anchors;
  }

  @Override
  public Times run() {
    close();
    values.clear();
    double start = task.millis();
    MemorySegment data = library.newDataset(window, MemorySegment.NULL);
    booster = library.newBooster(data);
    base = task.objective().initialScores(task.window())[0];
    Arrays.fill(scores, base);
    double prepared = task.millis();
    for (int round = 0; round < WindowTask.ROUNDS; round++) {
      round(round);
    }
    double end = task.millis();
    library.freeDataset(data);
    return new Times(end - prepared, end - start);
  }

  private void round(int round) {
    Rows rows = task.window();
    for (int row = 0; row < scores.length; row++) {
      double label = rows.label(row);
      double mean = task.binary() ? 1 / (1 + Math.exp(-scores[row])) : scores[row];
      first[row] = mean - label;
      second[row] = task.binary() ? mean * (1 - mean) : 1;
    }
    project(first, projected);
    for (int row = 0; row < scores.length; row++) {
      double gradient = first[row] + (gamma - 1) * projected[row] * second[row];
      gradients.setAtIndex(ValueLayout.JAVA_FLOAT, row, (float) gradient);
      hessians.setAtIndex(ValueLayout.JAVA_FLOAT, row, (float) second[row]);
    }
    library.update(booster, gradients, hessians);
    library.leaves(booster, window, round, leaves);
    double[] steps = steps();
    values.add(steps);
    for (int row = 0; row < scores.length; row++) {
      scores[row] += steps[leaf(row)];
    }
  }

  private int leaf(int row) {
    return (int) leaves.getAtIndex(ValueLayout.JAVA_DOUBLE, row);
  }

  /** Q (Qᵀ values). */
  private void project(double[] of, double[] target) {
    double[] sums = new double[anchors[0].length];
    for (int row = 0; row < of.length; row++) {
      double[] anchor = anchors[row];
      for (int k = 0; k < sums.length; k++) {
        sums[k] += anchor[k] * of[row];
      }
    }
    for (int row = 0; row < of.length; row++) {
      double[] anchor = anchors[row];
      double sum = 0;
      for (int k = 0; k < sums.length; k++) {
        sum += anchor[k] * sums[k];
      }
      target[row] = sum;
    }
  }

  private double[] steps() {
    int size = WindowTask.LEAVES;
    int width = anchors[0].length;
    double[] matrix = new double[size * size];
    double[] steps = new double[size];
    double[] coupling = new double[size * width];
    for (int row = 0; row < scores.length; row++) {
      int leaf = leaf(row);
      double third = task.binary() ? second[row] * (1 - 2 * (first[row] + label(row))) : 0;
      steps[leaf] -= first[row] + (gamma - 1) * projected[row] * second[row];
      matrix[leaf * size + leaf] += second[row] + (gamma - 1) * projected[row] * third;
      double[] anchor = anchors[row];
      for (int k = 0; k < width; k++) {
        coupling[leaf * width + k] += second[row] * anchor[k];
      }
    }
    for (int a = 0; a < size; a++) {
      if (matrix[a * size + a] == 0) {
        matrix[a * size + a] = 1;
      }
      for (int b = 0; b < size; b++) {
        double sum = 0;
        for (int k = 0; k < width; k++) {
          sum += coupling[a * width + k] * coupling[b * width + k];
        }
        matrix[a * size + b] += (gamma - 1) * sum;
      }
    }
    if (!Elimination.solve(matrix, size, steps)) { // it need not be positive definite
      throw new IllegalStateException("the leaf system must be regular");
    }
    for (int leaf = 0; leaf < size; leaf++) {
      steps[leaf] *= WindowTask.LEARNING_RATE;
    }
    return steps;
  }

  private double label(int row) {
    return task.window().label(row);
  }

  @Override
  public double testLoss() {
    Rows rows = task.test();
    double[] sums = new double[rows.size()];
    Arrays.fill(sums, base);
    for (int tree = 0; tree < values.size(); tree++) {
      library.leaves(booster, test, tree, testLeaves);
      for (int row = 0; row < sums.length; row++) {
        sums[row] += values.get(tree)[(int) testLeaves.getAtIndex(ValueLayout.JAVA_DOUBLE, row)];
      }
    }
    return MeanLoss.of(task.objective(), rows, sums);
  }

  @Override
  public void close() {
    if (!booster.equals(MemorySegment.NULL)) {
      library.freeBooster(booster);
      booster = MemorySegment.NULL;
    }
  }
}
