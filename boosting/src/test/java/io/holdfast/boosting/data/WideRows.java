package io.holdfast.boosting.data;

/** Binned rows of many columns that share the storage of a few. Stateless. */
public final class WideRows {
  private WideRows() {}

  /** The columns of {@code binned}, each as often as it is named, in that order. */
  public static BinnedRows select(BinnedRows binned, int... columns) {
    return binned.select(columns);
  }
}
