package io.holdfast.boosting.data;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Binned rows of many columns that share the storage of a few. Stateless. */
public final class WideRows {
  private WideRows() {}

  /** The columns of {@code binned}, each as often as it is named, in that order. */
  public static BinnedRows select(BinnedRows binned, int... columns) {
    BinnedRows selected = new BinnedRows(binned.rows(), columns.length);
    Map<Integer, double[]> thresholds = new HashMap<>();
    for (int column = 0; column < columns.length; column++) {
      int from = columns[column];
      CategoryGroups groups = binned.groups(from);
      if (groups != null) {
        selected.setGrouped(column, groups, binned.column(from));
      } else if (binned.categorical(from)) {
        int[] codes =
            IntStream.range(0, binned.bins(from)).map(b -> binned.category(from, b)).toArray();
        selected.setCategorical(column, codes, binned.column(from));
      } else {
        double[] cuts = thresholds.computeIfAbsent(from, key -> cuts(binned, key));
        selected.setNumeric(column, cuts, binned.column(from));
      }
    }
    return selected;
  }

  private static double[] cuts(BinnedRows binned, int column) {
    double[] cuts = new double[binned.bins(column) - 1];
    Arrays.setAll(cuts, bin -> binned.threshold(column, bin));
    return cuts;
  }
}
