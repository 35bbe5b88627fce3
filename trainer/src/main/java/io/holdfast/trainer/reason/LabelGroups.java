package io.holdfast.trainer.reason;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Subgroups whose loss rose more than others', features being equal. Owned by one thread. */
final class LabelGroups implements SubgroupSearch.Criterion {
  /*
   * The effect of a subgroup is a ratio of sums: of newness times loss, over newness squared, both as
   * residuals. A split gains what a tree of least squares would (Nie and Wager, Biometrika 108, 2021).
   */
  private static final int LEAST_BEFORE = 20;
  private static final double SURE = 4;

  private final TwoSamples samples;
  private final Residuals residuals;

  LabelGroups(TwoSamples samples, Residuals residuals) {
    this.samples = samples;
    this.residuals = residuals;
  }

  @Override
  public double[] terms(int row) {
    double e = residuals.newness()[row];
    double weight = samples.weights()[row];
    double product = weight * e * residuals.losses()[row];
    double square = weight * e * e;
    return new double[] {
      product,
      square,
      product * product,
      product * square,
      square * square,
      samples.now(row) ? 0 : 1
    };
  }

  @Override
  public double gain(double[] inside, double[] node, double[] all) {
    double[] rest = rest(inside, node);
    boolean more = rest[1] > 0 && inside[5] >= LEAST_BEFORE && effect(inside) > effect(rest);
    return more ? explained(inside) + explained(rest) - explained(node) : 0;
  }

  private static double[] rest(double[] inside, double[] node) {
    double[] rest = node.clone();
    for (int k = 0; k < rest.length; k++) {
      rest[k] -= inside[k];
    }
    return rest;
  }

  private static double effect(double[] sums) {
    return sums[1] > 0 ? sums[0] / sums[1] : 0;
  }

  private static double explained(double[] sums) {
    return sums[0] * effect(sums);
  }

  @Override
  public double rank(double[] inside, double[] node, double[] all) {
    return effect(inside);
  }

  /** By the squared difference of the two effects over its variance, chi-squared by chance. */
  @Override
  public boolean holds(SubgroupSearch.Found best, double[] node, int tried, double before) {
    double[] rest = rest(best.inside(), node);
    double difference = effect(best.inside()) - effect(rest);
    double variance = variance(best.inside()) + variance(rest);
    return difference * difference > variance * (2 * StrictMath.log(tried) + SURE);
  }

  /** Of an effect. */
  private static double variance(double[] sums) {
    double effect = effect(sums);
    double squares = sums[2] - 2 * effect * sums[3] + effect * effect * sums[4];
    return Math.max(0, squares) / (sums[1] * sums[1]);
  }

  /** Measures a subgroup on the other half; null if its loss did not rise more than the rest's. */
  @Nullable Subgroup measured(List<Condition> conditions) {
    boolean[] member = SubgroupSearch.members(samples, conditions);
    TwoSamples.Mean[][] means = new TwoSamples.Mean[2][2];
    for (int in = 0; in < 2; in++) {
      for (int now = 0; now < 2; now++) {
        boolean inside = in == 1;
        boolean newer = now == 1;
        means[in][now] =
            samples.mean(
                samples.losses(),
                row ->
                    !samples.searched(row) && member[row] == inside && samples.now(row) == newer);
      }
    }
    Estimate effect = means[1][1].above(means[1][0], samples);
    Estimate others = means[0][1].above(means[0][0], samples);
    double[] terms = means[1][1].influence().clone();
    for (int row = 0; row < terms.length; row++) {
      terms[row] +=
          -means[1][0].influence()[row]
              - means[0][1].influence()[row]
              + means[0][0].influence()[row];
    }
    Estimate more = Estimate.of(effect.value() - others.value(), samples.error(terms));
    Shares shares = Shares.of(samples, member);
    return more.above() && effect.above() && shares.now() < Shares.MOST
        ? new Subgroup(conditions, shares.before(), shares.now(), effect)
        : null;
  }
}
