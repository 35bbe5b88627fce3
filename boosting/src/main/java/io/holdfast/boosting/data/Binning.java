package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Buffers;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Bins the columns of some rows. Owned by one thread; one use each. */
final class Binning {
  /*
   * Thresholds are a function of the rows alone, so that a version can be learned again from the
   * log, whatever was learned before it (docs/decisions/0013-bins-of-the-window.md).
   *
   * Of very many rows some are drawn to find thresholds by; the seed is always the same. Columns are
   * copied out of the rows eight at a time, since eight values share a cache line.
   */
  private static final int TOGETHER = 8;
  private static final int SAMPLE = 200_000; // rows

  private final Rows rows;
  private final int size;
  private final int maxBins;
  private final Buffers buffers;
  private final double[] weights;
  private final boolean equalWeights;
  private final int sampled; // rows that thresholds are found by; 0 for all
  private final int[] sample;
  private final double[] sampledValues;
  private final double[] sampledWeights;
  private final ThresholdFit thresholds;
  private final BinLookup lookup = new BinLookup();

  Binning(Rows rows, int maxBins, Buffers buffers) {
    this.rows = rows;
    this.maxBins = maxBins;
    this.buffers = buffers;
    size = rows.size();
    weights = buffers.doubles(size);
    for (int row = 0; row < size; row++) {
      weights[row] = rows.weight(row);
    }
    equalWeights = rows.equalWeights();
    int wanted = (int) Math.min(Integer.MAX_VALUE, Math.max(SAMPLE, 64L * maxBins));
    sampled = size <= wanted ? 0 : wanted;
    sample = buffers.ints(sampled);
    sampledValues = buffers.doubles(sampled);
    sampledWeights = buffers.doubles(sampled);
    drawSample();
    thresholds = new ThresholdFit(sampled == 0 ? size : sampled, buffers);
  }

  private void drawSample() {
    var random = new SplittableRandom(size);
    int taken = 0;
    for (int row = 0; taken < sampled; row++) {
      if (random.nextInt(size - row) < sampled - taken) { // Knuth 3.4.2, algorithm S
        sampledWeights[taken] = weights[row];
        sample[taken++] = row;
      }
    }
  }

  BinnedRows bin(List<Feature> features) {
    BinnedRows binned = new BinnedRows(size, features.size());
    double[][] values = buffers.doubles(Math.min(TOGETHER, features.size()), size);
    for (int first = 0; first < features.size(); first += TOGETHER) {
      int count = Math.min(TOGETHER, features.size() - first);
      rows.copyColumns(first, count, values);
      for (int k = 0; k < count; k++) {
        double[] column = values[k];
        switch (features.get(first + k)) {
          case Feature.Numeric _ -> {
            double[] cuts = fit(column);
            binned.setNumeric(first + k, cuts, binNumeric(column, cuts));
          }
          case Feature.Categorical feature -> {
            int categories = feature.categories().size();
            int[] kept = CategoryBins.kept(column, size, weights, categories, maxBins);
            binned.setCategorical(first + k, kept, binCategories(column, kept));
          }
        }
      }
    }
    return binned;
  }

  private double[] fit(double[] column) {
    if (sampled == 0) {
      return thresholds.of(column, size, equalWeights ? null : weights, maxBins);
    }
    for (int k = 0; k < sampled; k++) {
      sampledValues[k] = column[sample[k]];
    }
    double @Nullable [] weightsOfSample = equalWeights ? null : sampledWeights;
    return thresholds.of(sampledValues, sampled, weightsOfSample, maxBins);
  }

  private BinColumn binNumeric(double[] column, double[] cuts) {
    lookup.prepare(cuts);
    int missing = cuts.length + 1;
    if (missing < PlaneSums.BINS) {
      byte[] target = buffers.bytes(size);
      lookup.find(column, size, target, missing);
      return new BinColumn.Bytes(target);
    }
    char[] target = buffers.chars(size);
    lookup.find(column, size, target, missing);
    return new BinColumn.Chars(target);
  }

  private BinColumn binCategories(double[] column, int[] kept) {
    int missing = kept.length;
    int[] binOfCode = CategoryBins.binOfCode(kept);
    if (missing < PlaneSums.BINS) {
      byte[] target = buffers.bytes(size);
      for (int row = 0; row < size; row++) {
        target[row] = (byte) CategoryBins.bin(column[row], binOfCode, missing);
      }
      return new BinColumn.Bytes(target);
    }
    char[] target = buffers.chars(size);
    for (int row = 0; row < size; row++) {
      target[row] = (char) CategoryBins.bin(column[row], binOfCode, missing);
    }
    return new BinColumn.Chars(target);
  }
}
