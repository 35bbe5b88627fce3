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
   * A row that is not among the k lowest of some rows is not among the k lowest of more, so samples can
   * be cut down and joined without the log. A stretch that still grows is bounded by a water level of
   * rows for each environment, which only falls. It is computed from all rows that ever came, not those
   * left, so that a stretch joined of several windows equals the one read from the log at once.
   */
  private static final int RANGE_BYTES = 32;
  private static final int QUOTA_BYTES = 6;

  private final SortedMap<Integer, Window.Cut> cuts;
  private final String[] names; // of environments, in order
  private final Stratum[] strata; // theirs
  private final int largest;

  private final boolean flooded; // there were once more environments than rows may be held
  private final boolean whole; // all usable rows of the stretch are held
  private final boolean cut; // to quotas; doing so again to the same ones changes nothing

  private final int partBytes;
  private final int size;
  private ReplayBuffer.@Nullable Part part; // on demand
  private @Nullable List<LabelledRow> inTimeOrder; // on demand

  private record Drawn(LabelledRow row, long priority) {
    private static final Comparator<Drawn> ORDER =
        Comparator.comparingLong(Drawn::priority).thenComparing(Drawn::row, ReplayBuffer.LOG_ORDER);
    private static final Comparator<Drawn> BY_ENVIRONMENT =
        Comparator.comparing((Drawn drawn) -> drawn.row.environment()).thenComparing(ORDER);
  }

  /** One environment's rows: how many there were, and those that are held, lowest first. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  private record Stratum(int seen, Drawn[] drawn) {
    Stratum lowest(int count) {
      return drawn.length <= count ? this : new Stratum(seen, Arrays.copyOf(drawn, count));
    }

    /** Merges; few are merged into many as a rule, so stretches of ours are copied together. */
    Stratum and(Stratum other) {
      Drawn[] both = new Drawn[drawn.length + other.drawn.length];
      int taken = 0;
      for (int k = 0; k < other.drawn.length; k++) {
        Drawn theirs = other.drawn[k];
        int place = Arrays.binarySearch(drawn, taken, drawn.length, theirs, Drawn.ORDER);
        int next = place < 0 ? -place - 1 : place + 1;
        System.arraycopy(drawn, taken, both, taken + k, next - taken);
        both[next + k] = theirs;
        taken = next;
      }
      int rest = drawn.length - taken;
      System.arraycopy(drawn, taken, both, both.length - rest, rest);
      return new Stratum(seen + other.seen, both);
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

  /** All of {@code rows}, the usable ones of the stretch {@code cuts}. */
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

  /** Joined with the stretch that follows in every partition, within the limits. */
  RowSample and(RowSample later, ReplayLimits limits) {
    TreeMap<Integer, Window.Cut> joined = new TreeMap<>(cuts);
    later.cuts.forEach(
        (partition, cut) ->
            joined.merge(partition, cut, (a, b) -> new Window.Cut(a.from(), b.to())));
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
   * Joined with the stretch that follows, with the same rows; null unless both hold all of theirs,
   * and fewer than {@code rows}.
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

  int size() {
    return size;
  }

  /** Whether all usable rows of the stretch are held, and ever were. */
  boolean complete() {
    return whole && !flooded && !isEmpty();
  }

  /** The only environment; null if there are several or none. */
  @Nullable String only() {
    return names.length == 1 ? names[0] : null;
  }

  /** Cut to all that a buffer may ever take of it: at most twice as many rows as the limits say. */
  RowSample within(ReplayLimits limits) {
    int budget = limits.rowsOf(largest);
    int[] seen = Arrays.stream(strata).mapToInt(Stratum::seen).toArray();
    if (!flooded && Arrays.stream(seen).asLongStream().sum() <= budget) {
      return this;
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

  /** Of each environment as many rows as {@code quotas} says, by default none. */
  RowSample lowest(Map<String, Integer> quotas) {
    return lowest(Arrays.stream(names).mapToInt(name -> quotas.getOrDefault(name, 0)).toArray());
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

  /** The environments that have rows, in order; the array must not be changed. */
  String[] names() {
    return names;
  }

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

  /** How many rows are held of each environment. */
  int[] counts() {
    return Arrays.stream(strata).mapToInt(stratum -> stratum.drawn.length).toArray();
  }

  /** The bytes that a manifest needs for {@link #part} at most. */
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

  /** How many rows are at or after these offsets, by partition. */
  int from(Map<Integer, Long> offsets) {
    boolean any =
        cuts.entrySet().stream()
            .anyMatch(cut -> cut.getValue().to() > offsets.getOrDefault(cut.getKey(), 0L));
    return any
        ? (int)
            inTimeOrder().stream()
                .map(LabelledRow::position)
                .filter(at -> at.offset() >= offsets.getOrDefault(at.partition(), 0L))
                .count()
        : 0; // without a look at the rows
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
