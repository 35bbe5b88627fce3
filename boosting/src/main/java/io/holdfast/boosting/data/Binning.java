package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Capacity;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Bins the rows of one window after the other. Owned by one thread: what it gave out before is
 * overwritten by the next window, since all that is large is used again.
 */
public final class Binning {
  /*
   * Thresholds are a function of the window's rows alone, so that a version can be learned again
   * from the log, whatever was learned before it (docs/decisions/0009-bins-of-the-window.md).
   *
   * Of very many rows some are drawn to find thresholds by; the seed is always the same. Columns are
   * copied out of the rows eight at a time, since eight values share a cache line.
   */
  private static final int TOGETHER = 8;
  private static final int SAMPLE = 200_000; // rows

  private final ThresholdFit thresholds = new ThresholdFit();
  private final BinLookup lookup = new BinLookup();
  private final double[][] values = new double[TOGETHER][0];
  private double[] weights = {};
  private double[] sampledValues = {};
  private double[] sampledWeights = {};
  private int[] sample = {};
  private byte[][] bytes = {};
  private char[][] chars = {};
  private long[] records = {};

  /** Bins as {@link BinnedRows#of} does; the result holds until the next call. */
  public BinnedRows bin(Rows rows, List<Feature> features, int maxBins) {
    int size = rows.size();
    BinnedRows binned = new BinnedRows(size, features.size(), this);
    weights = Capacity.of(weights, size);
    for (int row = 0; row < size; row++) {
      weights[row] = rows.weight(row);
    }
    boolean equalWeights = rows.equalWeights();
    int sampled = drawSample(size, maxBins, equalWeights);
    bytes = bytes.length >= features.size() ? bytes : Arrays.copyOf(bytes, features.size());
    chars = chars.length >= features.size() ? chars : Arrays.copyOf(chars, features.size());
    for (int first = 0; first < features.size(); first += TOGETHER) {
      int count = Math.min(TOGETHER, features.size() - first);
      for (int k = 0; k < count; k++) {
        values[k] = Capacity.of(values[k], size);
      }
      rows.copyColumns(first, count, values);
      for (int k = 0; k < count; k++) {
        switch (features.get(first + k)) {
          case Feature.Numeric _ -> {
            double[] cuts = fit(values[k], size, sampled, equalWeights, maxBins);
            binned.setNumeric(first + k, cuts, binNumeric(first + k, values[k], size, cuts));
          }
          case Feature.Categorical feature -> {
            int[] kept =
                CategoryBins.kept(values[k], size, weights, feature.categories().size(), maxBins);
            binned.setCategorical(first + k, kept, binCategories(first + k, values[k], size, kept));
          }
        }
      }
    }
    return binned;
  }

  /** Draws the rows that thresholds are found by; returns how many, all of them if 0. */
  private int drawSample(int size, int maxBins, boolean equalWeights) {
    int wanted = (int) Math.min(Integer.MAX_VALUE, Math.max(SAMPLE, 64L * maxBins));
    if (size <= wanted) {
      return 0;
    }
    sample = Capacity.of(sample, wanted);
    sampledValues = Capacity.of(sampledValues, wanted);
    sampledWeights = Capacity.of(sampledWeights, wanted);
    var random = new SplittableRandom(size);
    int taken = 0;
    for (int row = 0; taken < wanted; row++) {
      if (random.nextInt(size - row) < wanted - taken) { // Knuth 3.4.2, algorithm S
        sample[taken++] = row;
      }
    }
    if (!equalWeights) {
      for (int k = 0; k < wanted; k++) {
        sampledWeights[k] = weights[sample[k]];
      }
    }
    return wanted;
  }

  private double[] fit(double[] column, int size, int sampled, boolean equalWeights, int maxBins) {
    if (sampled == 0) {
      return thresholds.of(column, size, equalWeights ? null : weights, maxBins);
    }
    for (int k = 0; k < sampled; k++) {
      sampledValues[k] = column[sample[k]];
    }
    double @Nullable [] weightsOfSample = equalWeights ? null : sampledWeights;
    return thresholds.of(sampledValues, sampled, weightsOfSample, maxBins);
  }

  private BinColumn binNumeric(int column, double[] columnValues, int size, double[] cuts) {
    lookup.prepare(cuts);
    int missing = cuts.length + 1;
    if (missing < PlaneSums.BINS) {
      byte[] target = bytesOf(column, size);
      lookup.find(columnValues, size, target, missing);
      return new BinColumn.Bytes(target);
    }
    char[] target = charsOf(column, size);
    lookup.find(columnValues, size, target, missing);
    return new BinColumn.Chars(target);
  }

  private BinColumn binCategories(int column, double[] columnValues, int size, int[] kept) {
    int missing = kept.length;
    int[] binOfCode = CategoryBins.binOfCode(kept);
    if (missing < PlaneSums.BINS) {
      byte[] target = bytesOf(column, size);
      for (int row = 0; row < size; row++) {
        target[row] = (byte) CategoryBins.bin(columnValues[row], binOfCode, missing);
      }
      return new BinColumn.Bytes(target);
    }
    char[] target = charsOf(column, size);
    for (int row = 0; row < size; row++) {
      target[row] = (char) CategoryBins.bin(columnValues[row], binOfCode, missing);
    }
    return new BinColumn.Chars(target);
  }

  private byte[] bytesOf(int column, int size) {
    byte[] before = bytes[column];
    bytes[column] = Capacity.of(before == null ? new byte[0] : before, size);
    return bytes[column];
  }

  private char[] charsOf(int column, int size) {
    char[] before = chars[column];
    chars[column] = Capacity.of(before == null ? new char[0] : before, size);
    return chars[column];
  }

  /** Space for packed rows. */
  long[] records(int size) {
    records = Capacity.of(records, size);
    return records;
  }
}
