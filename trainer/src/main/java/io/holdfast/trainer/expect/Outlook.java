package io.holdfast.trainer.expect;

import io.holdfast.boosting.evaluate.Expected;
import io.holdfast.schemas.avro.ExpectedReport;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is expected of a window before its labels count. Immutable.
 *
 * @param equal by past rows that count equally
 * @param alike by past rows as frequent as rows like them are now
 * @param uncorrected what scores alone say
 * @param rows how many past rows there are
 */
public record Outlook(
    Estimate equal, Estimate alike, SortedMap<String, Double> uncorrected, int rows) {
  /** The one that was the better in the last windows. */
  Estimate chosen(Trials trials) {
    return !alike.ranges().isEmpty() && trials.alikeIsBetter() ? alike : equal;
  }

  /** By what came of earlier ones. */
  public ExpectedReport report(Trials trials) {
    Estimate chosen = chosen(trials);
    SortedMap<String, Double> low = new TreeMap<>();
    SortedMap<String, Double> high = new TreeMap<>();
    chosen
        .ranges()
        .forEach(
            (name, range) -> {
              Expected.Range widened = chosen.widened(name, range, trials.widening(name));
              low.put(name, widened.low());
              high.put(name, widened.high());
            });
    boolean silent = low.isEmpty();
    return ExpectedReport.newBuilder()
        .setMetrics(chosen.figures())
        .setUncorrected(uncorrected)
        .setLabelledRows(rows)
        .setLow(low)
        .setHigh(high)
        .setLikeRows(silent ? null : (Double) alike.likeRows())
        .setDoubt(silent ? null : trials.doubt(alike.likeRows(), rows))
        .build();
  }
}
