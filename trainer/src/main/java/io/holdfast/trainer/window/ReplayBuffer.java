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
 * water level: it goes to the environments that have fewest, and what is left over to those seen
 * last. An environment spends what it gets on its newest windows whole, and of the oldest that it
 * reaches it keeps the rows of lowest {@link RowPriority}. So a frequent environment remembers its
 * last rows, and a rare one remembers from further back.
 */
public final class ReplayBuffer {
  /*
   * What is held of a window and an environment is "the k rows of lowest number", and k only falls
   * as windows come. So the rows are a function of the log and of the list of (stretch, environment,
   * k) that a manifest records.
   *
   * Windows that published no version leave no manifest. Since the last one that did they are one
   * stretch, `open`, which is what the log holds between that version's window and the committed
   * offsets, however often it was cut. `settled` is what the next manifest would record without it:
   * it is kept whole until then, so that what is held is the same after a restart.
   *
   * Windows that are small against memory are joined to stretches, as long as every row of them is
   * held, so that as many stretches as there may be windows make up all of memory.
   */
  private static final int MAX_PARTS_BYTES = 256 << 10;

  /** Of one stretch of small windows: it is dropped as a whole, so it must not be all there is. */
  private static final int MAX_JOINED_BYTES = MAX_PARTS_BYTES / 100;

  private static final Comparator<LabelledRow> LOG_ORDER =
      (a, b) -> {
        int partitions = Integer.compare(a.position().partition(), b.position().partition());
        return partitions == 0
            ? Long.compare(a.position().offset(), b.position().offset())
            : partitions;
      };

  private static final Comparator<LabelledRow> TIME_ORDER =
      (a, b) -> {
        int times = Long.compare(a.position().timestamp(), b.position().timestamp());
        return times == 0 ? LOG_ORDER.compare(a, b) : times;
      };

  private static final RowSample[] NOTHING = {};

  private final ReplayLimits limits;
  private final RowPriority priority;
  private final RowSample[] settled;
  private final @Nullable RowSample open;
  private final RowSample[] held;

  /**
   * A window's place in the log and how many rows of each environment are held of it. Both are
   * empty for a window of which nothing is held.
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

  /** Holds nothing yet. */
  public static ReplayBuffer empty(ReplayLimits limits, RowPriority priority) {
    return new ReplayBuffer(limits, priority, NOTHING, null, NOTHING);
  }

  /** {@code rows}, all in the one order in which rows are trained on: partition, then offset. */
  public static List<LabelledRow> inLogOrder(Collection<LabelledRow> rows) {
    return sorted(rows, LOG_ORDER);
  }

  /** After a window that a version was published of. */
  public ReplayBuffer published(Map<Integer, Window.Cut> cuts, Collection<LabelledRow> rows) {
    RowSample[] fitted = fitted(held, RowSample.of(cuts, rows, priority).within(limits));
    return new ReplayBuffer(limits, priority, fitted, null, fitted);
  }

  /** After a window that came to nothing, or after several of them in a row as one. */
  public ReplayBuffer unpublished(Map<Integer, Window.Cut> cuts, Collection<LabelledRow> rows) {
    RowSample sample = RowSample.of(cuts, rows, priority).within(limits);
    RowSample joined = open == null ? sample : open.and(sample, limits);
    return new ReplayBuffer(limits, priority, settled, joined, fitted(settled, joined));
  }

  /**
   * With a later window of which so much is held, whatever the limits are: what a manifest records.
   *
   * @param quotas null if every row is held
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

  /** The rows, by partition and offset. */
  public List<LabelledRow> rows() {
    List<LabelledRow> rows = new ArrayList<>();
    for (RowSample window : held) {
      window.addRowsTo(rows);
    }
    return inLogOrder(rows);
  }

  /** {@code rows}, all in the order of their time: what is called newer stands later. */
  public static List<LabelledRow> inTimeOrder(Collection<LabelledRow> rows) {
    return sorted(rows, TIME_ORDER);
  }

  private static List<LabelledRow> sorted(
      Collection<LabelledRow> rows, Comparator<LabelledRow> order) {
    LabelledRow[] sorted = rows.toArray(LabelledRow[]::new);
    Arrays.sort(sorted, order); // which finds that they are in order, as they are as a rule
    return List.of(sorted);
  }

  /**
   * At most that many of the newest rows, oldest first: stretch after stretch, and within one by
   * time.
   */
  public List<LabelledRow> newest(int count) {
    return newest(count, 0);
  }

  /** The same, but none from before a row that is no longer held. */
  public List<LabelledRow> unbroken(int count) {
    int first = held.length;
    while (first > 0 && held[first - 1].complete()) {
      first--;
    }
    return newest(count, first);
  }

  /** Of the stretches from {@code first} on. */
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

  /** How many rows there are at or after these places, by partition. */
  public int from(Map<Integer, Long> places) {
    int count = 0;
    for (RowSample window : held) {
      count += window.from(places);
    }
    return count;
  }

  /** Whether any of the rows is of an environment. */
  public boolean holds(String environment) {
    for (RowSample window : held) {
      if (window.has(environment)) {
        return true;
      }
    }
    return false;
  }

  /** How many rows there are. */
  public int size() {
    int size = 0;
    for (RowSample window : held) {
      size += window.size();
    }
    return size;
  }

  /** What is held, oldest window first. */
  public List<Part> parts() {
    Part[] parts = new Part[held.length];
    for (int k = 0; k < parts.length; k++) {
      parts[k] = held[k].part();
    }
    return List.of(parts);
  }

  private RowSample[] fitted(RowSample[] older, RowSample newest) {
    RowSample[] windows = joined(older, newest);
    windows = last(windows, limits.windows());
    int largest = 0;
    for (RowSample window : windows) {
      largest = Math.max(largest, window.largest());
    }
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
    for (int i = 1; i < windows.length && only != null; i++) {
      only = only.equals(windows[i].only()) ? only : null;
    }
    return only != null;
  }

  /** Where there is nobody to share with: the newest rows stay. */
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
