package io.holdfast.bench.training;

import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.peer.XgBoost;
import io.holdfast.boosting.data.Rows;
import java.util.Map;
import java.util.Objects;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;

/** XGBoost's {@code hist}, leaf by leaf as the others, from a matrix of floats that is there. */
final class XgBoostContender implements Contender {
  private final WindowTask task;
  private final Map<String, Object> parameters;
  private final float[] matrix;
  private final Booster before;
  private @Nullable Booster booster;

  XgBoostContender(WindowTask task) {
    this.task = task;
    parameters =
        Map.ofEntries(
            Map.entry("objective", task.binary() ? "binary:logistic" : "reg:squarederror"),
            Map.entry("tree_method", "hist"),
            Map.entry("grow_policy", "lossguide"),
            Map.entry("max_leaves", WindowTask.LEAVES),
            Map.entry("max_depth", 0),
            Map.entry("max_bin", WindowTask.MAX_BINS),
            Map.entry("eta", WindowTask.LEARNING_RATE),
            Map.entry("lambda", 0),
            // It counts no rows: with squared losses this is as many, with others about as much
            // curvature.
            Map.entry("min_child_weight", task.binary() ? 1 : WindowTask.MIN_ROWS),
            Map.entry("nthread", task.threads()),
            Map.entry("verbosity", 0));
    matrix = XgBoost.matrix(task.window());
    try {
      DMatrix earlier = XgBoost.data(task.before());
      before = XGBoost.train(earlier, parameters, task.ensemble(), Map.of(), null, null);
      earlier.dispose();
    } catch (XGBoostError e) {
      throw new IllegalStateException(e);
    }
  }

  /** Rows with the scores that the earlier ensemble gives them. */
  private DMatrix data(float[] of, Rows rows) throws XGBoostError {
    DMatrix data = XgBoost.data(of, rows);
    data.setBaseMargin(margins(before, data));
    return data;
  }

  private static float[] margins(Booster ensemble, DMatrix data) throws XGBoostError {
    float[][] byRow = ensemble.predict(data, true);
    float[] margins = new float[byRow.length];
    for (int row = 0; row < margins.length; row++) {
      margins[row] = byRow[row][0];
    }
    return margins;
  }

  /** The first round finds the bins too, so boosting is the other rounds, scaled up by one. */
  @Override
  public Times run() {
    free();
    try {
      double start = task.millis();
      DMatrix data = data(matrix, task.window());
      Booster trained = XGBoost.train(data, parameters, 1, Map.of(), null, null);
      double first = task.millis();
      for (int round = 1; round < WindowTask.ROUNDS; round++) {
        trained.update(data, round);
      }
      double end = task.millis();
      booster = trained;
      data.dispose();
      return new Times((end - first) * WindowTask.ROUNDS / (WindowTask.ROUNDS - 1), end - start);
    } catch (XGBoostError e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public double testLoss() {
    try {
      DMatrix data = data(XgBoost.matrix(task.test()), task.test());
      float[] margins = margins(Objects.requireNonNull(booster), data);
      double[] scores = new double[margins.length];
      for (int row = 0; row < scores.length; row++) {
        scores[row] = margins[row];
      }
      data.dispose();
      return MeanLoss.of(task.objective(), task.test(), scores);
    } catch (XGBoostError e) {
      throw new IllegalStateException(e);
    }
  }

  private void free() {
    if (booster != null) {
      booster.dispose();
      booster = null;
    }
  }

  @Override
  public void close() {
    free();
    before.dispose();
  }
}
