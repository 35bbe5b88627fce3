package io.holdfast.boosting.uncertainty;

import io.holdfast.boosting.uncertainty.Thresholds.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Learns thresholds from served rows, as their labels come. The result is a function of the rows in
 * their order. Owned by one thread.
 *
 * <p>Errors are kept by environment, in memories of several lengths that count alike, so that a
 * row's weight falls about as its age rises and no length has to be chosen. What was promised and
 * did not come true is owed, by environment and in all, and paid back by more cautious thresholds:
 * so coverage goes to what was promised whatever the labels do.
 */
public final class CoverageLearner {
  private static final double[] HALF_LIVES = {100, 400, 1_600, 6_400}; // in rows of all
  private static final double[] ENDLESS = {1e15};
  private static final double[] BORROWED = {5};
  private static final double[] POWERS = {0, 0.5, 0.75, 1}; // of the spread
  private static final double POOLED_ROWS =
      1; // of all, by roots of a half-life, beside each group's
  private static final double PAYMENT = 5; // debts are paid over so many roots of the rows,
  private static final double PAYING_ROWS = 6_400; // of so many at most,
  private static final double LATE = 3; // and so many times the rows that wait for labels
  private static final double SHARED = 0.5; // how much of what all are owed each pays
  private static final int SPLITS = 16; // of what may be missed, between below and above
  private static final double LARGE = 1e100;

  private final List<Double> levels;
  private final boolean classes;
  private final double[] powers;
  private final double[] halfLives;
  private final double[] borrowed; // rows of all, by memory, beside each group's
  private final double[] weight;
  private final SortedMap<String, Group> groups = new TreeMap<>();
  private final Group all;
  private final Group unseen;
  private final double[][] spreads; // sums, by power and memory
  private long labels;

  /** Errors of rows by power and memory, and what is owed to them by level. */
  private final class Group {
    private final ErrorSketch[][] errors = new ErrorSketch[powers.length][halfLives.length];
    private final double[] owed = new double[levels.size()];
    private long rows;
    private double late; // labels that came between a promise and its label, in the mean

    Group() {
      Arrays.stream(errors).forEach(one -> Arrays.setAll(one, m -> new ErrorSketch()));
    }

    void book(boolean[] kept, double age) {
      rows++;
      late += (age - late) / Math.min(rows, 100);
      for (int k = 0; k < owed.length; k++) {
        owed[k] += (kept[k] ? 0 : 1) - (1 - levels.get(k));
      }
    }

    /** How many of the newest labels are of this group: all, if it has no errors. */
    private double share() {
      double own = errors[0][Math.min(1, errors[0].length - 1)].mass();
      return own > 0 ? own / all.errors[0][Math.min(1, errors[0].length - 1)].mass() : 1;
    }

    /** By how much less is to be missed until debts are paid. */
    double due(int level) {
      double over =
          PAYMENT * StrictMath.sqrt(Math.min((double) rows, PAYING_ROWS)) + LATE * late * share();
      double noise = 2 * StrictMath.sqrt(levels.get(level) * (1 - levels.get(level))); // of a miss
      return rows == 0 ? 0 : noise * owed[level] / over;
    }
  }

  /** For these levels, ascending; of errors of classes, which are bounded above alone, or not. */
  public CoverageLearner(List<Double> levels, boolean classes) {
    this(
        levels,
        classes,
        HALF_LIVES,
        Arrays.stream(HALF_LIVES).map(rows -> POOLED_ROWS * StrictMath.sqrt(rows)).toArray());
  }

  /** The same of rows of which none is newer than another, and whose thresholds stay. */
  public static CoverageLearner ofUnordered(List<Double> levels, boolean classes) {
    return new CoverageLearner(levels, classes, ENDLESS, BORROWED);
  }

  private CoverageLearner(
      List<Double> levels, boolean classes, double[] halfLives, double[] borrowed) {
    this.halfLives = halfLives;
    this.borrowed = borrowed;
    weight = new double[halfLives.length];
    this.levels = Thresholds.none(levels).levels();
    this.classes = classes;
    powers = classes ? new double[] {1} : POWERS;
    spreads = new double[powers.length][weight.length];
    Arrays.fill(weight, 1);
    all = new Group();
    unseen = new Group();
  }

  /**
   * What a row was promised before its label came. Never changed.
   *
   * @param kept whether the label is within, by level
   * @param own whether by thresholds of the row's own environment
   * @param age how many labels came between those that the thresholds were learned from and this
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Promise(boolean[] kept, boolean own, double age) {}

  /**
   * The next row whose label has come.
   *
   * @param error how much above the prediction a number is; {@link Thresholds#classError} of a
   *     class
   * @param spread of the row, above 0; 1 for a class
   * @param served the thresholds that its score was served with
   */
  public void add(String environment, double error, double spread, Thresholds served) {
    Promise promise = null;
    if (served.labels() > 0) { // else nothing was promised yet
      boolean[] kept = new boolean[levels.size()];
      for (int k = 0; k < kept.length; k++) {
        kept[k] = served.bounds(environment, k, 0, spread).holds(error);
      }
      promise = new Promise(kept, served.knows(environment), labels + 1 - served.labels());
    }
    add(environment, error, spread, promise);
  }

  /**
   * The same of a row whose promise is known; null if there was none.
   *
   * @param environment null of one that is to have no thresholds of its own
   */
  public void add(
      @Nullable String environment, double error, double spread, @Nullable Promise promise) {
    labels++;
    Group group =
        environment == null ? unseen : groups.computeIfAbsent(environment, name -> new Group());
    if (promise != null) {
      (promise.own ? group : unseen).book(promise.kept, promise.age);
      all.book(promise.kept, promise.age);
    }
    for (int m = 0; m < weight.length; m++) {
      weight[m] *= StrictMath.pow(2, 1 / halfLives[m]);
      if (weight[m] > LARGE) {
        scaleDown(m);
      }
      for (int p = 0; p < powers.length; p++) {
        double unit = StrictMath.pow(spread, powers[p]);
        spreads[p][m] += weight[m] * unit;
        group.errors[p][m].add(error / unit, weight[m]);
        all.errors[p][m].add(error / unit, weight[m]);
      }
    }
  }

  private void scaleDown(int memory) {
    double factor = 1 / weight[memory];
    weight[memory] = 1;
    for (int p = 0; p < powers.length; p++) {
      int power = p;
      spreads[p][memory] *= factor;
      all.errors[p][memory].multiply(factor);
      groups.values().forEach(group -> group.errors[power][memory].multiply(factor));
    }
  }

  /** How much of what may be missed is to be below, in errors of a power of the spread. */
  private record Shape(int power, double below, double width) {}

  /** What the rows so far teach. */
  public Thresholds thresholds() {
    if (groups.isEmpty()) {
      return Thresholds.none(levels);
    }
    List<Shape> shapes = shapes();
    SortedMap<String, List<Range>> known = new TreeMap<>();
    List<Range> cautious = List.of();
    for (var entry : groups.entrySet()) {
      ErrorSketch[] errors = new ErrorSketch[powers.length];
      Arrays.setAll(errors, p -> distribution(entry.getValue(), p));
      known.put(entry.getKey(), ranges(errors, entry.getValue(), shapes));
      List<Range> ranges = ranges(errors, unseen, shapes);
      cautious = cautious.isEmpty() ? ranges : hull(cautious, ranges);
    }
    List<Double> chosen = shapes.stream().map(shape -> powers[shape.power]).toList();
    return new Thresholds(levels, labels, chosen, known, cautious);
  }

  /** Of an environment, with what it borrows from all. */
  private ErrorSketch distribution(Group group, int power) {
    var mixed = new ErrorSketch();
    for (int m = 0; m < weight.length; m++) {
      ErrorSketch own = group.errors[power][m];
      ErrorSketch pooled = all.errors[power][m];
      double rows = own.mass() / weight[m];
      double others = group == all ? 0 : borrowed[m];
      mixed.addAll(own, 1 / weight[m] / (rows + others));
      mixed.addAll(pooled, others / pooled.mass() / (rows + others));
    }
    return mixed;
  }

  /** By level, what makes the mean width over all rows least. */
  private List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (double level : levels) {
      Shape best = new Shape(0, 0, Double.POSITIVE_INFINITY);
      for (int p = 0; p < powers.length && !classes; p++) {
        ErrorSketch errors = distribution(all, p);
        double unit = 0;
        for (int m = 0; m < weight.length; m++) {
          unit += spreads[p][m] / all.errors[p][m].mass();
        }
        for (int k = 0; k <= SPLITS; k++) {
          double below = (double) k / SPLITS;
          double low = errors.quantile((1 - level) * below);
          double high = errors.quantile(level + (1 - level) * below);
          if (unit * (high - low) < best.width) {
            best = new Shape(p, below, unit * (high - low));
          }
        }
      }
      shapes.add(best);
    }
    return shapes;
  }

  private List<Range> ranges(ErrorSketch[] errors, Group group, List<Shape> shapes) {
    List<Range> ranges = new ArrayList<>();
    for (int level = 0; level < shapes.size(); level++) {
      Shape shape = shapes.get(level);
      double due = group.due(level) + SHARED * all.due(level);
      double missed = Math.clamp(1 - levels.get(level) - due, 0, 1);
      ErrorSketch of = errors[shape.power];
      double low = classes ? Double.NEGATIVE_INFINITY : of.quantile(missed * shape.below);
      double high = of.quantile(1 - missed * (1 - shape.below));
      ranges.add(new Range(low, Math.max(low, high)));
    }
    return ranges;
  }

  private static List<Range> hull(List<Range> left, List<Range> right) {
    List<Range> hull = new ArrayList<>();
    for (int level = 0; level < left.size(); level++) {
      hull.add(left.get(level).hull(right.get(level)));
    }
    return hull;
  }
}
