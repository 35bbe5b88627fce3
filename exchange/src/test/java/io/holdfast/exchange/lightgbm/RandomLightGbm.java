package io.holdfast.exchange.lightgbm;

import com.microsoft.ml.lightgbm.PredictionType;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMBooster.FeatureImportanceType;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A model that LightGBM has trained on random rows, of a random kind. */
final class RandomLightGbm implements AutoCloseable {
  /** Objectives, with parameters and the outputs that predictions have. */
  private static final List<String> OBJECTIVES =
      List.of(
          "regression",
          "regression_l1",
          "huber alpha=1.3",
          "quantile alpha=0.3",
          "poisson",
          "gamma",
          "tweedie tweedie_variance_power=1.3",
          "binary",
          "binary sigmoid=1.7",
          "cross_entropy",
          "multiclass num_class=3",
          "multiclassova num_class=4",
          "fair",
          "mape",
          "cross_entropy_lambda",
          "regression reg_sqrt=true");

  private static final List<String> BOOSTINGS =
      List.of("gbdt", "gbdt", "gbdt", "dart", "rf bagging_freq=1 bagging_fraction=0.6");
  private static final List<String> MISSING =
      List.of("", "", "zero_as_missing=true", "use_missing=false");

  final String objective;
  final String text;
  final int outputs;
  final boolean[] categorical;
  private final LGBMBooster booster;

  private RandomLightGbm(LGBMBooster booster, String objective, int outputs, boolean[] categorical)
      throws LGBMException {
    this.booster = booster;
    this.objective = objective;
    this.outputs = outputs;
    this.categorical = categorical;
    text = booster.saveModelToString(0, -1, FeatureImportanceType.SPLIT);
  }

  /** The model of a number: every objective comes once in as many as there are. */
  static RandomLightGbm of(int number) throws LGBMException {
    var random = new SplittableRandom(number * 7919L + 1);
    String objective = OBJECTIVES.get(number % OBJECTIVES.size());
    String name = objective.split(" ", -1)[0];
    int outputs = name.startsWith("multiclass") ? name.equals("multiclass") ? 3 : 4 : 1;
    int width = 1 + random.nextInt(5);
    int rows = 60 + random.nextInt(200);
    boolean[] categorical = new boolean[width];
    for (int column = 0; column < width; column++) {
      categorical[column] = random.nextInt(3) == 0;
    }
    String categories =
        IntStream.range(0, width)
            .filter(column -> categorical[column])
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    String shape =
        switch (random.nextInt(4)) {
          case 0 -> " num_leaves=2";
          case 1 -> " num_leaves=63 min_data_in_leaf=1 max_depth=-1";
          case 2 -> " num_leaves=31 min_data_in_leaf=1000"; // one leaf
          default -> " num_leaves=" + (3 + random.nextInt(20)) + " min_data_in_leaf=3";
        };
    String parameters =
        "objective="
            + objective
            + " boosting="
            + BOOSTINGS.get(random.nextInt(BOOSTINGS.size()))
            + " "
            + MISSING.get(random.nextInt(MISSING.size()))
            + shape
            + " num_threads=1 verbosity=-1 min_data_per_group=2 cat_smooth=1 cat_l2=1"
            + " max_cat_to_onehot="
            + (1 + random.nextInt(8))
            + " learning_rate=0.3 min_sum_hessian_in_leaf=1e-3 deterministic=true seed="
            + number
            + (categories.isEmpty() ? "" : " categorical_feature=" + categories);
    double[] matrix = new double[rows * width];
    float[] labels = new float[rows];
    boolean gaps = random.nextBoolean();
    for (int row = 0; row < rows; row++) {
      double sum = 0;
      for (int column = 0; column < width; column++) {
        double value = value(categorical[column], gaps, random);
        matrix[row * width + column] = value;
        sum += Double.isNaN(value) ? 0.7 : categorical[column] ? value % 3 : value;
      }
      labels[row] = label(name, sum, outputs, random);
    }
    try (LGBMDataset data =
        LGBMDataset.createFromMat(matrix, rows, width, true, parameters, null)) {
      data.setField("label", labels);
      LGBMBooster booster = LGBMBooster.create(data, parameters);
      int rounds = 1 + random.nextInt(12);
      for (int round = 0; round < rounds && !booster.updateOneIter(); round++) {}
      return new RandomLightGbm(booster, objective, outputs, categorical);
    }
  }

  private static double value(boolean categorical, boolean gaps, SplittableRandom random) {
    int kind = random.nextInt(10);
    if (gaps && kind == 0) {
      return Double.NaN;
    }
    if (categorical) {
      return random.nextInt(kind == 1 ? 70 : 12);
    }
    return kind <= 3 ? 0 : kind == 4 ? random.nextInt(-3, 4) : random.nextDouble(-3, 3);
  }

  private static float label(String name, double sum, int outputs, SplittableRandom random) {
    double noisy = sum + random.nextDouble(-1, 1);
    return (float)
        switch (name) {
          case "binary" -> noisy > 1 ? 1 : 0;
          case "cross_entropy", "cross_entropy_lambda" -> 1 / (1 + Math.exp(-noisy));
          case "multiclass", "multiclassova" -> Math.floorMod((long) noisy, outputs);
          case "poisson", "tweedie" -> Math.floor(Math.abs(noisy));
          case "gamma" -> 0.1 + Math.abs(noisy);
          default -> noisy;
        };
  }

  double[] raw(double[][] rows) throws LGBMException {
    return predict(rows, PredictionType.C_API_PREDICT_RAW_SCORE);
  }

  double[] predictions(double[][] rows) throws LGBMException {
    return predict(rows, PredictionType.C_API_PREDICT_NORMAL);
  }

  private double[] predict(double[][] rows, PredictionType type) throws LGBMException {
    return NativeLightGbm.predict(text, rows, outputs, type);
  }

  @Override
  public void close() throws LGBMException {
    booster.close();
  }
}
