package io.holdfast.bench.defaults;

import io.holdfast.bench.data.DataFolder;
import io.holdfast.bench.data.GeneratedRows;
import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.Split;
import io.holdfast.bench.data.Task;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Rows to learn from and to be tested on.
 *
 * @param train those of a fit without early stopping
 * @param fit the part of them that a fit with early stopping learns from
 * @param validation the rest, which tells when to stop
 */
record Problem(
    String name,
    Objective objective,
    List<Feature> features,
    Rows train,
    Rows fit,
    Rows validation,
    Rows test) {
  private static final double SHARE = 0.8;

  /** A draw of a task's rows, parted by the seed. */
  static Problem of(DataFolder folder, Task task, int limit, long seed) {
    LabelledRows all = LabelledRows.read(folder, task);
    Rows rows = Split.sample(all.rows(), limit, seed);
    return of(task.name(), task.objective(), all.features(), rows, seed);
  }

  private static Problem of(
      String name, Objective objective, List<Feature> features, Rows rows, long seed) {
    Split outer = Split.stratified(rows, SHARE, seed);
    Split inner = Split.stratified(outer.train(), SHARE, seed + 1);
    return new Problem(
        name,
        objective,
        features,
        outer.train(),
        inner.train(),
        ofOneEnvironment(inner.test()),
        outer.test());
  }

  /** In one environment, so that rows count alike in when to stop. */
  private static Rows ofOneEnvironment(Rows rows) {
    Rows.Builder pooled = Rows.builder(rows.width());
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      pooled.add(values, rows.label(row), "all");
    }
    return pooled.build();
  }

  /** Friedman's first: smooth, with interactions and five columns of noise. */
  static Problem friedman(int size, long seed) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(10);
    for (int row = 0; row < size; row++) {
      double[] x = random.doubles(10).toArray();
      double y =
          10 * Math.sin(Math.PI * x[0] * x[1])
              + 20 * (x[2] - 0.5) * (x[2] - 0.5)
              + 10 * x[3]
              + 5 * x[4]
              + random.nextGaussian();
      rows.add(x, y, "all");
    }
    return of(
        "generated: Friedman 1",
        Objective.named("squared"),
        GeneratedRows.features(10),
        rows.build(),
        seed);
  }

  /** A sign of a sum of steps, in which a fifth of the cells is missing. */
  static Problem steps(int size, long seed) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(20);
    for (int row = 0; row < size; row++) {
      double[] x = random.doubles(20).toArray();
      double y = random.nextGaussian();
      for (int k = 0; k < 8; k++) {
        y += x[k] > 0.5 ? 1 : -1;
      }
      for (int k = 0; k < 20; k++) {
        x[k] = random.nextInt(5) == 0 ? Double.NaN : x[k];
      }
      rows.add(x, y > 0 ? 1 : 0, "all");
    }
    return of(
        "generated: steps, gaps",
        Objective.named("logistic"),
        GeneratedRows.features(20),
        rows.build(),
        seed);
  }

  /** An effect of each category, and a slope; {@code of} rows of each. */
  static Problem categories(int count, int of, boolean twoLevels, long seed) {
    var random = new SplittableRandom(seed);
    double[] effects = new double[count];
    for (int code = 0; code < count; code++) {
      effects[code] = twoLevels ? (random.nextBoolean() ? 5 : -5) : 2 * random.nextGaussian();
    }
    Rows.Builder rows = Rows.builder(3);
    for (int row = 0; row < count * of; row++) {
      int code = row % count;
      double x = random.nextDouble();
      double noise = twoLevels ? 0 : random.nextGaussian();
      rows.add(new double[] {code, x, random.nextDouble()}, effects[code] + 3 * x + noise, "all");
    }
    List<Feature> features = new ArrayList<>();
    features.add(
        new Feature.Categorical("kind", IntStream.range(0, count).mapToObj(k -> "k" + k).toList()));
    features.addAll(GeneratedRows.features(2));
    String name =
        String.format(
            Locale.ROOT,
            "generated: %,d categories of %d rows%s",
            count,
            of,
            twoLevels ? ", ±5" : "");
    return of(name, Objective.named("squared"), features, rows.build(), seed);
  }
}
