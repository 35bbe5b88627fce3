package io.holdfast.trainer.reason;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The losses of what was served for rows, oldest first.
 *
 * @param environments the environment of each row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
public record ServedLosses(double[] losses, double[] weights, List<String> environments) {
  public ServedLosses {
    environments = List.copyOf(environments);
    Check.that(
        losses.length == weights.length && losses.length == environments.size(),
        "losses, weights and environments must be as many: %s, %s and %s",
        losses.length,
        weights.length,
        environments.size());
  }

  int size() {
    return losses.length;
  }

  boolean finite() {
    return Arrays.stream(losses).allMatch(Double::isFinite);
  }

  double mean() {
    double sum = 0;
    double total = 0;
    for (int row = 0; row < losses.length; row++) {
      sum += weights[row] * losses[row];
      total += weights[row];
    }
    return sum / total;
  }

  /** The rows of one environment, by their place. */
  int[] of(String environment) {
    return IntStream.range(0, losses.length)
        .filter(row -> environments.get(row).equals(environment))
        .toArray();
  }

  ServedLosses subset(int[] rows) {
    return new ServedLosses(
        Arrays.stream(rows).mapToDouble(row -> losses[row]).toArray(),
        Arrays.stream(rows).mapToDouble(row -> weights[row]).toArray(),
        Arrays.stream(rows).mapToObj(environments::get).toList());
  }
}
