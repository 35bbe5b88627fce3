package io.holdfast.service.watch;

import io.holdfast.schemas.ClassLabels;
import io.micronaut.serde.annotation.Serdeable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How many of some scores lie where. Immutable. */
@Serdeable
public record Distribution(int scores, List<Bin> bins) {
  private static final int BINS = 20;

  /**
   * Scores from {@code from} up to {@code to}, the last bin's included; or of a class, by its name
   * or number.
   */
  @Serdeable
  public record Bin(@Nullable String name, double from, double to, int count) {}

  /** Of numbers: bins of one width between the least and the greatest. */
  public static Distribution ofNumbers(double[] values) {
    double least = Arrays.stream(values).min().orElse(0);
    double most = Arrays.stream(values).max().orElse(0);
    int bins = values.length == 0 ? 0 : most > least ? BINS : 1;
    double width = (most - least) / Math.max(1, bins);
    int[] counts = new int[bins];
    for (double value : values) {
      int bin = width > 0 ? (int) ((value - least) / width) : 0;
      counts[Math.min(bin, bins - 1)]++;
    }
    List<Bin> made = new ArrayList<>();
    for (int i = 0; i < bins; i++) {
      made.add(new Bin(null, least + i * width, least + (i + 1) * width, counts[i]));
    }
    return new Distribution(values.length, made);
  }

  /** Of classes by their number. */
  public static Distribution ofClasses(double[] values, ClassLabels labels) {
    TreeMap<Integer, Integer> counts = new TreeMap<>();
    for (double value : values) {
      counts.merge((int) value, 1, Integer::sum);
    }
    return new Distribution(
        values.length,
        counts.entrySet().stream()
            .map(
                one ->
                    new Bin(
                        String.valueOf(labels.shown(one.getKey())),
                        one.getKey(),
                        one.getKey(),
                        one.getValue()))
            .toList());
  }
}
