package io.holdfast.trainer.window;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of the log and some of its rows: of each environment those of lowest {@link
 * RowPriority}. Immutable.
 */
final class RowSample {
  /*
   * A row that is not among the k lowest of some rows is not among the k lowest of those and more, so
   * samples can be cut down and joined without seeing the log again. The bound of a stretch that
   * still grows is a water level: of each environment as many rows as the level says, and the level
   * only falls as rows come. It is taken of all rows that ever came, not of those that are left, so
   * that a stretch that was joined of several windows is the one that is read from the log at once.
   */
  private static final int RANGE_BYTES = 32;
  private static final int QUOTA_BYTES = 6;

  private final SortedMap<Integer, Window.Cut> cuts;
  private final SortedMap<String, Stratum> strata;
  private final int largest;

  /** Whether there were once more environments than rows may be held: then there always are. */
  private final boolean flooded;

  /** Whether all rows that could be used of the stretch are held. */
  private final boolean whole;

  private final ReplayBuffer.Part part;
  private final int partBytes;
  private final int size;
  private final @Nullable String only;
  private @Nullable List<LabelledRow> inTimeOrder; // once it was asked for

  /** A row and its number. */
  record Drawn(LabelledRow row, long priority) {
    private static final Comparator<Drawn> PLACES =
        Comparator.<Drawn>comparingInt(drawn -> drawn.row().position().partition())
            .thenComparingLong(drawn -> drawn.row().position().offset());

    static final Comparator<Drawn> ORDER =
        (a, b) ->
            a.priority == b.priority ? PLACES.compare(a, b) : Long.compare(a.priority, b.priority);
  }

  /**
   * One environment's rows.
   *
   * @param seen how many there were
   * @param drawn those that are held, lowest first
   */
  private record Stratum(int seen, List<Drawn> drawn) {
    Stratum lowest(int count) {
      return drawn.size() <= count ? this : new Stratum(seen, List.copyOf(drawn.subList(0, count)));
    }

    /** Few as a rule come to many: between places of theirs, ours stay together. */
    Stratum and(Stratum other) {
      Drawn[] ours = drawn.toArray(Drawn[]::new);
      Drawn[] both = new Drawn[ours.length + other.drawn.size()];
      int taken = 0;
      for (int k = 0; k < other.drawn.size(); k++) {
        Drawn theirs = other.drawn.get(k);
        int next = upTo(theirs, ours, taken);
        System.arraycopy(ours, taken, both, taken + k, next - taken);
        both[next + k] = theirs;
        taken = next;
      }
      int rest = ours.length - taken;
      System.arraycopy(ours, taken, both, both.length - rest, rest);
      return new Stratum(seen + other.seen, List.of(both));
    }

    /** How many are no higher, of which {@code low} are known. */
    private static int upTo(Drawn bound, Drawn[] drawn, int low) {
      int high = drawn.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (Drawn.ORDER.compare(drawn[middle], bound) <= 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  private RowSample(
      SortedMap<Integer, Window.Cut> cuts,
      SortedMap<String, Stratum> strata,
      int largest,
      boolean flooded,
      boolean whole) {
    this.cuts = cuts;
    this.strata = strata;
    this.largest = largest;
    this.flooded = flooded;
    this.whole = whole;
    TreeMap<String, Integer> held = new TreeMap<>();
    int rows = 0;
    for (Map.Entry<String, Stratum> entry : strata.entrySet()) {
      int count = entry.getValue().drawn().size();
      held.put(entry.getKey(), count);
      rows += count;
    }
    part = new ReplayBuffer.Part(cuts, Collections.unmodifiableSortedMap(held));
    partBytes = bytes(part);
    size = rows;
    only = held.size() == 1 ? held.firstKey() : null;
  }

  /** All of {@code rows}, which are what a window could use of the stretch {@code cuts}. */
  static RowSample of(
      Map<Integer, Window.Cut> cuts, Collection<LabelledRow> rows, RowPriority priority) {
    TreeMap<Integer, Window.Cut> filled = new TreeMap<>(cuts);
    filled.values().removeIf(Window.Cut::isEmpty);
    TreeMap<String, List<Drawn>> byEnvironment = new TreeMap<>();
    int largest = 0;
    for (LabelledRow row : rows) {
      byEnvironment
          .computeIfAbsent(row.environment(), e -> new ArrayList<>())
          .add(new Drawn(row, priority.of(row.position())));
      largest = Math.max(largest, row.bytes());
    }
    TreeMap<String, Stratum> strata = new TreeMap<>();
    byEnvironment.forEach(
        (environment, drawn) -> {
          drawn.sort(Drawn.ORDER);
          strata.put(environment, new Stratum(drawn.size(), List.copyOf(drawn)));
        });
    return new RowSample(filled, strata, largest, false, true);
  }

  /** This stretch and the one that follows it in every partition, as one within the limits. */
  RowSample and(RowSample later, ReplayLimits limits) {
    TreeMap<Integer, Window.Cut> joined = new TreeMap<>(cuts);
    later.cuts.forEach(
        (partition, cut) ->
            joined.merge(partition, cut, (a, b) -> new Window.Cut(a.from(), b.to())));
    TreeMap<String, Stratum> both = new TreeMap<>(strata);
    later.strata.forEach((environment, more) -> both.merge(environment, more, Stratum::and));
    return new RowSample(
            joined,
            both,
            Math.max(largest, later.largest),
            flooded || later.flooded,
            whole && later.whole)
        .within(limits);
  }

  /**
   * This stretch and the one that follows it as one that holds the same rows; null if both do not
   * hold all of theirs, or have more than so many.
   */
  @Nullable RowSample joined(RowSample later, int rows, ReplayLimits limits) {
    return whole && later.whole && !isEmpty() && size() + later.size() <= rows
        ? and(later, limits)
        : null;
  }

  private boolean covered(Map<String, Integer> quotas) {
    for (Map.Entry<String, Stratum> entry : strata.entrySet()) {
      if (quotas.getOrDefault(entry.getKey(), 0) < entry.getValue().drawn().size()) {
        return false;
      }
    }
    return true;
  }

  /** How many rows are held. */
  int size() {
    return size;
  }

  /** Whether all rows that could be used of the stretch are held, and ever were. */
  boolean complete() {
    return whole && !flooded && !isEmpty();
  }

  /** The environment of all rows; null if they have several, or there are none. */
  @Nullable String only() {
    return only;
  }

  /** At most twice as many rows as the limits allow: all that a buffer may ever take of it. */
  RowSample within(ReplayLimits limits) {
    int budget = limits.rowsOf(largest);
    if (!flooded && seen() <= budget) {
      return this; // all of them
    }
    TreeMap<String, Integer> seen = new TreeMap<>();
    strata.forEach((environment, stratum) -> seen.put(environment, stratum.seen()));
    int level = flooded ? 0 : FairShares.level(seen, Map.of(), budget);
    int left = level == 0 ? budget : Integer.MAX_VALUE;
    TreeMap<String, Stratum> kept = new TreeMap<>();
    boolean all = whole;
    for (Map.Entry<String, Stratum> entry : strata.entrySet()) {
      Stratum stratum = entry.getValue();
      if (left-- > 0) {
        kept.put(entry.getKey(), stratum.lowest(level + 1));
        all &= stratum.drawn().size() <= (long) level + 1;
      } else {
        all = false;
      }
    }
    return new RowSample(cuts, kept, largest, level == 0, all);
  }

  private long seen() {
    long seen = 0;
    for (Stratum stratum : strata.values()) {
      seen += stratum.seen();
    }
    return seen;
  }

  /** Of each environment as many rows as {@code quotas} says; 0 where it says nothing. */
  RowSample lowest(Map<String, Integer> quotas) {
    if (complete() && covered(quotas)) {
      return this;
    }
    TreeMap<String, Stratum> kept = new TreeMap<>();
    int size = 0;
    boolean all = whole;
    for (Map.Entry<String, Stratum> entry : strata.entrySet()) {
      int quota = quotas.getOrDefault(entry.getKey(), 0);
      all &= quota >= entry.getValue().drawn().size();
      if (quota > 0) {
        Stratum stratum = entry.getValue().lowest(quota);
        kept.put(entry.getKey(), new Stratum(stratum.drawn().size(), stratum.drawn()));
        for (Drawn drawn : stratum.drawn()) {
          size = Math.max(size, drawn.row().bytes());
        }
      }
    }
    return new RowSample(kept.isEmpty() ? new TreeMap<>() : cuts, kept, size, false, all);
  }

  /** The stretch; nothing of partitions without any, and nothing at all if no row is held. */
  SortedMap<Integer, Window.Cut> cuts() {
    return cuts;
  }

  /** How many rows are held of each environment that has any, by name. */
  SortedMap<String, Integer> quotas() {
    return part.quotas();
  }

  /** Both. */
  ReplayBuffer.Part part() {
    return part;
  }

  /** What a manifest needs for them at most. */
  int partBytes() {
    return partBytes;
  }

  private static int bytes(ReplayBuffer.Part part) {
    int bytes = RANGE_BYTES * part.cuts().size();
    for (String environment : part.quotas().keySet()) {
      bytes += QUOTA_BYTES + 3 * environment.length(); // UTF-8 at its longest
    }
    return bytes;
  }

  /** The rows in the order of their time. */
  List<LabelledRow> inTimeOrder() {
    List<LabelledRow> known = inTimeOrder;
    if (known == null) {
      List<LabelledRow> rows = new ArrayList<>();
      addRowsTo(rows);
      known = ReplayBuffer.inTimeOrder(rows);
      inTimeOrder = known;
    }
    return known;
  }

  /** How many rows are at or after these places, by partition. */
  int from(Map<Integer, Long> places) {
    int count = 0;
    for (Map.Entry<Integer, Window.Cut> cut : cuts.entrySet()) {
      if (cut.getValue().to() <= places.getOrDefault(cut.getKey(), 0L)) {
        continue;
      }
      for (LabelledRow row : inTimeOrder()) {
        Position position = row.position();
        count +=
            position.partition() == cut.getKey()
                    && position.offset() >= places.getOrDefault(cut.getKey(), 0L)
                ? 1
                : 0;
      }
    }
    return count;
  }

  void addRowsTo(Collection<LabelledRow> rows) {
    for (Stratum stratum : strata.values()) {
      for (Drawn drawn : stratum.drawn()) {
        rows.add(drawn.row());
      }
    }
  }

  /** The bytes of the largest row. */
  int largest() {
    return largest;
  }

  boolean isEmpty() {
    return strata.isEmpty();
  }
}
