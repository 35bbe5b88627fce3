package io.holdfast.bench.training;

import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.boosting.data.Rows;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;

/** XGBoost's {@code hist}, leaf by leaf as the others, from a matrix of floats that is there. */
final class XgBoostContender implements Contender {
  /*
   * The first round finds the bins too, so boosting is the other rounds, scaled up by one.
   */
  private final Task task;
  private final Map<String, Object> parameters;
  private final Stopwatch watch;
  private final float[] matrix;
  private final float[] labels;
  private final Booster before;
  private @Nullable Booster booster;

  XgBoostContender(Task task) {
    this.task = task;
    watch = new Stopwatch(task.threads());
    parameters = parameters(task);
    matrix = matrix(task.window());
    labels = LightGbm.labels(task.window());
    try {
      DMatrix earlier = data(matrix(task.before()), task.before());
      earlier.setLabel(LightGbm.labels(task.before()));
      before = XGBoost.train(earlier, parameters, task.ensemble(), Map.of(), null, null);
      earlier.dispose();
    } catch (XGBoostError e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Object> parameters(Task task) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("objective", task.binary() ? "binary:logistic" : "reg:squarederror");
    parameters.put("tree_method", "hist");
    parameters.put("grow_policy", "lossguide");
    parameters.put("max_leaves", task.leaves());
    parameters.put("max_depth", 0);
    parameters.put("max_bin", Task.MAX_BINS);
    parameters.put("eta", Task.LEARNING_RATE);
    parameters.put("lambda", 0);
    // It counts no rows: with squared losses this is as many, with others about as much curvature.
    parameters.put("min_child_weight", task.binary() ? 1 : Task.MIN_ROWS);
    parameters.put("nthread", task.threads());
    parameters.put("verbosity", 0);
    return parameters;
  }

  private static float[] matrix(Rows rows) {
    float[] matrix = new float[rows.size() * rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < rows.width(); column++) {
        matrix[row * rows.width() + column] = (float) rows.feature(row, column);
      }
    }
    return matrix;
  }

  private static DMatrix data(float[] matrix, Rows rows) throws XGBoostError {
    return new DMatrix(matrix, rows.size(), rows.width(), Float.NaN);
  }

  private static float[] margins(Booster ensemble, DMatrix data) throws XGBoostError {
    float[][] byRow = ensemble.predict(data, true);
    float[] margins = new float[byRow.length];
    for (int row = 0; row < margins.length; row++) {
      margins[row] = byRow[row][0];
    }
    return margins;
  }

  @Override
  public String name() {
    return "XGBoost";
  }

  @Override
  public Times run() {
    free();
    try {
      watch.start();
      DMatrix data = data(matrix, task.window());
      data.setLabel(labels);
      data.setBaseMargin(margins(before, data));
      Booster trained = XGBoost.train(data, parameters, 1, Map.of(), null, null);
      double first = watch.millis();
      for (int round = 1; round < task.rounds(); round++) {
        trained.update(data, round);
      }
      double all = watch.millis();
      booster = trained;
      data.dispose();
      return new Times((all - first) * task.rounds() / (task.rounds() - 1), all);
    } catch (XGBoostError e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public double testLoss() {
    try {
      DMatrix data = data(matrix(task.test()), task.test());
      data.setBaseMargin(margins(before, data));
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
