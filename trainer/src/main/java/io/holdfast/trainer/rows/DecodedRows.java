package io.holdfast.trainer.rows;

import io.holdfast.boosting.data.Rows;
import io.holdfast.trainer.window.LabelledRow;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;

/** Rows with the numbers that they were decoded to. Owned by the training thread. */
final class DecodedRows {
  /*
   * Rows are asked for in the order in which they came, as a rule: after one of them the next is
   * looked for where it stands behind it, which takes no look into the map. Such a stretch is copied
   * as a whole, and none of its rows is looked at: they lie about in memory.
   */
  private static final int FIRST_ROOM = 64;

  private final IdentityHashMap<LabelledRow, Integer> places = new IdentityHashMap<>();
  private final Rows.Builder decoded;
  private LabelledRow[] rows = new LabelledRow[FIRST_ROOM];
  private int next;

  /** None yet; {@code empty} takes what is to be remembered of them. */
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

  /** Whether this very row is here. */
  boolean holds(LabelledRow row) {
    return place(row) >= 0;
  }

  @SuppressWarnings("ReferenceEquality") // a row is known by identity, as in the map
  private int place(LabelledRow row) {
    return next < size() && rows[next] == row ? next : places.getOrDefault(row, -1);
  }

  /** How many of those wanted stand one behind the other. */
  @SuppressWarnings("ReferenceEquality")
  private int stretch(List<LabelledRow> wanted, int done, int first) {
    int most = Math.min(wanted.size() - done, size() - first);
    int count = 1;
    while (count < most && rows[first + count] == wanted.get(done + count)) {
      count++;
    }
    return count;
  }

  /** Takes a row that is not here yet, with its numbers. */
  void add(LabelledRow row, double[] values, double[] anchors) {
    enter(row);
    decoded.add(values, row.label(), row.weight(), row.environment(), anchors);
  }

  /** Takes a row that is not here yet from others; returns whether they have it. */
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
