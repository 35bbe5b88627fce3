package io.holdfast.trainer.reason;

import io.holdfast.boosting.data.Feature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The branch of a small tree that leads to the rows with most of a rise: condition by condition,
 * the one of most gain, on one half of the rows. Owned by one thread.
 */
final class SubgroupSearch {
  private static final int DEPTH = 3;
  private static final int CUTS = 24;

  /** Of a subgroup, and of what is left, in the half that is searched. */
  private static final int LEAST_ROWS = 20;

  private final TwoSamples samples;
  private final Criterion criterion;
  private final double[][] terms;

  /** What makes a subgroup worth telling. */
  interface Criterion {
    /** The sums of a row, to be added up. */
    double[] terms(int row);

    /** What a subgroup with these sums gains in a node, of all rows; not above 0 if nothing. */
    double gain(double[] inside, double[] node, double[] all);

    /** By which categories are put in order, the most of the rise first. */
    double rank(double[] inside, double[] node, double[] all);

    /** Whether the best of so many is more than chance, and than the gain of the one before. */
    boolean holds(Found best, double[] node, int tried, double before);
  }

  SubgroupSearch(TwoSamples samples, Criterion criterion) {
    this.samples = samples;
    this.criterion = criterion;
    terms = new double[samples.size()][];
    for (int row = 0; row < terms.length; row++) {
      terms[row] = samples.searched(row) ? criterion.terms(row) : new double[0];
    }
  }

  /** A condition of a node's rows, with the sums of those it holds for. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  record Found(Condition condition, int column, double gain, double[] inside) {}

  /** The conditions found, with the column of each; empty if no subgroup stands out. */
  List<Condition> conditions() {
    int[] all = IntStream.range(0, samples.size()).filter(samples::searched).toArray();
    double[] total = sum(all);
    List<Condition> conditions = new ArrayList<>();
    int[] node = all;
    double gain = 0;
    while (conditions.size() < DEPTH) {
      List<Found> tried = tried(node, total);
      Found best = tried.stream().max(Comparator.comparingDouble(Found::gain)).orElse(null);
      if (best == null
          || best.gain() <= 0
          || !criterion.holds(best, sum(node), tried.size(), gain)) {
        break;
      }
      gain = best.gain();
      conditions.removeIf(condition -> implied(condition, best.condition()));
      conditions.add(best.condition());
      node =
          Arrays.stream(node)
              .filter(row -> best.condition().holds(samples.values()[row][best.column()]))
              .toArray();
    }
    return conditions;
  }

  /** Whether a condition says nothing beside a later one. */
  private static boolean implied(Condition earlier, Condition later) {
    return earlier.feature().equals(later.feature())
        && (!(earlier instanceof Condition.Side before)
            || !(later instanceof Condition.Side after)
            || before.atLeast() == after.atLeast());
  }

  private double[] sum(int[] rows) {
    double[] sum = new double[terms[rows[0]].length];
    for (int row : rows) {
      add(sum, terms[row]);
    }
    return sum;
  }

  private static void add(double[] sum, double[] more) {
    for (int k = 0; k < sum.length; k++) {
      sum[k] += more[k];
    }
  }

  private List<Found> tried(int[] node, double[] all) {
    List<Found> found = new ArrayList<>();
    double[] sum = sum(node);
    for (int column = 0; column < samples.features().size(); column++) {
      if (samples.features().get(column) instanceof Feature.Categorical categories) {
        categories(column, categories, node, sum, all, found);
      } else {
        numbers(column, node, sum, all, found);
      }
    }
    return found;
  }

  /** Rows of a node by parts of a column: their sums, and how many are old and new. */
  private final class Buckets {
    private final double[][] sums;
    private final int[][] counts;

    Buckets(int count, int width) {
      sums = new double[count][width];
      counts = new int[count][2];
    }

    void add(int bucket, int row) {
      SubgroupSearch.add(sums[bucket], terms[row]);
      counts[bucket][samples.now(row) ? 1 : 0]++;
    }

    void add(int bucket, Buckets others, int other) {
      SubgroupSearch.add(sums[bucket], others.sums[other]);
      counts[bucket][0] += others.counts[other][0];
      counts[bucket][1] += others.counts[other][1];
    }

    private boolean enough(int bucket, int rows) {
      int inside = counts[bucket][0] + counts[bucket][1];
      return counts[bucket][1] >= LEAST_ROWS && rows - inside >= LEAST_ROWS;
    }

    void offer(
        int bucket, int rows, Condition condition, int column, double[][] around, List<Found> to) {
      if (enough(bucket, rows)) {
        double gain = criterion.gain(sums[bucket], around[0], around[1]);
        to.add(new Found(condition, column, gain, sums[bucket]));
      }
    }
  }

  private void numbers(int column, int[] node, double[] sum, double[] all, List<Found> found) {
    double[] cuts = cuts(column, node);
    Buckets parts = new Buckets(cuts.length + 2, sum.length); // the last is of missing values
    for (int row : node) {
      double value = samples.values()[row][column];
      int place = Arrays.binarySearch(cuts, value);
      parts.add(Double.isNaN(value) ? cuts.length + 1 : place < 0 ? -place - 1 : place + 1, row);
    }
    String name = samples.features().get(column).name();
    double[][] around = {sum, all};
    Buckets sides = new Buckets(2 * cuts.length, sum.length);
    for (int cut = 0; cut < cuts.length; cut++) {
      for (int part = 0; part <= cuts.length; part++) {
        sides.add(2 * cut + (part > cut ? 1 : 0), parts, part);
      }
      for (int side = 0; side < 2; side++) {
        Condition condition = new Condition.Side(name, side == 1, cuts[cut]);
        sides.offer(2 * cut + side, node.length, condition, column, around, found);
      }
    }
    parts.offer(cuts.length + 1, node.length, new Condition.Missing(name), column, around, found);
  }

  /** Quantiles, rounded to what can be read. */
  private double[] cuts(int column, int[] node) {
    double[] sorted =
        Arrays.stream(node)
            .mapToDouble(row -> samples.values()[row][column])
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    TreeSet<Double> cuts = new TreeSet<>();
    if (sorted.length > 0) {
      double spread = sorted[sorted.length * 9 / 10] - sorted[sorted.length / 10];
      for (int k = 1; k <= CUTS; k++) {
        cuts.add(rounded(sorted[(int) ((long) sorted.length * k / (CUTS + 1))], spread));
      }
      cuts.remove(sorted[0]); // all rows that have a value
    }
    return cuts.stream().mapToDouble(cut -> cut).toArray();
  }

  /** To about a hundredth of the spread, the decimals as few as may be. */
  private static double rounded(double value, double spread) {
    if (!(spread > 0) || !(spread < 1e12) || spread < 1e-9) {
      return value;
    }
    double unit = 1;
    while (unit > spread / 20) {
      unit /= 10;
    }
    while (unit * 10 <= spread / 20) {
      unit *= 10;
    }
    return unit < 1
        ? Math.rint(value * Math.rint(1 / unit)) / Math.rint(1 / unit)
        : Math.rint(value / unit) * unit;
  }

  private void categories(
      int column,
      Feature.Categorical feature,
      int[] node,
      double[] sum,
      double[] all,
      List<Found> found) {
    int count = feature.categories().size();
    Buckets parts = new Buckets(count + 1, sum.length); // the last is of missing values
    for (int row : node) {
      double value = samples.values()[row][column];
      parts.add(value >= 0 && value < count ? (int) value : count, row);
    }
    double[][] around = {sum, all};
    List<Integer> order =
        IntStream.range(0, count)
            .filter(code -> parts.counts[code][1] > 0)
            .boxed()
            .sorted(
                Comparator.comparingDouble(
                    (Integer code) -> -criterion.rank(parts.sums[code], sum, all)))
            .toList();
    Buckets sets = new Buckets(order.size(), sum.length);
    TreeSet<Integer> codes = new TreeSet<>();
    for (int size = 0; size < order.size(); size++) {
      codes.add(order.get(size));
      for (int code : codes) {
        sets.add(size, parts, code);
      }
      Condition condition = among(feature, codes);
      sets.offer(size, node.length, condition, column, around, found);
    }
    parts.offer(count, node.length, new Condition.Missing(feature.name()), column, around, found);
  }

  private static Condition among(Feature.Categorical feature, NavigableSet<Integer> codes) {
    return new Condition.Among(
        feature.name(), codes, codes.stream().map(feature.categories()::get).toList());
  }

  /** Whether rows are of a subgroup. */
  static boolean[] members(TwoSamples samples, List<Condition> conditions) {
    boolean[] members = new boolean[samples.size()];
    Arrays.fill(members, true);
    for (Condition condition : conditions) {
      int column = column(samples, condition);
      for (int row = 0; row < members.length; row++) {
        members[row] &= condition.holds(samples.values()[row][column]);
      }
    }
    return members;
  }

  private static int column(TwoSamples samples, Condition condition) {
    return IntStream.range(0, samples.features().size())
        .filter(column -> samples.features().get(column).name().equals(condition.feature()))
        .findFirst()
        .orElseThrow();
  }
}
