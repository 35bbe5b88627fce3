package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Buffers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Bins the columns of some rows. Owned by one thread; one use each. */
final class Binning {
  /*
   * Thresholds are a function of the rows alone, or those of earlier bins for as long as these are
   * good: then rows are only mapped. Who keeps bins publishes them, so that a version can be learned
   * again from the log (docs/decisions/0013-bins-kept-across-windows.md).
   *
   * Of very many rows some are drawn to find thresholds by; the seed is the number of rows. Columns
   * are copied out of the rows eight at a time, since eight values share a cache line.
   */
  private static final int TOGETHER = 8;
  private static final int PLAIN_CODES = 4_096; // a set of higher ones would be long
  private static final int SAMPLE = 200_000; // rows

  private final Rows rows;
  private final int size;
  private final int maxBins;
  private final Buffers buffers;
  private final double[] weights;
  private final boolean equalWeights;
  private final @Nullable KeptBins kept;
  private final Supplier<CategoryTargets> targetsOfRows;
  private @Nullable CategoryTargets targets; // once a column asks for them
  private final List<FeatureBins> used = new ArrayList<>(); // if any are kept
  private boolean changed; // whether used are others than those kept
  private final int sampled; // rows that thresholds are found by; 0 for all
  private int[] sample = {};
  private double[] sampledValues = {};
  private double[] sampledWeights = {};
  private @Nullable ThresholdFit thresholds; // once there is something to find
  private final BinLookup lookup = new BinLookup();

  /** Null for {@code kept} finds all bins by the rows; {@code targets} put categories together. */
  Binning(
      Rows rows,
      int maxBins,
      Buffers buffers,
      @Nullable KeptBins kept,
      Supplier<CategoryTargets> targets) {
    this.rows = rows;
    targetsOfRows = targets;
    this.maxBins = maxBins;
    this.buffers = buffers;
    this.kept = kept;
    size = rows.size();
    weights = buffers.doubles(size);
    for (int row = 0; row < size; row++) {
      weights[row] = rows.weight(row);
    }
    equalWeights = rows.equalWeights();
    int wanted = (int) Math.min(Integer.MAX_VALUE, Math.max(SAMPLE, 64L * maxBins));
    sampled = size <= wanted ? 0 : wanted;
  }

  private ThresholdFit thresholds() {
    if (thresholds == null) {
      drawSample();
      thresholds = new ThresholdFit(sampled == 0 ? size : sampled, buffers);
    }
    return thresholds;
  }

  private void drawSample() {
    sample = buffers.ints(sampled);
    sampledValues = buffers.doubles(sampled);
    sampledWeights = buffers.doubles(sampled);
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
          case Feature.Numeric _ -> binNumeric(binned, first + k, column);
          case Feature.Categorical feature ->
              binCategories(binned, first + k, column, feature.categories().size());
        }
      }
    }
    binned.setBins(bins());
    return binned;
  }

  /** The same instance for as long as nothing changes. */
  private @Nullable Bins bins() {
    if (kept == null || used.isEmpty()) {
      return null;
    }
    Bins before = kept.bins();
    boolean same = before != null && !changed && used.size() == before.features().size();
    return same ? before : new Bins(maxBins, used);
  }

  /*
   * A column with a bin for each value is not kept: a value that was never seen would share the bin
   * of another, which no count by bins shows (such as a year that the first rows all share).
   */
  private void binNumeric(BinnedRows binned, int feature, double[] column) {
    FeatureBins known = kept == null ? null : kept.of(feature, maxBins);
    if (kept != null && known != null) {
      BinColumn bins = map(column, known.thresholds());
      int[] counts = new int[known.bins() + 1];
      bins.count(size, counts);
      if (kept.check().stay(known, counts)) {
        used.add(known);
        binned.setNumeric(feature, known.thresholds(), bins);
        return;
      }
    }
    double[] cuts = fit(column);
    BinColumn bins = map(column, cuts);
    binned.setNumeric(feature, cuts, bins);
    if (kept != null && cuts.length + 1 == maxBins) {
      int[] counts = new int[cuts.length + 2];
      bins.count(size, counts);
      used.add(new FeatureBins(feature, cuts, counts));
      changed = true;
    }
  }

  private double[] fit(double[] column) {
    ThresholdFit thresholds = thresholds();
    if (sampled == 0) {
      return thresholds.of(column, size, equalWeights ? null : weights, maxBins);
    }
    for (int k = 0; k < sampled; k++) {
      sampledValues[k] = column[sample[k]];
    }
    return thresholds.of(sampledValues, sampled, equalWeights ? null : sampledWeights, maxBins);
  }

  private BinColumn map(double[] column, double[] cuts) {
    lookup.prepare(cuts);
    int missing = cuts.length + 1;
    if (missing < BinColumn.Bytes.MOST_BINS) {
      byte[] target = buffers.bytes(size);
      lookup.find(column, size, target, missing);
      return new BinColumn.Bytes(target);
    }
    char[] target = buffers.chars(size);
    lookup.find(column, size, target, missing);
    return new BinColumn.Chars(target);
  }

  private void binCategories(BinnedRows binned, int feature, double[] column, int categories) {
    int[] codeOf = new int[size];
    boolean[] found = new boolean[categories];
    for (int row = 0; row < size; row++) {
      int code = (int) column[row];
      boolean known = code == column[row] && code >= 0 && code < categories;
      codeOf[row] = known ? code : -1;
      if (known) {
        found[code] = true;
      }
    }
    int[] present = IntStream.range(0, categories).filter(code -> found[code]).toArray();
    int count = present.length;
    if (count > maxBins) {
      var grouping = new CategoryGrouping(codeOf, size, weights, present, maxBins, targets());
      CategoryGroups groups = grouping.groups();
      int[] bins = new int[size];
      grouping.groupsOfRows(groups.count(), bins);
      binned.setGrouped(feature, groups, store(bins, groups.count()));
      return;
    }
    int[] binOfCode = new int[categories];
    Arrays.fill(binOfCode, -1);
    for (int bin = 0; bin < count; bin++) {
      binOfCode[present[bin]] = bin;
    }
    int[] bins = codeOf;
    for (int row = 0; row < size; row++) {
      bins[row] = codeOf[row] < 0 ? count : binOfCode[codeOf[row]];
    }
    if (count > 0 && present[count - 1] >= PLAIN_CODES) {
      binned.setGrouped(feature, new CategoryGroups(count, binOfCode), store(bins, count));
    } else {
      binned.setCategorical(feature, present, store(bins, count));
    }
  }

  private CategoryTargets targets() {
    if (targets == null) {
      targets = targetsOfRows.get();
    }
    return targets;
  }

  private BinColumn store(int[] bins, int missing) {
    return BinColumn.of(bins, size, missing + 1, buffers);
  }
}
