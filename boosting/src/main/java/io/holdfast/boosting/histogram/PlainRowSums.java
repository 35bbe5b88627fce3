package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;

/** One sum at a time. */
final class PlainRowSums implements RowSums {
  @Override
  public void add(
      Values values, BinColumn column, int firstCell, int[] rows, int from, int to, long[] cells) {
    int channels = values.channels();
    long[] added = values.values();
    for (int k = from; k < to; k++) {
      int row = rows[k];
      int target = (firstCell + column.bin(row)) * (1 + channels);
      int source = row * channels;
      cells[target]++;
      for (int channel = 0; channel < channels; channel++) {
        cells[target + 1 + channel] += added[source + channel];
      }
    }
  }
}
