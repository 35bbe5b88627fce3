package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Rows;
import java.util.Map;

/**
 * How much less an older row counts than the newest one: half over the half-life. Immutable.
 *
 * <p>The half-life is that of the version before, a quarter longer; drift shortens it to as many
 * rows as the assessment says. Once it is as long as memory, all rows count alike.
 *
 * @param halfLife in rows that are newer; infinite if all rows count alike
 */
record MemoryWeights(double halfLife) {
  private static final String KEY = "memoryHalfLife";
  private static final double LONGER = 1.25;

  static MemoryWeights of(Lesson lesson) {
    double longest = lesson.settings().window().memoryRows();
    double before = lesson.remembered().getOrDefault(KEY, Double.POSITIVE_INFINITY);
    double now = before * LONGER;
    Integer advice = lesson.drift().memoryRows();
    if (advice != null) {
      now = Math.min(now, Math.max(1, advice));
    }
    return new MemoryWeights(now >= longest ? Double.POSITIVE_INFINITY : now);
  }

  /** All rows of a lesson, those of memory by their age; the window's all count in full. */
  Rows weighted(LessonRows lesson) {
    Rows rows = lesson.all();
    if (Double.isInfinite(halfLife)) {
      return rows;
    }
    int fresh = lesson.window().size();
    int[] ages = lesson.ages();
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
        weighted.add(
            values,
            rows.label(row),
            weight,
            rows.environments().get(rows.environment(row)),
            anchors);
      }
    }
    return weighted.build();
  }

  /** What the next window's are made of. */
  Map<String, Double> metrics() {
    return Double.isInfinite(halfLife) ? Map.of() : Map.of(KEY, halfLife);
  }
}
