package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.objective.Objective;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How good scores are by their own account, before any label has come, and what labels that came
 * for earlier rows make of that. It knows shifts of features, but none of what labels depend on
 * (Garg et al., "Leveraging unlabeled data to predict out-of-distribution performance", ICLR 2022).
 * Owned by one thread.
 */
public final class Expected {
  /*
   * Classes: the mean largest probability and the mean entropy are the accuracy and the log loss if
   * the probabilities are right; how far they were off on earlier rows is added ("difference of
   * confidences", Guillory et al., "Predicting with confidence on unseen distributions", ICCV 2021).
   *
   * Values: the variance that the objective's distribution has at each prediction, times a factor
   * that earlier residuals tell (Pearson's estimate of dispersion).
   */
  /** How often a figure is promised to come to be within its range. */
  public static final double LEVEL = 0.95;

  private static final double DEVIATIONS = 1.96; // of a normal distribution, for LEVEL
  private static final double MOST = Double.MAX_VALUE;
  private static final int FEWEST = 30;

  private final Newest newest;
  private final Account account = new Account();
  private @Nullable Objective objective; // the newest

  /** The names of what {@link #uncorrected} says for an objective, once there are rows. */
  public static List<String> uncorrectedFigures(Objective objective) {
    if (Account.ofClasses(objective)) {
      return List.of("accuracy", "logLoss");
    }
    return Account.complete(objective) ? List.of("rmse") : List.of();
  }

  /** Of the newest {@code rows} rows. */
  public Expected(int rows) {
    newest = new Newest(rows);
  }

  /** The next row's raw scores. */
  public void add(Objective objective, double[] raw) {
    add(objective, raw, 1);
  }

  /** The same of a row that counts {@code weight}. */
  public void add(Objective objective, double[] raw, double weight) {
    this.objective = objective;
    account.expect(objective, raw);
    newest.add(weight, account.first, account.second, 0, 0);
  }

  /**
   * What the scores say of themselves. Classes: {@code accuracy}, {@code logLoss}; {@code poisson}
   * and {@code beta}: {@code rmse}. Nothing of other values, or without a row.
   */
  public SortedMap<String, Double> uncorrected() {
    SortedMap<String, Double> figures = new TreeMap<>();
    if (objective == null || !Account.complete(objective)) {
      return figures;
    }
    double weight = newest.sum(0);
    double first = newest.sum(1) / weight;
    if (Account.ofClasses(objective)) {
      figures.put("accuracy", first);
      figures.put("logLoss", newest.sum(2) / weight);
    } else {
      figures.put("rmse", StrictMath.sqrt(first));
    }
    return figures;
  }

  /**
   * What to expect: {@code accuracy} and {@code logLoss} of classes, {@code rmse} and {@code mae}
   * of values. As {@link #uncorrected} as long as no label has come.
   */
  public SortedMap<String, Double> figures(Calibration past) {
    if (objective == null || past.rows() == 0) {
      return uncorrected();
    }
    SortedMap<String, Double> figures = new TreeMap<>();
    double weight = newest.sum(0);
    double first = newest.sum(1) / weight;
    double second = newest.sum(2) / weight;
    if (Account.ofClasses(objective)) {
      figures.put("accuracy", Math.clamp(first + past.gap(1), 0.0, 1.0));
      figures.put("logLoss", Math.max(0, second + past.gap(2)));
    } else {
      figures.put("rmse", StrictMath.sqrt(first * past.factor(1)));
      figures.put("mae", second * past.factor(2));
    }
    return figures;
  }

  /** Between which two figures one comes to be, with the probability of {@link #LEVEL}. */
  public record Range(double low, double high) {}

  /**
   * Where the {@link #figures} of these rows come to be, if features alone have changed; nothing
   * before there are labels of {@link #FEWEST} rows.
   */
  public SortedMap<String, Range> ranges(Calibration past) {
    SortedMap<String, Range> ranges = new TreeMap<>();
    if (objective == null || past.effectiveRows() < FEWEST) {
      return ranges;
    }
    double weight = newest.sum(0);
    double rows = newest.size();
    SortedMap<String, Double> figures = figures(past);
    figures.forEach(
        (name, figure) -> {
          switch (name) {
            case "accuracy" -> ranges.put(name, range(figure, past.gapError(1, rows), 1));
            case "logLoss" -> ranges.put(name, range(figure, past.gapError(2, rows), MOST));
            case "rmse" -> {
              double error = past.factorError(1, newest.sum(1) / weight, rows);
              Range squared = range(figure * figure, error, MOST);
              ranges.put(
                  name, new Range(StrictMath.sqrt(squared.low), StrictMath.sqrt(squared.high)));
            }
            default -> {
              double error = past.factorError(2, newest.sum(2) / weight, rows);
              ranges.put(name, range(figure, error, MOST));
            }
          }
        });
    return ranges;
  }

  private static Range range(double figure, double error, double most) {
    return new Range(
        Math.clamp(figure - DEVIATIONS * error, 0.0, most),
        Math.clamp(figure + DEVIATIONS * error, 0.0, most));
  }
}
