package io.holdfast.trainer.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
  /** Of the rows that may be held, how many are the newest, whatever their environment is. */
  private static final double NEWEST_SHARE = 0.75;

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

  private final ReplayLimits limits;
  private final RowPriority priority;
  private final List<RowSample> settled;
  private final @Nullable RowSample open;
  private final List<RowSample> held;

  /**
   * A window's place in the log and how many rows of each environment are held of it. Both are
   * empty for a window of which nothing is held.
   */
  public record Part(SortedMap<Integer, Window.Cut> cuts, SortedMap<String, Integer> quotas) {}

  private ReplayBuffer(
      ReplayLimits limits,
      RowPriority priority,
      List<RowSample> settled,
      @Nullable RowSample open,
      List<RowSample> held) {
    this.limits = limits;
    this.priority = priority;
    this.settled = settled;
    this.open = open;
    this.held = held;
  }

  /** Holds nothing yet. */
  public static ReplayBuffer empty(ReplayLimits limits, RowPriority priority) {
    return new ReplayBuffer(limits, priority, List.of(), null, List.of());
  }

  /** {@code rows}, all in the one order in which rows are trained on: partition, then offset. */
  public static List<LabelledRow> inLogOrder(Collection<LabelledRow> rows) {
    return sorted(rows, LOG_ORDER);
  }

  /** After a window that a version was published of. */
  public ReplayBuffer published(Map<Integer, Window.Cut> cuts, Collection<LabelledRow> rows) {
    List<RowSample> fitted = fitted(held, RowSample.of(cuts, rows, priority).within(limits));
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
    List<RowSample> more = new ArrayList<>(settled);
    more.add(all.lowest(quotas == null ? all.quotas() : quotas));
    return new ReplayBuffer(limits, priority, List.copyOf(more), null, List.copyOf(more));
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
    int first = held.size();
    while (first > 0 && held.get(first - 1).complete()) {
      first--;
    }
    return newest(count, first);
  }

  /** Of the stretches from {@code first} on. */
  private List<LabelledRow> newest(int count, int first) {
    List<List<LabelledRow>> stretches = new ArrayList<>();
    int found = 0;
    for (int i = held.size() - 1; i >= first && found < count; i--) {
      List<LabelledRow> rows = held.get(i).inTimeOrder();
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
      if (window.quotas().containsKey(environment)) {
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
    List<Part> parts = new ArrayList<>(held.size());
    for (RowSample window : held) {
      parts.add(window.part());
    }
    return Collections.unmodifiableList(parts);
  }

  private List<RowSample> fitted(List<RowSample> older, RowSample newest) {
    List<RowSample> windows = new ArrayList<>(older);
    RowSample joined =
        windows.isEmpty() ? null : windows.getLast().joined(newest, limits.block(), limits);
    if (joined == null || joined.partBytes() > MAX_JOINED_BYTES) {
      windows.add(newest);
    } else {
      windows.set(windows.size() - 1, joined);
    }
    while (windows.size() > limits.windows()) {
      windows.removeFirst();
    }
    String only = only(windows);
    if (only == null) {
      shrinkToShares(windows);
    } else {
      shrinkToBudget(windows, only);
    }
    dropBeyondBytes(windows);
    while (!windows.isEmpty() && windows.getFirst().isEmpty()) {
      windows.removeFirst();
    }
    return List.copyOf(windows);
  }

  /** The environment of all rows; null if they have several, or a window has no row. */
  private static @Nullable String only(List<RowSample> windows) {
    String only = windows.getFirst().only();
    for (int i = 1; i < windows.size() && only != null; i++) {
      only = only.equals(windows.get(i).only()) ? only : null;
    }
    return only;
  }

  /** Where there is nobody to share with: the newest rows stay. */
  private void shrinkToBudget(List<RowSample> windows, String only) {
    int largest = 0;
    for (int i = 0; i < windows.size(); i++) {
      largest = Math.max(largest, windows.get(i).largest());
    }
    int left = limits.rowsOf(largest);
    for (int i = windows.size() - 1; i >= 0; i--) {
      RowSample window = windows.get(i);
      int quota = Math.min(left, window.size());
      left -= quota;
      if (quota < window.size() || !window.complete()) {
        windows.set(i, window.lowest(Map.of(only, quota)));
      }
    }
  }

  private void shrinkToShares(List<RowSample> windows) {
    Map<String, Integer> left = shares(windows);
    for (int i = windows.size() - 1; i >= 0; i--) {
      windows.set(i, shrunk(windows.get(i), left));
    }
  }

  private static void dropBeyondBytes(List<RowSample> windows) {
    int bytes = 0;
    for (int i = windows.size() - 1; i >= 0; i--) {
      bytes += windows.get(i).partBytes();
      if (bytes > MAX_PARTS_BYTES) {
        windows.subList(0, i + 1).clear();
        return;
      }
    }
  }

  /** Takes what is wanted of the shares that are left, off them. */
  private static RowSample shrunk(RowSample window, Map<String, Integer> left) {
    String only = window.only();
    if (only != null && window.complete()) {
      int rows = left.getOrDefault(only, 0);
      if (rows >= window.size()) {
        left.put(only, rows - window.size());
        return window;
      }
    }
    Map<String, Integer> quotas = new HashMap<>();
    window
        .quotas()
        .forEach(
            (environment, rows) -> {
              int quota = Math.min(rows, left.getOrDefault(environment, 0));
              quotas.put(environment, quota);
              left.merge(environment, -quota, Integer::sum);
            });
    return window.lowest(quotas);
  }

  /** How many rows each environment may hold over all windows. */
  private Map<String, Integer> shares(List<RowSample> windows) {
    TreeMap<String, Integer> wants = new TreeMap<>();
    int largest = 0;
    for (int i = 0; i < windows.size(); i++) {
      largest = Math.max(largest, windows.get(i).largest());
      addTo(wants, windows.get(i));
    }
    int budget = limits.rowsOf(largest);
    Map<String, Integer> due = newest(windows, (int) (budget * NEWEST_SHARE));
    int level = FairShares.level(wants, due, budget);
    Map<String, Integer> shares = new HashMap<>();
    int left = budget;
    for (Map.Entry<String, Integer> want : wants.entrySet()) {
      int share = FairShares.share(want.getValue(), due.getOrDefault(want.getKey(), 0), level);
      shares.put(want.getKey(), share);
      left -= share;
    }
    if (left == 0) {
      return shares;
    }
    Map<String, Integer> seenLast = new HashMap<>();
    for (int i = 0; i < windows.size(); i++) {
      for (String environment : windows.get(i).quotas().keySet()) {
        seenLast.put(environment, i);
      }
    }
    List<String> newestFirst = new ArrayList<>(wants.keySet());
    newestFirst.sort(
        Comparator.<String>comparingInt(environment -> -seenLast.getOrDefault(environment, 0))
            .thenComparing(Comparator.naturalOrder()));
    for (String environment : newestFirst) {
      int share = shares.getOrDefault(environment, 0);
      if (left > 0 && share == level && share < wants.getOrDefault(environment, 0)) {
        shares.put(environment, share + 1);
        left--;
      }
    }
    return shares;
  }

  private static void addTo(Map<String, Integer> rows, RowSample window) {
    String only = window.only();
    if (only != null) {
      rows.merge(only, window.size(), Integer::sum);
    } else {
      window.quotas().forEach((environment, held) -> rows.merge(environment, held, Integer::sum));
    }
  }

  /** How many rows the environments have among the newest so many rows. */
  private static Map<String, Integer> newest(List<RowSample> windows, int rows) {
    Map<String, Integer> due = new HashMap<>();
    int left = rows;
    for (int i = windows.size() - 1; i >= 0 && left > 0; i--) {
      RowSample window = windows.get(i);
      if (window.size() <= left) {
        addTo(due, window);
        left -= window.size();
        continue;
      }
      Map<String, Integer> held = window.quotas();
      int level = FairShares.level(held, Map.of(), left);
      for (Map.Entry<String, Integer> one : held.entrySet()) {
        int share = Math.min(one.getValue(), level);
        due.merge(one.getKey(), share, Integer::sum);
        left -= share;
      }
      if (level < Integer.MAX_VALUE - 1) {
        break; // of this window not all are among them, and of older ones none
      }
    }
    return due;
  }
}
