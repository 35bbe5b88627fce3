package io.holdfast.boosting.linear;

import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.Exponential;
import io.holdfast.boosting.objective.Gamma;
import io.holdfast.boosting.objective.LogLinkObjective;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.ScalarObjective;
import io.holdfast.boosting.objective.Tweedie;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The linear base fitted to rows (docs/math.md, "The linear base"): the linear function that
 * minimises J/W + λ Σ_k (ρ ‖b_k‖₁ + (1 − ρ)/2 ‖b_k‖²), where J is the anchor objective, W the
 * weight of the rows, and b_k the coefficients of raw score k for standardised features.
 *
 * @param leftOut features that vary and have no slope, or not one for each category, since too few
 *     rows tell of it
 */
public record LinearFit(Base base, Objective objective, List<Integer> leftOut) {
  /*
   * λ means the same for each numeric feature, since they are standardised, and for any number of rows,
   * since J is divided by W. The base is stored in the features' own units.
   *
   * With gamma < 1 the penalty rewards slopes, and where the loss curves by more than 1/(1 − gamma), J
   * falls with every error. Exponential, gamma, poisson, tweedie and beta have no bound on curvature:
   * their base is fitted with gamma 1. All others curve by 1 at most.
   *
   * Intercepts bear no penalty, so where labels are all 0, or leave a class out, nothing would bound
   * them: they stay those of the best constant then, which counts half a row of what is missing.
   *
   * Base and learned parameters (thresholds, precision) take turns, since each depends on the other.
   */
  private static final int TURNS = 20;
  private static final double GAIN = 1e-9; // of the loss: a turn that gains less is the last

  /**
   * What to fit, and from where: a {@code start} near the minimum, such as a fit to most of these
   * rows, halves the steps and gives the same up to rounding; it is ignored without terms, or if
   * there may be several minima.
   *
   * @param monotone by feature: +1 if the base may only rise with it, −1 if it may only fall, else
   *     0; empty for no such feature
   */
  public record Search(LinearBase settings, List<Integer> monotone, Base start) {}

  /**
   * The fit to one row or more; its loss, penalty included, is at most that of the best constant.
   *
   * <p>For {@code absolute} and {@code quantile} it is approximate: their kink is rounded over a
   * thousandth of the mean absolute residual. For {@code exponential}, {@code gamma}, {@code
   * poisson}, {@code tweedie} and {@code beta} a gamma below 1 counts as 1.
   *
   * @throws IllegalArgumentException in one sentence, if there are too many numeric features
   */
  public static LinearFit of(
      Objective objective,
      Rows rows,
      List<Feature> features,
      Projection anchor,
      double gamma,
      Search search) {
    boolean logs = objective instanceof LogLinkObjective;
    Design design = Design.of(rows, features, logs, Design.MOST_KEPT);
    boolean held = objective.unbounded(rows);
    ElasticNet penalty = penalty(rows, design, search.settings(), search.monotone(), held);
    Objective learned = objective;
    double[] initial = objective.initialScores(rows);
    double[][] coefficients = new double[initial.length][design.columns()];
    for (int output = 0; output < initial.length; output++) {
      coefficients[output][0] = initial[output];
    }
    boolean oneMinimum = !held && penalty.ridge() > 0 && search.monotone().isEmpty();
    for (int turn = 0; turn < TURNS; turn++) {
      SmoothLoss loss = loss(learned, rows, anchor, gamma, initial[0]);
      Descent descent = new Descent(loss, design, penalty, coefficients);
      if (turn == 0 && oneMinimum && !search.start().terms().isEmpty()) {
        double[][] near = near(search.start(), design, initial);
        var other = new Descent(loss, design, penalty, near);
        boolean lower = other.objectives().getFirst() < descent.objectives().getFirst();
        descent = lower ? other : descent;
        loss.evaluate(descent.scores()); // the loss refers to its last evaluation
      }
      descent.run();
      coefficients = descent.coefficients();
      double[] scores = descent.scores();
      Objective next = learned.refitted(rows, scores);
      if (next.equals(learned)) {
        break;
      }
      double before = loss.evaluate(scores);
      double after = loss(next, rows, anchor, gamma, initial[0]).evaluate(scores);
      if (!(after < before)) {
        break;
      }
      learned = next;
      if (before - after < GAIN * Math.abs(before)) {
        break;
      }
    }
    return new LinearFit(base(design, coefficients), learned, List.copyOf(design.leftOut));
  }

  /**
   * The coefficients of a base in units of the design; several intercepts sum to these constants'.
   */
  private static double[][] near(Base start, Design design, double[] constants) {
    double[][] near = new double[constants.length][design.columns()];
    for (int output = 0; output < near.length; output++) {
      near[output][0] = start.intercept(output);
      for (LinearTerm term : start.terms()) {
        switch (term) {
          case LinearTerm.Numeric line -> {
            int column = design.columnOf(line.feature());
            if (column > 0) {
              NumericColumns.Column own = design.numeric[column - 1];
              near[output][0] += line.slope(output) * (own.mean() - line.mean());
              near[output][column] = line.slope(output) * own.scale();
            }
          }
          case LinearTerm.Categorical effects -> {
            int index = Arrays.binarySearch(design.categorical, effects.feature());
            int[] columnOf = index < 0 ? new int[0] : design.columnOf[index];
            for (int code = 0; code < Math.min(columnOf.length, effects.categories()); code++) {
              if (columnOf[code] > 0) {
                near[output][columnOf[code]] = effects.effect(code, output);
              }
            }
          }
        }
      }
    }
    if (near.length > 1) { // all may move alike
      double off = 0;
      for (int output = 0; output < near.length; output++) {
        off += (constants[output] - near[output][0]) / near.length;
      }
      for (double[] ofOutput : near) {
        ofOutput[0] += off;
      }
    }
    return near;
  }

  static SmoothLoss loss(
      Objective objective, Rows rows, Projection anchor, double gamma, double start) {
    if (objective instanceof ScalarObjective scalar && scalar.leafQuantile().isPresent()) {
      return new SmoothedQuantile(scalar, rows, start);
    }
    return new AnchoredLoss(objective, rows, anchor, gamma < 1 && steep(objective) ? 1 : gamma);
  }

  /** Whether the loss may curve by more than 1. */
  private static boolean steep(Objective objective) {
    return objective instanceof Exponential
        || objective instanceof Beta
        || objective instanceof Gamma
        || objective instanceof Poisson
        || objective instanceof Tweedie;
  }

  static ElasticNet penalty(
      Rows rows,
      Design design,
      LinearBase settings,
      List<Integer> monotone,
      boolean interceptsHeld) {
    double weight = 0;
    for (int row = 0; row < rows.size(); row++) {
      weight += rows.weight(row);
    }
    double strength = weight * settings.strength();
    int[] signs = new int[design.columns()];
    for (int k = 0; k < design.numeric.length && !monotone.isEmpty(); k++) {
      signs[1 + k] = monotone.get(design.numeric[k].feature());
    }
    return new ElasticNet(
        strength * settings.l1Ratio(), strength * (1 - settings.l1Ratio()), signs, interceptsHeld);
  }

  private static Base base(Design design, double[][] coefficients) {
    double[] intercepts = Arrays.stream(coefficients).mapToDouble(own -> own[0]).toArray();
    List<LinearTerm> terms = new ArrayList<>();
    for (int k = 0; k < design.numeric.length; k++) {
      addNumeric(design.numeric[k], 1 + k, coefficients, terms);
    }
    for (int k = 0; k < design.categorical.length; k++) {
      addCategorical(design.categorical[k], design.columnOf[k], coefficients, terms);
    }
    terms.sort(Comparator.comparingInt(LinearTerm::feature));
    return Base.linear(intercepts, terms);
  }

  private static void addNumeric(
      NumericColumns.Column own, int column, double[][] coefficients, List<LinearTerm> terms) {
    double[] slopes =
        Arrays.stream(coefficients)
            .mapToDouble(ofOutput -> ofOutput[column] / own.scale())
            .toArray();
    if (Arrays.stream(slopes).anyMatch(slope -> slope != 0)) {
      terms.add(new LinearTerm.Numeric(own.feature(), own.mean(), own.range(), slopes));
    }
  }

  private static void addCategorical(
      int feature, int[] columnOf, double[][] coefficients, List<LinearTerm> terms) {
    int outputs = coefficients.length;
    double[] effects = new double[columnOf.length * outputs];
    for (int code = 0; code < columnOf.length; code++) {
      for (int output = 0; output < outputs && columnOf[code] > 0; output++) {
        effects[code * outputs + output] = coefficients[output][columnOf[code]];
      }
    }
    if (Arrays.stream(effects).anyMatch(effect -> effect != 0)) {
      terms.add(new LinearTerm.Categorical(feature, outputs, effects));
    }
  }
}
