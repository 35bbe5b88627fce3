package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Rows;
import io.holdfast.trainer.rows.WindowRows;
import java.util.Map;
import java.util.TreeMap;

/**
 * Weights of remembered rows: half as much for each half-life of newer rows. The half-life grows by
 * a quarter from version to version, and drift shortens it to the rows that the assessment says;
 * once it is as long as memory, all rows count alike. Immutable.
 *
 * @param halfLife in newer rows; infinite if all rows count alike
 */
record MemoryWeights(double halfLife) {
  private static final String KEY = "memoryHalfLife";
  private static final double LONGER = 1.25;

  static MemoryWeights of(UpdateContext context) {
    double now = context.remembered().getOrDefault(KEY, Double.POSITIVE_INFINITY) * LONGER;
    Integer advice = context.drift().memoryRows();
    if (advice != null) {
      now = Math.min(now, Math.max(1, advice));
    }
    double longest = context.settings().window().memoryRows();
    return new MemoryWeights(now >= longest ? Double.POSITIVE_INFINITY : now);
  }

  /** All rows, those of memory by their age; the window's all count in full. */
  Rows weighted(WindowRows given) {
    Rows rows = given.all();
    if (Double.isInfinite(halfLife)) {
      return rows;
    }
    int fresh = given.window().size();
    int[] ages = given.ages();
    Rows.Builder weighted =
        Rows.builder(rows.width(), rows.anchors()).expecting(Math.max(1, rows.size()));
    double[] values = new double[rows.width()];
    double[] anchors = new double[rows.anchors()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      for (int k = 0; k < anchors.length; k++) {
        anchors[k] = rows.anchor(row, k);
      }
      double age = Math.max(0, ages[row] - fresh + 1);
      double weight = rows.weight(row) * StrictMath.pow(0.5, age / halfLife);
      if (weight > 0) {
        String environment = rows.environments().get(rows.environment(row));
        weighted.add(values, rows.label(row), weight, environment, anchors);
      }
    }
    return weighted.build();
  }

  /** {@code metrics}, and what the next window's weights are made of. */
  Map<String, Double> with(Map<String, Double> metrics) {
    TreeMap<String, Double> all = new TreeMap<>(metrics);
    if (!Double.isInfinite(halfLife)) {
      all.put(KEY, halfLife);
    }
    return all;
  }
}
