package io.holdfast.bench.defaults;

import io.holdfast.bench.peer.XgBoost;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
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
    String objective =
        problem.objective().name().equals("squared") ? "reg:squarederror" : "binary:logistic";
    Map<String, Object> parameters = Map.of("verbosity", 0, "nthread", 1, "objective", objective);
    Booster booster = XGBoost.train(train, parameters, 1, Map.of(), null, null);
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
    float[][] byRow = booster.predict(test, true, stopping ? best : ROUNDS);
    double[] scores = new double[byRow.length];
    for (int row = 0; row < scores.length; row++) {
      scores[row] = byRow[row][0];
    }
    booster.dispose();
    train.dispose();
    validation.dispose();
    test.dispose();
    return scores;
  }

  private static DMatrix data(Problem problem, Rows rows) throws XGBoostError {
    DMatrix data = XgBoost.data(rows);
    data.setFeatureTypes(
        problem.features().stream()
            .map(feature -> feature instanceof Feature.Categorical ? "c" : "float")
            .toArray(String[]::new));
    return data;
  }

  /** As in {@code [7] validation-rmse:0.25}. */
  private static double loss(Booster booster, DMatrix validation, int round) throws XGBoostError {
    String said = booster.evalSet(new DMatrix[] {validation}, new String[] {"validation"}, round);
    return Double.parseDouble(said.substring(said.lastIndexOf(':') + 1).strip());
  }
}
