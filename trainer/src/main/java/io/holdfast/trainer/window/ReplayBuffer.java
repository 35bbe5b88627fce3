package io.holdfast.trainer.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of earlier windows that are trained on again beside a new one. Immutable.
 *
 * <p>Three quarters of the rows are the newest, whatever their environment. The rest is shared by a
 * water level among the environments with the fewest; what is left over goes to those seen last. An
 * environment keeps its newest windows whole, and of the oldest that it reaches the rows of lowest
 * {@link RowPriority}. So a frequent environment remembers its last rows, and a rare one remembers
 * from further back.
 */
public final class ReplayBuffer {
  /*
   * Of a window and an environment the k rows of lowest number are held, and k only falls. So the rows
   * are a function of the log and of the list of (stretch, environment, k) that a manifest records.
   *
   * Windows without a version leave no manifest. Those since the last version are one stretch, `open`:
   * what the log holds between that version's window and the committed offsets, however it was cut.
   * `settled` is what the next manifest would record without it, kept whole until then, so that a restart
   * holds the same rows.
   *
   * Windows that are small against memory are joined to stretches while all their rows are held, so that
   * as many stretches as windows may be held make up all of memory.
   */
  private static final int MAX_PARTS_BYTES = 256 << 10;

  /** Of one stretch of small windows, which is dropped as a whole. */
  private static final int MAX_JOINED_BYTES = MAX_PARTS_BYTES / 100;

  static final Comparator<LabelledRow> LOG_ORDER =
      Comparator.comparingInt((LabelledRow row) -> row.position().partition())
          .thenComparingLong(row -> row.position().offset());

  private static final Comparator<LabelledRow> TIME_ORDER =
      Comparator.comparingLong((LabelledRow row) -> row.position().timestamp())
          .thenComparing(LOG_ORDER);

  private static final RowSample[] NOTHING = {};

  private final ReplayLimits limits;
  private final RowPriority priority;
  private final RowSample[] settled;
  private final @Nullable RowSample open;
  private final RowSample[] held;

  /**
   * A stretch of the log and how many rows of each environment are held of it; both may be empty.
   */
  public record Part(SortedMap<Integer, Window.Cut> cuts, SortedMap<String, Integer> quotas) {}

  private ReplayBuffer(
      ReplayLimits limits,
      RowPriority priority,
      RowSample[] settled,
      @Nullable RowSample open,
      RowSample[] held) {
    this.limits = limits;
    this.priority = priority;
    this.settled = settled;
    this.open = open;
    this.held = held;
  }

  public static ReplayBuffer empty(ReplayLimits limits, RowPriority priority) {
    return new ReplayBuffer(limits, priority, NOTHING, null, NOTHING);
  }

  /** {@code rows} in the order in which they are trained on: by partition, then offset. */
  public static List<LabelledRow> inLogOrder(Collection<LabelledRow> rows) {
    return sorted(rows, LOG_ORDER);
  }

  /** After a window with a version. */
  public ReplayBuffer published(Map<Integer, Window.Cut> cuts, Collection<LabelledRow> rows) {
    RowSample[] fitted = fitted(held, RowSample.of(cuts, rows, priority).within(limits));
    return new ReplayBuffer(limits, priority, fitted, null, fitted);
  }

  /** After a window without a version, or several of them in a row as one. */
  public ReplayBuffer unpublished(Map<Integer, Window.Cut> cuts, Collection<LabelledRow> rows) {
    RowSample sample = RowSample.of(cuts, rows, priority).within(limits);
    RowSample joined = open == null ? sample : open.and(sample, limits);
    return new ReplayBuffer(limits, priority, settled, joined, fitted(settled, joined));
  }

  /**
   * With a later window as a manifest records it, whatever the limits are.
   *
   * @param quotas rows held of each environment; null if every row is
   */
  public ReplayBuffer restored(
      Map<Integer, Window.Cut> cuts,
      @Nullable Map<String, Integer> quotas,
      Collection<LabelledRow> rows) {
    RowSample all = RowSample.of(cuts, rows, priority);
    RowSample[] more = Arrays.copyOf(settled, settled.length + 1);
    more[settled.length] = quotas == null ? all.lowest(all.counts()) : all.lowest(quotas);
    return new ReplayBuffer(limits, priority, more, null, more);
  }

  /** All rows, by partition and offset. */
  public List<LabelledRow> rows() {
    List<LabelledRow> rows = new ArrayList<>();
    for (RowSample window : held) {
      window.addRowsTo(rows);
    }
    return inLogOrder(rows);
  }

  /** {@code rows} in the order of their time, newest last. */
  public static List<LabelledRow> inTimeOrder(Collection<LabelledRow> rows) {
    return sorted(rows, TIME_ORDER);
  }

  private static List<LabelledRow> sorted(
      Collection<LabelledRow> rows, Comparator<LabelledRow> order) {
    LabelledRow[] sorted = rows.toArray(LabelledRow[]::new);
    Arrays.sort(sorted, order); // linear where they are in order, as they mostly are
    return List.of(sorted);
  }

  /** The newest rows, oldest first: stretch after stretch, and within one by time. */
  public List<LabelledRow> newest(int count) {
    return newest(count, 0);
  }

  /** The newest rows, but none from before a row that is no longer held. */
  public List<LabelledRow> unbroken(int count) {
    int first = held.length;
    while (first > 0 && held[first - 1].complete()) {
      first--;
    }
    return newest(count, first);
  }

  private List<LabelledRow> newest(int count, int first) {
    List<List<LabelledRow>> stretches = new ArrayList<>();
    int found = 0;
    for (int i = held.length - 1; i >= first && found < count; i--) {
      List<LabelledRow> rows = held[i].inTimeOrder();
      stretches.add(rows);
      found += rows.size();
    }
    List<LabelledRow> newest = new ArrayList<>(found);
    for (List<LabelledRow> stretch : stretches.reversed()) {
      newest.addAll(stretch);
    }
    return Collections.unmodifiableList(newest.subList(Math.max(0, found - count), found));
  }

  /** How many rows are at or after these offsets, by partition. */
  public int from(Map<Integer, Long> offsets) {
    return Arrays.stream(held).mapToInt(window -> window.from(offsets)).sum();
  }

  /** Whether any row is of an environment. */
  public boolean holds(String environment) {
    return Arrays.stream(held).anyMatch(window -> window.has(environment));
  }

  public int size() {
    return Arrays.stream(held).mapToInt(RowSample::size).sum();
  }

  /** What is held, oldest window first. */
  public List<Part> parts() {
    return Arrays.stream(held).map(RowSample::part).toList();
  }

  private RowSample[] fitted(RowSample[] older, RowSample newest) {
    RowSample[] windows = joined(older, newest);
    windows = last(windows, limits.windows());
    int largest = Arrays.stream(windows).mapToInt(RowSample::largest).max().orElse(0);
    int budget = limits.rowsOf(largest);
    if (haveOneEnvironment(windows)) {
      shrinkToBudget(windows, budget);
    } else {
      shrinkToShares(windows, budget);
    }
    windows = last(windows, withinBytes(windows));
    int empty = 0;
    while (empty < windows.length && windows[empty].isEmpty()) {
      empty++;
    }
    return last(windows, windows.length - empty);
  }

  /** A new array. */
  private RowSample[] joined(RowSample[] older, RowSample newest) {
    RowSample joined =
        older.length == 0 ? null : older[older.length - 1].joined(newest, limits.block(), limits);
    boolean apart = joined == null || joined.partBytes() > MAX_JOINED_BYTES;
    RowSample[] windows = Arrays.copyOf(older, older.length + (apart ? 1 : 0));
    windows[windows.length - 1] = joined == null || apart ? newest : joined;
    return windows;
  }

  /** The last ones, that many at most. */
  private static RowSample[] last(RowSample[] windows, int count) {
    return windows.length <= count
        ? windows
        : Arrays.copyOfRange(windows, windows.length - count, windows.length);
  }

  /** Whether all windows have rows, and of the same environment. */
  private static boolean haveOneEnvironment(RowSample[] windows) {
    String only = windows[0].only();
    return only != null && Arrays.stream(windows).allMatch(window -> only.equals(window.only()));
  }

  /** With one environment the newest rows stay. */
  private static void shrinkToBudget(RowSample[] windows, int budget) {
    int left = budget;
    for (int i = windows.length - 1; i >= 0; i--) {
      RowSample window = windows[i];
      int quota = Math.min(left, window.size());
      left -= quota;
      if (quota < window.size() || !window.complete()) {
        windows[i] = window.lowest(new int[] {quota});
      }
    }
  }

  private static void shrinkToShares(RowSample[] windows, int budget) {
    var shares = new EnvironmentShares(windows, budget);
    for (int i = windows.length - 1; i >= 0; i--) {
      windows[i] = windows[i].lowest(shares.take(windows[i]));
    }
  }

  /** How many of the newest windows a manifest has room for. */
  private static int withinBytes(RowSample[] windows) {
    int bytes = 0;
    for (int i = windows.length - 1; i >= 0; i--) {
      bytes += windows[i].partBytes();
      if (bytes > MAX_PARTS_BYTES) {
        return windows.length - 1 - i;
      }
    }
    return windows.length;
  }
}
