package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Reads numbers out of reference vectors and compares with them. */
public final class GoldenNumbers {
  private GoldenNumbers() {}

  /** Numbers of an array, or of an array of arrays row by row. */
  public static double[] doubles(JsonNode array) {
    List<Double> values = new ArrayList<>();
    for (JsonNode entry : array) {
      if (entry.isArray()) {
        for (double value : doubles(entry)) {
          values.add(value);
        }
      } else {
        values.add(entry.asDouble());
      }
    }
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Whole numbers of an array. */
  public static int[] ints(JsonNode array) {
    int[] values = new int[array.size()];
    for (int k = 0; k < values.length; k++) {
      values[k] = array.get(k).asInt();
    }
    return values;
  }

  /** |x − ref| at most rtol · |ref| + atol. */
  public static void assertClose(
      String what, double actual, double reference, double rtol, double atol) {
    assertThat(Math.abs(actual - reference))
        .as("%s: %s against %s", what, actual, reference)
        .isLessThanOrEqualTo(rtol * Math.abs(reference) + atol);
  }

  /** max |x − ref| at most rtol · scale. */
  public static void assertCloseInMaxNorm(
      String what, double[] actual, double[] reference, double rtol, double scale) {
    assertThat(actual).as(what).hasSameSizeAs(reference);
    for (int k = 0; k < actual.length; k++) {
      assertThat(Math.abs(actual[k] - reference[k]))
          .as("%s[%s]: %s against %s", what, k, actual[k], reference[k])
          .isLessThanOrEqualTo(rtol * scale);
    }
  }

  /** The largest size of an entry. */
  public static double maxNorm(double[] values) {
    double largest = 0;
    for (double value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest;
  }
}
