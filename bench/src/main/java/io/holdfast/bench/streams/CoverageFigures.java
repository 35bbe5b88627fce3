package io.holdfast.bench.streams;

import io.holdfast.boosting.uncertainty.Thresholds;
import io.holdfast.boosting.uncertainty.Thresholds.Range;
import java.util.SortedMap;
import java.util.TreeMap;

/** How often promises of one level were kept, and how wide they were. Owned by one thread. */
final class CoverageFigures {
  static final int SETTLED = 2_000; // rows before the first that counts

  private final ServedScores scores;
  private final int[] drifts;
  private final SortedMap<String, long[]> environments = new TreeMap<>();
  private final long[] all = new long[2];
  private final long[][] after;
  private final long[][] later;
  private double widths;

  CoverageFigures(ServedScores scores, int[] drifts) {
    this.scores = scores;
    this.drifts = drifts;
    after = new long[drifts.length][2];
    later = new long[drifts.length][2];
  }

  void add(int row, Range promise) {
    if (row < SETTLED) {
      return;
    }
    int kept = promise.holds(scores.error(row)) ? 1 : 0;
    count(all, kept);
    count(environments.computeIfAbsent(scores.environment(row), name -> new long[2]), kept);
    for (int k = 0; k < drifts.length; k++) {
      int since = row - drifts[k];
      if (since >= 0 && since < 1_000) {
        count(after[k], kept);
      } else if (since >= 2_000 && since < 4_000) {
        count(later[k], kept);
      }
    }
    widths += scores.stream().classifies() ? size(row, promise) : promise.high() - promise.low();
  }

  private int size(int row, Range promise) {
    int size = 0;
    for (double probability : scores.probabilities(row)) {
      size += promise.holds(Thresholds.classError(probability)) ? 1 : 0;
    }
    return size;
  }

  private static void count(long[] sums, int kept) {
    sums[0] += kept;
    sums[1]++;
  }

  double coverage() {
    return share(all);
  }

  private static double share(long[] sums) {
    return (double) sums[0] / sums[1];
  }

  double width() {
    return widths / all[1];
  }

  /** That of an environment of 500 rows or more which is furthest from the level. */
  double furthest(double level) {
    return environments.values().stream()
        .filter(sums -> sums[1] >= 500)
        .map(CoverageFigures::share)
        .reduce(level, (a, b) -> Math.abs(b - level) > Math.abs(a - level) ? b : a);
  }

  /** The least coverage in the 1,000 rows after a drift; NaN without one. */
  double afterDrift() {
    return least(after);
  }

  /** The least coverage in rows 2,000 to 4,000 after a drift; NaN without one. */
  double later() {
    return least(later);
  }

  private static double least(long[][] sums) {
    double least = Double.NaN;
    for (long[] one : sums) {
      least = Double.isNaN(least) ? share(one) : Math.min(least, share(one));
    }
    return least;
  }
}
