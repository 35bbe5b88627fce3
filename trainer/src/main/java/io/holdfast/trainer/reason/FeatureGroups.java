package io.holdfast.trainer.reason;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Subgroups that became more frequent and have a higher loss than others. Owned by one thread. */
final class FeatureGroups implements SubgroupSearch.Criterion {
  private static final double BETTER = 1.1; // each condition, than those before

  private final TwoSamples samples;

  FeatureGroups(TwoSamples samples) {
    this.samples = samples;
  }

  @Override
  public double[] terms(int row) {
    double weight = samples.weights()[row];
    return samples.now(row)
        ? new double[] {0, weight, weight * samples.losses()[row]}
        : new double[] {weight, 0, weight * samples.losses()[row]};
  }

  /** What the shares' change alone makes of the rise. */
  @Override
  public double gain(double[] inside, double[] node, double[] all) {
    double growth = growth(inside, all);
    double more =
        mean(inside)
            - mean(new double[] {all[0] - inside[0], all[1] - inside[1], all[2] - inside[2]});
    return growth > 0 && more > 0 ? growth * more : 0;
  }

  private static double growth(double[] inside, double[] all) {
    return inside[1] / all[1] - inside[0] / all[0];
  }

  private static double mean(double[] sums) {
    double weight = sums[0] + sums[1];
    return weight > 0 ? sums[2] / weight : 0;
  }

  @Override
  public double rank(double[] inside, double[] node, double[] all) {
    return growth(inside, all) * (mean(inside) - mean(all));
  }

  @Override
  public boolean holds(SubgroupSearch.Found best, double[] node, int tried, double before) {
    return best.gain() > BETTER * before;
  }

  /** Measures a subgroup on the other half; null if it did not grow, or its loss is no higher. */
  @Nullable Subgroup measured(List<Condition> conditions) {
    boolean[] member = SubgroupSearch.members(samples, conditions);
    double[] one = new double[member.length];
    for (int row = 0; row < one.length; row++) {
      one[row] = member[row] ? 1 : 0;
    }
    Estimate growth =
        samples
            .mean(one, row -> !samples.searched(row) && samples.now(row))
            .above(samples.mean(one, row -> !samples.searched(row) && !samples.now(row)), samples);
    Estimate more =
        samples
            .mean(samples.losses(), row -> !samples.searched(row) && member[row])
            .above(
                samples.mean(samples.losses(), row -> !samples.searched(row) && !member[row]),
                samples);
    Shares shares = Shares.of(samples, member);
    return growth.above() && more.above() && shares.now() < Shares.MOST
        ? new Subgroup(conditions, shares.before(), shares.now(), more)
        : null;
  }
}
