package io.holdfast.boosting.data;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** Eight rows at once, in vectors of 256 bits. Only if vectors are present. */
final class VectorPartitionLoop implements PartitionLoop {
  /*
   * The byte that says which of eight rows go right finds the places of the left ones, and of the
   * right ones, in a table. Eight are written to either side: those that are too many lie where rows
   * have been read already, and are overwritten or ignored.
   */
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
  private static final int EIGHT = 8;
  private static final int SHIFT = 4; // places a byte: of eight rows left, then of eight right
  private static final int[] PLACES = new int[1 << (Byte.SIZE + SHIFT)];

  static {
    for (int byteOfRows = 0; byteOfRows < 1 << Byte.SIZE; byteOfRows++) {
      int left = byteOfRows << SHIFT;
      int right = left + EIGHT;
      for (int place = 0; place < EIGHT; place++) {
        boolean goesRight = (byteOfRows >> place & 1) != 0;
        PLACES[goesRight ? right++ : left++] = place;
      }
    }
  }

  static boolean supported() {
    return IntVector.SPECIES_PREFERRED.length() >= EIGHT;
  }

  @Override
  public int divide(
      byte[] bins, int[] rows, int from, int to, int[] right, int[] scratch, int first) {
    int end = to - (to - from) % EIGHT;
    int left = divideEights(bins, rows, from, end, right, scratch, first);
    for (int k = end; k < to; k++) {
      int row = rows[k];
      scratch[first + k - left] = row;
      rows[left] = row;
      left += 1 - right[bins[row] & 0xFF];
    }
    return left;
  }

  /** A method of its own, since it compiles to slower code together with the loop above. */
  private static int divideEights(
      byte[] bins, int[] rows, int from, int to, int[] right, int[] scratch, int first) {
    int left = from;
    int moved = first;
    for (int k = from; k < to; k += EIGHT) {
      int goRight =
          right[bins[rows[k]] & 0xFF]
              | right[bins[rows[k + 1]] & 0xFF] << 1
              | right[bins[rows[k + 2]] & 0xFF] << 2
              | right[bins[rows[k + 3]] & 0xFF] << 3
              | right[bins[rows[k + 4]] & 0xFF] << 4
              | right[bins[rows[k + 5]] & 0xFF] << 5
              | right[bins[rows[k + 6]] & 0xFF] << 6
              | right[bins[rows[k + 7]] & 0xFF] << 7;
      IntVector eight = IntVector.fromArray(INTS, rows, k);
      int places = goRight << SHIFT;
      IntVector.fromArray(INTS, PLACES, places).selectFrom(eight).intoArray(rows, left);
      IntVector.fromArray(INTS, PLACES, places + EIGHT).selectFrom(eight).intoArray(scratch, moved);
      int count = Integer.bitCount(goRight);
      left += EIGHT - count;
      moved += count;
    }
    return left;
  }
}
