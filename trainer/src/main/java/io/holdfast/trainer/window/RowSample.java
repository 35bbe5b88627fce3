package io.holdfast.trainer.window;

import java.util.ArrayList;
import java.util.Arrays;
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
  private final String[] names; // of environments, in order
  private final Stratum[] strata; // theirs
  private final int largest;

  /** Whether there were once more environments than rows may be held: then there always are. */
  private final boolean flooded;

  /** Whether all rows that could be used of the stretch are held. */
  private final boolean whole;

  /** Whether it was cut down to quotas before: doing so again to the same ones changes nothing. */
  private final boolean cut;

  private final int partBytes;
  private final int size;
  private ReplayBuffer.@Nullable Part part; // once it was asked for
  private @Nullable List<LabelledRow> inTimeOrder; // likewise

  /** A row and its number. */
  record Drawn(LabelledRow row, long priority) {
    private static final Comparator<Drawn> PLACES =
        Comparator.<Drawn>comparingInt(drawn -> drawn.row().position().partition())
            .thenComparingLong(drawn -> drawn.row().position().offset());

    static final Comparator<Drawn> ORDER =
        (a, b) ->
            a.priority == b.priority ? PLACES.compare(a, b) : Long.compare(a.priority, b.priority);

    static final Comparator<Drawn> BY_ENVIRONMENT =
        (a, b) -> {
          int environments = a.row.environment().compareTo(b.row.environment());
          return environments == 0 ? ORDER.compare(a, b) : environments;
        };
  }

  /** One environment's rows: how many there were, and those that are held, lowest first. */
  private static final class Stratum {
    private final int seen;
    private final Drawn[] drawn;

    /** Takes the array over. */
    Stratum(int seen, Drawn[] drawn) {
      this.seen = seen;
      this.drawn = drawn;
    }

    Stratum lowest(int count) {
      return drawn.length <= count ? this : new Stratum(seen, Arrays.copyOf(drawn, count));
    }

    /** Few as a rule come to many: between places of theirs, ours stay together. */
    Stratum and(Stratum other) {
      Drawn[] both = new Drawn[drawn.length + other.drawn.length];
      int taken = 0;
      for (int k = 0; k < other.drawn.length; k++) {
        Drawn theirs = other.drawn[k];
        int next = upTo(theirs, drawn, taken);
        System.arraycopy(drawn, taken, both, taken + k, next - taken);
        both[next + k] = theirs;
        taken = next;
      }
      int rest = drawn.length - taken;
      System.arraycopy(drawn, taken, both, both.length - rest, rest);
      return new Stratum(seen + other.seen, both);
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

  /** Takes the arrays over. */
  private RowSample(
      SortedMap<Integer, Window.Cut> cuts,
      String[] names,
      Stratum[] strata,
      int largest,
      boolean flooded,
      boolean whole,
      boolean cut) {
    this.cuts = cuts;
    this.names = names;
    this.strata = strata;
    this.largest = largest;
    this.flooded = flooded;
    this.whole = whole;
    this.cut = cut;
    int bytes = RANGE_BYTES * cuts.size();
    int rows = 0;
    for (int k = 0; k < names.length; k++) {
      bytes += QUOTA_BYTES + 3 * names[k].length(); // UTF-8 at its longest
      rows += strata[k].drawn.length;
    }
    partBytes = bytes;
    size = rows;
  }

  /** All of {@code rows}, which are what a window could use of the stretch {@code cuts}. */
  static RowSample of(
      Map<Integer, Window.Cut> cuts, Collection<LabelledRow> rows, RowPriority priority) {
    TreeMap<Integer, Window.Cut> filled = new TreeMap<>(cuts);
    filled.values().removeIf(Window.Cut::isEmpty);
    Drawn[] drawn = new Drawn[rows.size()];
    int count = 0;
    int largest = 0;
    for (LabelledRow row : rows) {
      drawn[count++] = new Drawn(row, priority.of(row.position()));
      largest = Math.max(largest, row.bytes());
    }
    Arrays.sort(drawn, Drawn.BY_ENVIRONMENT);
    List<String> names = new ArrayList<>();
    List<Stratum> strata = new ArrayList<>();
    for (int from = 0; from < count; ) {
      String name = drawn[from].row().environment();
      int end = from + 1;
      while (end < count && drawn[end].row().environment().equals(name)) {
        end++;
      }
      names.add(name);
      strata.add(new Stratum(end - from, Arrays.copyOfRange(drawn, from, end)));
      from = end;
    }
    return new RowSample(
        filled,
        names.toArray(String[]::new),
        strata.toArray(Stratum[]::new),
        largest,
        false,
        true,
        false);
  }

  /** This stretch and the one that follows it in every partition, as one within the limits. */
  RowSample and(RowSample later, ReplayLimits limits) {
    TreeMap<Integer, Window.Cut> joined = new TreeMap<>(cuts);
    for (Map.Entry<Integer, Window.Cut> next : later.cuts.entrySet()) {
      Window.Cut before = joined.get(next.getKey());
      Window.Cut after = next.getValue();
      joined.put(next.getKey(), before == null ? after : new Window.Cut(before.from(), after.to()));
    }
    String[] all = new String[names.length + later.names.length];
    Stratum[] both = new Stratum[all.length];
    int count = 0;
    int ours = 0;
    int theirs = 0;
    while (ours < names.length || theirs < later.names.length) {
      int order =
          ours == names.length
              ? 1
              : theirs == later.names.length ? -1 : names[ours].compareTo(later.names[theirs]);
      all[count] = order <= 0 ? names[ours] : later.names[theirs];
      both[count++] =
          order < 0
              ? strata[ours]
              : order > 0 ? later.strata[theirs] : strata[ours].and(later.strata[theirs]);
      ours += order <= 0 ? 1 : 0;
      theirs += order >= 0 ? 1 : 0;
    }
    return new RowSample(
            joined,
            Arrays.copyOf(all, count),
            Arrays.copyOf(both, count),
            Math.max(largest, later.largest),
            flooded || later.flooded,
            whole && later.whole,
            false)
        .within(limits);
  }

  /**
   * This stretch and the one that follows it as one that holds the same rows; null if both do not
   * hold all of theirs, or one of them has so many already.
   */
  @Nullable RowSample joined(RowSample later, int rows, ReplayLimits limits) {
    return whole && later.whole && !isEmpty() && size() < rows && later.size() < rows
        ? and(later, limits)
        : null;
  }

  private boolean covered(int[] quotas) {
    for (int k = 0; k < strata.length; k++) {
      if (quotas[k] < strata[k].drawn.length) {
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
    return names.length == 1 ? names[0] : null;
  }

  /** At most twice as many rows as the limits allow: all that a buffer may ever take of it. */
  RowSample within(ReplayLimits limits) {
    int budget = limits.rowsOf(largest);
    if (!flooded && seen() <= budget) {
      return this; // all of them
    }
    int[] seen = new int[strata.length];
    for (int k = 0; k < seen.length; k++) {
      seen[k] = strata[k].seen;
    }
    int level = flooded ? 0 : FairShares.level(seen, new int[seen.length], budget);
    int most = level == 0 ? Math.min(budget, strata.length) : strata.length;
    Stratum[] kept = new Stratum[most];
    boolean all = whole && most == strata.length;
    for (int k = 0; k < most; k++) {
      kept[k] = strata[k].lowest(level + 1);
      all &= strata[k].drawn.length <= (long) level + 1;
    }
    return new RowSample(cuts, Arrays.copyOf(names, most), kept, largest, level == 0, all, false);
  }

  private long seen() {
    long seen = 0;
    for (Stratum stratum : strata) {
      seen += stratum.seen;
    }
    return seen;
  }

  /** Of each environment as many rows as {@code quotas} says; 0 where it says nothing. */
  RowSample lowest(Map<String, Integer> quotas) {
    int[] byPlace = new int[names.length];
    for (int k = 0; k < byPlace.length; k++) {
      byPlace[k] = quotas.getOrDefault(names[k], 0);
    }
    return lowest(byPlace);
  }

  /** Of each environment as many rows as {@code quotas} says at its place. */
  RowSample lowest(int[] quotas) {
    if ((cut || complete()) && covered(quotas)) {
      return this;
    }
    String[] held = new String[names.length];
    Stratum[] kept = new Stratum[names.length];
    int count = 0;
    int size = 0;
    boolean all = whole;
    for (int k = 0; k < strata.length; k++) {
      all &= quotas[k] >= strata[k].drawn.length;
      if (quotas[k] > 0) {
        Drawn[] drawn = strata[k].lowest(quotas[k]).drawn;
        held[count] = names[k];
        kept[count++] = new Stratum(drawn.length, drawn);
        for (Drawn one : drawn) {
          size = Math.max(size, one.row().bytes());
        }
      }
    }
    return new RowSample(
        count == 0 ? new TreeMap<>() : cuts,
        Arrays.copyOf(held, count),
        Arrays.copyOf(kept, count),
        size,
        false,
        all,
        true);
  }

  /** The environments that have rows, in order; not to be changed. */
  String[] names() {
    return names;
  }

  /** Whether any row is of an environment. */
  boolean has(String environment) {
    return Arrays.binarySearch(names, environment) >= 0;
  }

  /** How many rows are held of the environment at that place. */
  int count(int place) {
    return strata[place].drawn.length;
  }

  /** The stretch, and how many rows are held of each environment that has any. */
  ReplayBuffer.Part part() {
    ReplayBuffer.Part known = part;
    if (known == null) {
      TreeMap<String, Integer> held = new TreeMap<>();
      for (int k = 0; k < names.length; k++) {
        held.put(names[k], strata[k].drawn.length);
      }
      known = new ReplayBuffer.Part(cuts, Collections.unmodifiableSortedMap(held));
      part = known;
    }
    return known;
  }

  /** Of each environment all the rows that are held. */
  int[] counts() {
    int[] counts = new int[strata.length];
    for (int k = 0; k < counts.length; k++) {
      counts[k] = strata[k].drawn.length;
    }
    return counts;
  }

  /** What a manifest needs for them at most. */
  int partBytes() {
    return partBytes;
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
    for (Stratum stratum : strata) {
      for (Drawn drawn : stratum.drawn) {
        rows.add(drawn.row());
      }
    }
  }

  /** The bytes of the largest row. */
  int largest() {
    return largest;
  }

  boolean isEmpty() {
    return strata.length == 0;
  }
}
