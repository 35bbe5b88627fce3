package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.objective.Objective;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How good scores are by their own account, before any label has come, and what labels that came
 * for earlier rows make of that. Owned by one thread.
 *
 * <p>It knows shifts of features, which move the scores, and none of what labels depend on: so what
 * it is measured to be later is the news. Garg et al., "Leveraging unlabeled data to predict
 * out-of-distribution performance", ICLR 2022, on what such estimates can and cannot tell.
 */
public final class Expected {
  /*
   * Classes: the mean largest probability and the mean entropy are the accuracy and the log loss
   * that there would be if the probabilities were right. How far they were off on earlier rows is
   * added: the "difference of confidences" of Guillory et al., "Predicting with confidence on
   * unseen distributions", ICCV 2021.
   *
   * Values: the variance that the objective's distribution has at each prediction, times a factor
   * that earlier residuals tell (Pearson's estimate of dispersion). Where the variance is the same
   * everywhere, as of squared, this is the error of the past and no more.
   */
  private final Newest newest;
  private @Nullable Account account;

  /** The names of what {@link #uncorrected} says for an objective, once there are rows. */
  public static List<String> uncorrectedFigures(Objective objective) {
    Account account = new Account(objective);
    if (account.ofClasses()) {
      return List.of("accuracy", "logLoss");
    }
    return account.complete() ? List.of("rmse") : List.of();
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
    Account of = account;
    if (of == null) {
      of = new Account(objective);
      account = of;
    }
    of.expect(objective, raw);
    newest.add(weight, of.first, of.second, 0, 0);
  }

  /**
   * What the scores say of themselves. Classes: {@code accuracy}, {@code logLoss}; {@code poisson}
   * and {@code beta}: {@code rmse}. Nothing of other values, or without a row.
   */
  public SortedMap<String, Double> uncorrected() {
    SortedMap<String, Double> figures = new TreeMap<>();
    Account of = account;
    if (of == null || !of.complete()) {
      return figures;
    }
    double weight = newest.sum(0);
    double first = newest.sum(1) / weight;
    if (of.ofClasses()) {
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
    Account of = account;
    if (of == null || past.rows() == 0) {
      return uncorrected();
    }
    SortedMap<String, Double> figures = new TreeMap<>();
    double weight = newest.sum(0);
    double first = newest.sum(1) / weight;
    double second = newest.sum(2) / weight;
    if (of.ofClasses()) {
      figures.put("accuracy", Math.max(0, Math.min(1, first + past.firstGap())));
      figures.put("logLoss", Math.max(0, second + past.secondGap()));
    } else {
      figures.put("rmse", StrictMath.sqrt(first * past.firstFactor()));
      figures.put("mae", second * past.secondFactor());
    }
    return figures;
  }
}
