package io.holdfast.bench.defaults;

import io.holdfast.bench.peer.LightGbm;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.HashMap;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** XGBoost, told of the loss and of which columns are categories, and of nothing else. */
final class XgBoostDefaults implements Learner {
  @Override
  public double[] scores(Problem problem, boolean stopping) throws XGBoostError {
    DMatrix train = data(problem, stopping ? problem.fit() : problem.train());
    DMatrix validation = data(problem, problem.validation());
    DMatrix test = data(problem, problem.test());
    Booster booster = XGBoost.train(train, parameters(problem), 1, Map.of(), null, null);
    int best = 1;
    double least = loss(booster, validation, 0);
    int most = stopping ? MOST_ROUNDS : ROUNDS;
    for (int round = 1; round < most && (!stopping || round < best + PATIENCE); round++) {
      booster.update(train, round);
      double loss = stopping ? loss(booster, validation, round) : 0;
      if (loss < least) {
        least = loss;
        best = round + 1;
      }
    }
    double[] scores = byOutput(booster.predict(test, true, stopping ? best : ROUNDS));
    booster.dispose();
    train.dispose();
    validation.dispose();
    test.dispose();
    return scores;
  }

  private static Map<String, Object> parameters(Problem problem) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("verbosity", 0);
    parameters.put("nthread", 1);
    switch (problem.objective().name()) {
      case "squared" -> parameters.put("objective", "reg:squarederror");
      case "logistic" -> parameters.put("objective", "binary:logistic");
      default -> {
        parameters.put("objective", "multi:softprob");
        parameters.put("num_class", problem.objective().classes());
      }
    }
    return parameters;
  }

  private static DMatrix data(Problem problem, Rows rows) throws XGBoostError {
    float[] matrix = new float[rows.size() * rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < rows.width(); column++) {
        matrix[row * rows.width() + column] = (float) rows.feature(row, column);
      }
    }
    DMatrix data = new DMatrix(matrix, rows.size(), rows.width(), Float.NaN);
    data.setFeatureTypes(
        problem.features().stream()
            .map(feature -> feature instanceof Feature.Categorical ? "c" : "float")
            .toArray(String[]::new));
    data.setLabel(LightGbm.labels(rows));
    return data;
  }

  /** As in {@code [7] validation-rmse:0.25}. */
  private static double loss(Booster booster, DMatrix validation, int round) throws XGBoostError {
    String said = booster.evalSet(new DMatrix[] {validation}, new String[] {"validation"}, round);
    return Double.parseDouble(said.substring(said.lastIndexOf(':') + 1).strip());
  }

  private static double[] byOutput(float[][] byRow) {
    int outputs = byRow[0].length;
    double[] scores = new double[byRow.length * outputs];
    for (int row = 0; row < byRow.length; row++) {
      for (int k = 0; k < outputs; k++) {
        scores[k * byRow.length + row] = byRow[row][k];
      }
    }
    return scores;
  }
}
