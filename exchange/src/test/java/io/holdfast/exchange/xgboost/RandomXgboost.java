package io.holdfast.exchange.xgboost;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** A model that XGBoost has trained on random rows, of a random kind. */
final class RandomXgboost implements AutoCloseable {
  private static final List<String> OBJECTIVES =
      List.of(
          "reg:squarederror",
          "reg:absoluteerror",
          "binary:logistic",
          "reg:logistic",
          "binary:logitraw",
          "count:poisson",
          "reg:gamma",
          "reg:tweedie",
          "reg:quantileerror",
          "multi:softprob",
          "multi:softmax",
          "reg:pseudohubererror",
          "binary:hinge");

  final String objective;
  final int outputs;
  final boolean[] categorical;
  private final Booster booster;

  private RandomXgboost(Booster booster, String objective, int outputs, boolean[] categorical) {
    this.booster = booster;
    this.objective = objective;
    this.outputs = outputs;
    this.categorical = categorical;
  }

  /** The model of a number: every objective comes once in as many as there are. */
  static RandomXgboost of(int number) throws XGBoostError {
    var random = new SplittableRandom(number * 104_729L + 3);
    String objective = OBJECTIVES.get(number % OBJECTIVES.size());
    int outputs = objective.startsWith("multi:") ? 3 : 1;
    int width = 1 + random.nextInt(5);
    int rows = 60 + random.nextInt(200);
    boolean[] categorical = new boolean[width];
    String[] types = new String[width];
    for (int column = 0; column < width; column++) {
      categorical[column] = random.nextInt(3) == 0;
      types[column] = categorical[column] ? "c" : "q";
    }
    boolean gaps = random.nextBoolean();
    float[] matrix = new float[rows * width];
    float[] labels = new float[rows];
    for (int row = 0; row < rows; row++) {
      double sum = 0;
      for (int column = 0; column < width; column++) {
        float value = value(categorical[column], gaps, random);
        matrix[row * width + column] = value;
        sum += Float.isNaN(value) ? 0.7 : categorical[column] ? value % 3 : value;
      }
      labels[row] = label(objective, sum, random);
    }
    DMatrix data = new DMatrix(matrix, rows, width, Float.NaN);
    try {
      data.setFeatureTypes(types);
      data.setLabel(labels);
      Booster booster =
          XGBoost.train(
              data,
              parameters(objective, number, random),
              1 + random.nextInt(11),
              new HashMap<>(),
              null,
              null);
      return new RandomXgboost(booster, objective, outputs, categorical);
    } finally {
      data.dispose();
    }
  }

  private static Map<String, Object> parameters(
      String objective, int number, SplittableRandom random) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("objective", objective);
    parameters.put("nthread", 1);
    parameters.put("verbosity", 0);
    parameters.put("seed", number);
    parameters.put("tree_method", random.nextBoolean() ? "hist" : "approx");
    parameters.put("max_cat_to_onehot", 1 + random.nextInt(8));
    parameters.put("min_child_weight", 0);
    switch (random.nextInt(4)) {
      case 0 -> parameters.put("max_depth", 1);
      case 1 -> parameters.put("max_depth", 9);
      case 2 -> parameters.put("gamma", 1e9); // one leaf
      default -> parameters.put("gamma", 0.5); // prunes
    }
    if (random.nextInt(4) == 0) {
      parameters.put("booster", "dart");
      parameters.put("rate_drop", 0.3);
    }
    if (random.nextInt(4) == 0) {
      parameters.put("num_parallel_tree", 3);
      parameters.put("subsample", 0.7);
    }
    if (random.nextInt(3) == 0) {
      parameters.put("base_score", 0.3);
    }
    switch (objective) {
      case "multi:softprob", "multi:softmax" -> parameters.put("num_class", 3);
      case "reg:tweedie" -> parameters.put("tweedie_variance_power", 1.3);
      case "reg:quantileerror" -> parameters.put("quantile_alpha", 0.3);
      default -> {}
    }
    return parameters;
  }

  private static float value(boolean categorical, boolean gaps, SplittableRandom random) {
    int kind = random.nextInt(10);
    if (gaps && kind == 0) {
      return Float.NaN;
    }
    if (categorical) {
      return random.nextInt(kind == 1 ? 70 : 12);
    }
    return kind <= 3 ? 0 : kind == 4 ? random.nextInt(-3, 4) : (float) random.nextDouble(-3, 3);
  }

  private static float label(String objective, double sum, SplittableRandom random) {
    double noisy = sum + random.nextDouble(-1, 1);
    return (float)
        switch (objective) {
          case "binary:logistic", "binary:logitraw", "binary:hinge" -> noisy > 1 ? 1 : 0;
          case "reg:logistic" -> 1 / (1 + Math.exp(-noisy));
          case "multi:softprob", "multi:softmax" -> Math.floorMod((long) noisy, 3);
          case "count:poisson", "reg:tweedie" -> Math.floor(Math.abs(noisy));
          case "reg:gamma" -> 0.1 + Math.abs(noisy);
          default -> noisy;
        };
  }

  byte[] bytes(String format) throws XGBoostError {
    return booster.toByteArray(format);
  }

  float[][] margins(double[][] rows) throws XGBoostError {
    return predict(rows, true);
  }

  float[][] predictions(double[][] rows) throws XGBoostError {
    return predict(rows, false);
  }

  private float[][] predict(double[][] rows, boolean margin) throws XGBoostError {
    return predict(booster, rows, margin);
  }

  /** What a booster says of rows, which it gets as floats. */
  static float[][] predict(Booster booster, double[][] rows, boolean margin) throws XGBoostError {
    int width = rows[0].length;
    float[] matrix = new float[rows.length * width];
    for (int k = 0; k < matrix.length; k++) {
      matrix[k] = (float) rows[k / width][k % width];
    }
    DMatrix data = new DMatrix(matrix, rows.length, width, Float.NaN);
    try {
      return booster.predict(data, margin);
    } finally {
      data.dispose();
    }
  }

  @Override
  public void close() {
    booster.dispose();
  }
}
