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
 * The linear base fitted to rows (docs/math.md, "The linear base"): the linear function of the
 * features that minimises J/W + λ Σ_k (ρ ‖b_k‖₁ + (1 − ρ)/2 ‖b_k‖²), J being the anchor objective,
 * W the rows' weight, and b_k the coefficients of raw score k for standardised features.
 *
 * @param base the linear function
 * @param objective the objective, whose learned parameters, if it has any, fit the base
 * @param leftOut features that vary and have no slope, or not one for each category, since too few
 *     rows tell of it
 */
public record LinearFit(Base base, Objective objective, List<Integer> leftOut) {
  /*
   * Numeric features count in units of their deviation, so that λ means the same for each, and
   * since J is divided by W it means the same for few rows and many. Categories count as indicators
   * in units of 1. What is found is stored in the features' own units.
   *
   * With gamma < 1 the penalty is a reward for slopes, and where the loss curves by more than
   * 1/(1 − gamma) it grows faster than the loss does: J falls with every error. Of exponential, gamma,
   * poisson, tweedie and beta the curvature has no bound, and their base is fitted with gamma 1 instead.
   * That of all others is 1 at most.
   *
   * Intercepts bear no penalty, so where labels are all 0, or leave a class out, nothing would stop them: of
   * counts that were 0 in the first hundred rows they came to −66, e^−66 to be foretold for ever after.
   * They stay those of the best constant then, which counts half a row of what is missing.
   *
   * Base and learned parameters (thresholds, precision) take turns, since each depends on the other.
   */
  private static final int TURNS = 20;
  private static final double GAIN = 1e-9; // of the loss: a turn that gains less is the last

  /**
   * What is looked for, and where first.
   *
   * @param monotone by feature: +1 where the base may only rise with it, −1 where it may only fall,
   *     else 0; empty for no such feature
   * @param start a base that is near, as a fit to most of these rows is: it is reached in half of
   *     the steps, and is the same up to rounding; without terms it is not asked, nor where there
   *     may be several minima
   */
  public record Search(LinearBase settings, List<Integer> monotone, Base start) {}

  /**
   * The fit to these rows; its loss, penalty included, is at most that of the best constant.
   *
   * <p>For {@code absolute} and {@code quantile} it is approximate: their kink is rounded off over
   * a thousandth of the mean absolute residual. For {@code exponential}, {@code gamma}, {@code
   * poisson}, {@code tweedie} and {@code beta} a gamma below 1 counts as 1, since J then rewards
   * errors.
   *
   * @param objective with its learned parameters, if it has any
   * @param rows one at least, with labels that the objective accepts
   * @param anchor of as many rows; not asked at all if gamma is 1
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
    double[][] coefficients = constants(initial, design);
    boolean asked = !held && hasOneMinimum(search, penalty) && !search.start().terms().isEmpty();
    for (int turn = 0; turn < TURNS; turn++) {
      SmoothLoss loss = loss(learned, rows, anchor, gamma, initial[0]);
      Descent descent = new Descent(loss, design, penalty, coefficients);
      if (turn == 0 && asked) {
        double[][] near = near(search.start(), design, initial);
        descent = lower(new Descent(loss, design, penalty, near), descent, loss);
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
    return new LinearFit(base(design, coefficients), learned, design.leftOut());
  }

  /** Which of two stands lower; the loss is left where it stands. */
  private static Descent lower(Descent first, Descent second, SmoothLoss loss) {
    Descent lower = first.objectives().getFirst() < second.objectives().getFirst() ? first : second;
    loss.evaluate(lower.scores());
    return lower;
  }

  /** Else of many minima the one next to the constants is meant; and signs might not be kept. */
  private static boolean hasOneMinimum(Search search, ElasticNet penalty) {
    return penalty.ridge() > 0 && search.monotone().isEmpty();
  }

  /**
   * The coefficients of a base, in units of the design. Of several raw scores, which may all move
   * alike, the sum is as with these constants.
   */
  private static double[][] near(Base start, Design design, double[] constants) {
    double[][] near = new double[constants.length][design.columns()];
    int[] categorical = design.categoricalFeatures();
    for (int output = 0; output < near.length; output++) {
      near[output][0] = start.intercept(output);
      for (LinearTerm term : start.terms()) {
        switch (term) {
          case LinearTerm.Numeric line -> {
            int column = design.columnOf(line.feature());
            if (column > 0) {
              NumericColumns.Column own = design.numeric(column);
              near[output][0] += line.slope(output) * (own.mean() - line.mean());
              near[output][column] = line.slope(output) * own.scale();
            }
          }
          case LinearTerm.Categorical effects -> {
            int index = Arrays.binarySearch(categorical, effects.feature());
            int[] columnOf = index < 0 ? new int[0] : design.columnOfCodes(index);
            for (int code = 0; code < Math.min(columnOf.length, effects.categories()); code++) {
              if (columnOf[code] > 0) {
                near[output][columnOf[code]] = effects.effect(code, output);
              }
            }
          }
        }
      }
    }
    double off = 0;
    for (int output = 0; output < near.length; output++) {
      off += (constants[output] - near[output][0]) / near.length;
    }
    for (int output = 0; output < near.length && near.length > 1; output++) {
      near[output][0] += off;
    }
    return near;
  }

  private static double[][] constants(double[] initial, Design design) {
    double[][] coefficients = new double[initial.length][design.columns()];
    for (int output = 0; output < initial.length; output++) {
      coefficients[output][0] = initial[output];
    }
    return coefficients;
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
    for (int column = 1; column <= design.numericColumns() && !monotone.isEmpty(); column++) {
      signs[column] = monotone.get(design.numeric(column).feature());
    }
    return new ElasticNet(
        strength * settings.l1Ratio(), strength * (1 - settings.l1Ratio()), signs, interceptsHeld);
  }

  private static Base base(Design design, double[][] coefficients) {
    double[] intercepts = new double[coefficients.length];
    for (int output = 0; output < intercepts.length; output++) {
      intercepts[output] = coefficients[output][0];
    }
    List<LinearTerm> terms = new ArrayList<>();
    for (int column = 1; column <= design.numericColumns(); column++) {
      addNumeric(design, column, coefficients, terms);
    }
    for (int index = 0; index < design.categoricalFeatures().length; index++) {
      addCategorical(design, index, coefficients, terms);
    }
    terms.sort(Comparator.comparingInt(LinearTerm::feature));
    return Base.linear(intercepts, terms);
  }

  private static void addNumeric(
      Design design, int column, double[][] coefficients, List<LinearTerm> terms) {
    NumericColumns.Column own = design.numeric(column);
    double[] slopes = new double[coefficients.length];
    boolean any = false;
    for (int output = 0; output < slopes.length; output++) {
      slopes[output] = coefficients[output][column] / own.scale();
      any |= slopes[output] != 0;
    }
    if (any) {
      terms.add(new LinearTerm.Numeric(own.feature(), own.mean(), own.range(), slopes));
    }
  }

  private static void addCategorical(
      Design design, int index, double[][] coefficients, List<LinearTerm> terms) {
    int outputs = coefficients.length;
    int[] columnOf = design.columnOfCodes(index);
    double[] effects = new double[columnOf.length * outputs];
    boolean any = false;
    for (int code = 0; code < columnOf.length; code++) {
      for (int output = 0; output < outputs && columnOf[code] > 0; output++) {
        double effect = coefficients[output][columnOf[code]];
        effects[code * outputs + output] = effect;
        any |= effect != 0;
      }
    }
    if (any) {
      int feature = design.categoricalFeatures()[index];
      terms.add(new LinearTerm.Categorical(feature, outputs, effects));
    }
  }
}
