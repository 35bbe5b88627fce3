package io.holdfast.bench.peer;

import com.microsoft.ml.lightgbm.PredictionType;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A booster that LightGBM has trained. Holds native memory until it is closed; not thread-safe. */
public final class LightGbm implements AutoCloseable {
  private static final String TEMPORARY = "java.io.tmpdir";

  private final LGBMBooster booster;

  private LightGbm(LGBMBooster booster) {
    this.booster = booster;
  }

  /**
   * Loads the native library, which must happen before anything else here.
   *
   * <p>It is unpacked to a folder of this process alone: in the common one a second process would
   * overwrite it under the first, which then crashes.
   *
   * @throws IOException if it cannot be unpacked or loaded
   */
  public static void load() throws IOException {
    String common = System.getProperty(TEMPORARY);
    Path own = Files.createTempDirectory("holdfast-lightgbm");
    System.setProperty(TEMPORARY, own.toString());
    try {
      LGBMBooster.loadNative();
    } finally {
      System.setProperty(TEMPORARY, common);
    }
    own.toFile().deleteOnExit(); // in reverse order: what it holds goes first
    try (Stream<Path> files = Files.list(own)) {
      files.forEach(file -> file.toFile().deleteOnExit());
    }
  }

  /**
   * Trains that many rounds; its data set is made and freed on the way.
   *
   * @param parameters in LightGBM's own notation: {@code name=value}, parted by spaces
   */
  public static LightGbm train(Rows rows, String parameters, int rounds) throws LGBMException {
    return train(matrix(rows), labels(rows), rows.width(), parameters, rounds);
  }

  /** As above, from a row-major matrix. */
  public static LightGbm train(
      double[] matrix, float[] labels, int width, String parameters, int rounds)
      throws LGBMException {
    try (LGBMDataset data =
        LGBMDataset.createFromMat(matrix, labels.length, width, true, parameters, null)) {
      data.setField("label", labels);
      LGBMBooster booster = LGBMBooster.create(data, parameters);
      for (int round = 0; round < rounds; round++) {
        booster.updateOneIter();
      }
      return new LightGbm(booster);
    }
  }

  /** Raw scores, output by output as ours are. */
  public double[] scores(Rows rows, int outputs) throws LGBMException {
    double[] byRow =
        booster.predictForMat(
            matrix(rows), rows.size(), rows.width(), true, PredictionType.C_API_PREDICT_RAW_SCORE);
    double[] scores = new double[byRow.length];
    for (int row = 0; row < rows.size(); row++) {
      for (int k = 0; k < outputs; k++) {
        scores[k * rows.size() + row] = byRow[row * outputs + k];
      }
    }
    return scores;
  }

  /** The columns that LightGBM must be told are categories. */
  public static String categoricalColumns(List<Feature> features) {
    return IntStream.range(0, features.size())
        .filter(column -> features.get(column) instanceof Feature.Categorical)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(","));
  }

  /** The features, row-major. */
  public static double[] matrix(Rows rows) {
    double[] matrix = new double[rows.size() * rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < rows.width(); column++) {
        matrix[row * rows.width() + column] = rows.feature(row, column);
      }
    }
    return matrix;
  }

  /** The labels, in the 32 bits that LightGBM has for them. */
  public static float[] labels(Rows rows) {
    float[] labels = new float[rows.size()];
    for (int row = 0; row < labels.length; row++) {
      labels[row] = (float) rows.label(row);
    }
    return labels;
  }

  @Override
  public void close() throws LGBMException {
    booster.close();
  }
}
