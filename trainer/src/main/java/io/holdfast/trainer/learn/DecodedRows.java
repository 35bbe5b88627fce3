package io.holdfast.trainer.learn;

import io.holdfast.trainer.window.LabelledRow;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** Numbers that rows were decoded to. Owned by the training thread. */
final class DecodedRows {
  /*
   * Rows are asked for in the order in which they came, as a rule: after one of them the next is
   * looked for where it stands behind it, which takes no look into the map.
   */
  private static final int FIRST_ROOM = 64;

  private final IdentityHashMap<LabelledRow, Integer> places = new IdentityHashMap<>();
  private LabelledRow[] rows = new LabelledRow[FIRST_ROOM];
  private double[][] numbers = new double[FIRST_ROOM][];
  private int size;
  private int next;

  int size() {
    return size;
  }

  /** The numbers of a row, the array itself; null if they are not here. */
  @SuppressWarnings("ReferenceEquality") // a row is known by identity, as in the map
  double @Nullable [] of(LabelledRow row) {
    if (next < size && rows[next] == row) {
      return numbers[next++];
    }
    Integer place = places.get(row);
    if (place == null) {
      return null;
    }
    next = place + 1;
    return numbers[place];
  }

  /** Takes the numbers of a row that is not here yet; the array is taken over. */
  void add(LabelledRow row, double[] values) {
    if (size == rows.length) {
      rows = Arrays.copyOf(rows, 2 * size);
      numbers = Arrays.copyOf(numbers, 2 * size);
    }
    places.put(row, size);
    rows[size] = row;
    numbers[size++] = values;
  }
}
