package io.holdfast.trainer.rows;

import io.holdfast.boosting.data.Rows;
import io.holdfast.trainer.window.LabelledRow;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;

/** Labelled rows, known by identity, with their decoded form. Owned by the training thread. */
final class DecodedRows {
  /*
   * Rows are mostly asked for in the order in which they came, so the next one is looked for behind
   * the last before the map is asked. Such a stretch is copied as a whole without a look at its rows,
   * which are scattered in memory.
   */
  private static final int FIRST_ROOM = 64;

  private final IdentityHashMap<LabelledRow, Integer> places = new IdentityHashMap<>();
  private final Rows.Builder decoded;
  private LabelledRow[] rows = new LabelledRow[FIRST_ROOM];
  private int next;

  /** None yet; {@code empty} takes their decoded form. */
  DecodedRows(Rows.Builder empty) {
    decoded = empty;
  }

  int size() {
    return decoded.size();
  }

  /**
   * Adds the rows from {@code from} on to {@code target}, up to one that is not here.
   *
   * @return how many there are
   */
  int addTo(List<LabelledRow> wanted, int from, Rows.Builder target) {
    int done = from;
    while (done < wanted.size()) {
      int first = place(wanted.get(done));
      if (first < 0) {
        break;
      }
      int count = stretch(wanted, done, first);
      target.addRows(decoded, first, count);
      next = first + count;
      done += count;
    }
    return done - from;
  }

  boolean holds(LabelledRow row) {
    return place(row) >= 0;
  }

  @SuppressWarnings("ReferenceEquality") // a row is known by identity, as in the map
  private int place(LabelledRow row) {
    return next < size() && rows[next] == row ? next : places.getOrDefault(row, -1);
  }

  /** How many wanted rows from {@code done} on stand one behind the other from {@code first} on. */
  @SuppressWarnings("ReferenceEquality")
  private int stretch(List<LabelledRow> wanted, int done, int first) {
    int most = Math.min(wanted.size() - done, size() - first);
    int count = 1;
    while (count < most && rows[first + count] == wanted.get(done + count)) {
      count++;
    }
    return count;
  }

  /** Takes a row that is not here yet. */
  void add(LabelledRow row, double[] values, double[] anchors) {
    enter(row);
    decoded.add(values, row.label(), row.weight(), row.environment(), anchors);
  }

  /** Takes a row that is not here yet from {@code others}; whether they have it. */
  boolean add(LabelledRow row, DecodedRows others) {
    int place = others.place(row);
    if (place < 0) {
      return false;
    }
    others.next = place + 1;
    enter(row);
    decoded.addRows(others.decoded, place, 1);
    return true;
  }

  private void enter(LabelledRow row) {
    if (size() == rows.length) {
      rows = Arrays.copyOf(rows, 2 * rows.length);
    }
    places.put(row, size());
    rows[size()] = row;
  }
}
