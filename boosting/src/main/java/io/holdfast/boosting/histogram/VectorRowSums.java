package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/** Four sums at once, in vectors of 256 bits, and a last pair in 128. */
final class VectorRowSums implements RowSums {
  private static final VectorSpecies<Long> FOUR = LongVector.SPECIES_256;
  private static final VectorSpecies<Long> TWO = LongVector.SPECIES_128;

  static boolean supported() {
    return LongVector.SPECIES_PREFERRED.length() >= FOUR.length();
  }

  @Override
  public void add(
      Values values, BinColumn column, int firstCell, int[] rows, int from, int to, long[] cells) {
    int channels = values.channels();
    long[] added = values.values();
    int whole = channels & -4;
    for (int k = from; k < to; k++) {
      int row = rows[k];
      int target = (firstCell + column.bin(row)) * (1 + channels);
      int source = row * channels;
      cells[target]++;
      for (int channel = 0; channel < whole; channel += 4) {
        int at = target + 1 + channel;
        LongVector.fromArray(FOUR, cells, at)
            .add(LongVector.fromArray(FOUR, added, source + channel))
            .intoArray(cells, at);
      }
      if (whole < channels) {
        int at = target + 1 + whole;
        LongVector.fromArray(TWO, cells, at)
            .add(LongVector.fromArray(TWO, added, source + whole))
            .intoArray(cells, at);
      }
    }
  }
}
