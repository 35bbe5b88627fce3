package io.holdfast.cli.validate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.linear.Folds;
import io.holdfast.cli.learn.FileRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How rows are parted to validate on: {@code time:5} learns from what was before and tests on what
 * came next, {@code environment} leaves each environment out, {@code environment:5} in five groups.
 * Immutable.
 *
 * @param folds how many at most; 0 for one an environment
 */
public record FoldSplit(Folds by, int folds) {
  private static final Pattern TEXT = Pattern.compile("(time|environment)(?::(\\d{1,4}))?");
  private static final int USUAL = 5;

  /** Rows to learn from and to test on, by their places; the arrays are not copied. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Fold(String name, int[] train, int[] test) {}

  /** Reads it; throws IllegalArgumentException if it is none. */
  public static FoldSplit parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    String number = matcher.matches() ? matcher.group(2) : "1";
    int folds = number == null ? 0 : Integer.parseInt(number);
    if (folds == 1 || (number != null && folds == 0)) {
      throw new IllegalArgumentException(
          "must be time:N or environment, N folds of 2 or more: " + text);
    }
    return matcher.group(1).equals("time")
        ? new FoldSplit(Folds.TIME, folds == 0 ? USUAL : folds)
        : new FoldSplit(Folds.ENVIRONMENT, folds);
  }

  public boolean byTime() {
    return by == Folds.TIME;
  }

  /**
   * The folds of these rows that have rows on both sides. By time, rows are in the order of their
   * times where these are known, and what has the time of a tested row is not learned from.
   *
   * @throws IllegalArgumentException if there is none
   */
  public List<Fold> of(FileRows file) {
    List<Fold> folds = parts(file);
    if (folds.isEmpty()) {
      throw new IllegalArgumentException(
          "no part by " + this + " has rows to learn from and rows to test on");
    }
    return folds;
  }

  private List<Fold> parts(FileRows file) {
    Rows rows = file.rows();
    int count = folds == 0 ? rows.environments().size() : folds;
    List<Fold> made = new ArrayList<>();
    if (!byTime()) {
      for (Folds.Fold fold : by.of(rows, count, 0)) {
        made.add(new Fold(environments(rows, fold.test()), fold.train(), fold.test()));
      }
      return made;
    }
    List<Double> times = file.times();
    int[] order = order(times, rows.size());
    int stretch = 0;
    for (Folds.Fold fold : by.of(rows, count, 0)) {
      stretch++;
      IntUnaryOperator place = at -> order[at];
      int[] test = Arrays.stream(fold.test()).map(place).toArray();
      int[] train =
          Arrays.stream(fold.train())
              .map(place)
              .filter(row -> times.isEmpty() || times.get(row) < times.get(test[0]))
              .toArray();
      if (train.length > 0) {
        made.add(new Fold(String.valueOf(stretch), train, test));
      }
    }
    return made;
  }

  private static int[] order(List<Double> times, int rows) {
    IntStream places = IntStream.range(0, rows);
    return times.isEmpty()
        ? places.toArray()
        : places // a stable sort
            .boxed()
            .sorted(Comparator.comparingDouble(times::get))
            .mapToInt(row -> row)
            .toArray();
  }

  private static String environments(Rows rows, int[] of) {
    return Arrays.stream(of)
        .map(rows::environment)
        .distinct()
        .sorted()
        .mapToObj(rows.environments()::get)
        .collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return (byTime() ? "time" : "environment") + (folds == 0 ? "" : ":" + folds);
  }
}
