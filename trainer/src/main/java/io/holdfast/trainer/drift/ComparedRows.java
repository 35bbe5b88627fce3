package io.holdfast.trainer.drift;

import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The rows that are tested for drift with a window: its own, or where windows are small, those of
 * several once they are enough. Immutable.
 *
 * @param together whether they are of several windows
 * @param rows the window's in log order, or those of several by time; empty until they are enough
 * @param fresh those of them that the reference does not stand for
 * @param newer rows of the window that come after those, and belong to the next turn
 */
record ComparedRows(
    boolean together, List<LabelledRow> rows, List<LabelledRow> fresh, List<LabelledRow> newer) {
  /*
   * Rows are counted from the first that the reference stands for, and tested TOGETHER at a time. The
   * count is in every manifest, as what the reference has seen and what has come since, so the rows are
   * a function of the tip and the log. Windows without a version are in no manifest: their rows are
   * counted in memory.
   *
   * Fewer rows say little: PSI over ten groups of 50 rows is 0.2 by chance alone. More take longer to
   * come. A multiple of ADWIN's interval makes it look at the same places each time.
   */
  private static final int TOGETHER = 6 * AdaptiveWindow.CHECKED_EVERY;

  private static final int LONGEST = 8 * TOGETHER;

  /** So many rows are tested at once; at most those that memory holds. */
  static int enough(ModelSettings settings) {
    return Math.clamp(settings.window().memoryRows(), Distributions.LEAST_ROWS, TOGETHER);
  }

  static ComparedRows of(ModelSettings settings, DriftEvidence evidence) {
    List<LabelledRow> arrived = evidence.arrived();
    KeptReference kept = evidence.kept();
    int enough = enough(settings);
    if (kept == null || arrived.size() >= enough) {
      return new ComparedRows(false, arrived, arrived, List.of());
    }
    long before = kept.sketches().seen() + kept.rowsSince() + evidence.unlearned();
    long after = before + arrived.size();
    long begin = before / enough * enough;
    int newer = (int) (after % enough);
    if (after - newer <= before) {
      return new ComparedRows(true, List.of(), List.of(), arrived);
    }
    List<LabelledRow> newest = evidence.newest((int) (after - begin));
    int end = Math.max(0, newest.size() - newer);
    List<LabelledRow> rows = newest.subList(0, end);
    Predicate<Position> unseen = ReferenceRows.after(kept.sketches().through());
    List<LabelledRow> fresh = rows.stream().filter(row -> unseen.test(row.position())).toList();
    return new ComparedRows(true, rows, fresh, newest.subList(end, newest.size()));
  }

  /**
   * Rows before these, oldest first, that the reference does not stand for: 1, 3 or 7 times as
   * many, by how many there are. What many rows at once do not show, still more will not.
   */
  List<LabelledRow> earlier(DriftEvidence evidence) {
    KeptReference kept = evidence.kept();
    int stretch = rows.size();
    int times = 1;
    while (2 * times * stretch <= LONGEST) {
      times *= 2;
    }
    if (kept == null || times == 1 || fresh.size() < stretch) {
      return List.of();
    }
    int these = stretch + newer.size();
    List<LabelledRow> newest = evidence.newest(these + (times - 1) * stretch);
    Predicate<Position> unseen = ReferenceRows.after(kept.sketches().through());
    return newest.subList(0, Math.max(0, newest.size() - these)).stream()
        .filter(row -> unseen.test(row.position()))
        .toList();
  }

  /** Whether there are rows to test now. */
  boolean due() {
    return !rows.isEmpty();
  }

  /** All rows but {@link #newer}. */
  Predicate<Position> upToNow() {
    Set<Position> later = new HashSet<>();
    newer.forEach(row -> later.add(row.position()));
    return position -> !later.contains(position);
  }
}
