package io.holdfast.trainer.reason;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out why a loss rose, as a function of rows and a seed. Stateless. */
public final class RiseAnalysis {
  /*
   * The rise is the mean loss of the window less that of the rows before. Its part of the labels is the
   * change of loss at equal features, averaged where both samples have rows: density p q / (p + q), as
   * in Cai, Namkoong and Yadlowsky (arXiv 2303.02011). With T 1 for the window's rows, that is
   *
   *   sum w (T - E[T|x]) (L - E[L|x]) / sum w (T - E[T|x])^2,
   *
   * whose error from the two expectations is only the product of theirs. What is left of the rise is
   * that other features came. All intervals are by sums of influence over blocks.
   */
  private static final double LEAST_OVERLAP = 0.1;

  private RiseAnalysis() {}

  /**
   * Of decoded rows before and now, oldest first, whose losses {@link RiseTest} found to have risen
   * in {@code environment}, which is empty for all rows.
   */
  public static LossReason of(
      List<Feature> features,
      Rows before,
      ServedLosses lossesBefore,
      Rows now,
      ServedLosses lossesNow,
      String environment,
      long seed) {
    if (!environment.isEmpty()) {
      int[] older = lossesBefore.of(environment);
      int[] newer = lossesNow.of(environment);
      LossReason only =
          of(
              features,
              before.subset(older),
              lossesBefore.subset(older),
              now.subset(newer),
              lossesNow.subset(newer),
              "",
              seed);
      return new LossReason(
          environment,
          only.rowsBefore(),
          only.rows(),
          only.lossBefore(),
          only.loss(),
          only.rise(),
          only.parts(),
          only.subgroup(),
          environments(lossesBefore, lossesNow));
    }
    TwoSamples samples = TwoSamples.of(features, before, lossesBefore, now, lossesNow, seed);
    Residuals residuals = Residuals.of(samples, seed);
    TwoSamples.Mean older = samples.mean(samples.losses(), row -> !samples.now(row));
    TwoSamples.Mean newer = samples.mean(samples.losses(), samples::now);
    Estimate rise = newer.above(older, samples);
    LossReason.Parts parts = parts(samples, residuals, rise, older, newer);
    return new LossReason(
        "",
        before.size(),
        now.size(),
        older.value(),
        newer.value(),
        rise,
        parts,
        subgroup(samples, residuals, parts),
        environments(lossesBefore, lossesNow));
  }

  private static LossReason.@Nullable Parts parts(
      TwoSamples samples,
      Residuals residuals,
      Estimate rise,
      TwoSamples.Mean older,
      TwoSamples.Mean newer) {
    double product = 0;
    double squares = 0;
    for (int row = 0; row < samples.size(); row++) {
      double e = residuals.newness()[row];
      product += samples.weights()[row] * e * residuals.losses()[row];
      squares += samples.weights()[row] * e * e;
    }
    double overlap = Math.min(1, 4 * squares / samples.size());
    if (overlap < LEAST_OVERLAP) {
      return null;
    }
    double labels = product / squares;
    double[] ofLabels = new double[samples.size()];
    double[] ofFeatures = new double[samples.size()];
    for (int row = 0; row < samples.size(); row++) {
      double e = residuals.newness()[row];
      ofLabels[row] = samples.weights()[row] * e * (residuals.losses()[row] - labels * e) / squares;
      ofFeatures[row] = newer.influence()[row] - older.influence()[row] - ofLabels[row];
    }
    return new LossReason.Parts(
        Estimate.of(rise.value() - labels, samples.error(ofFeatures)),
        Estimate.of(labels, samples.error(ofLabels)),
        overlap);
  }

  private static @Nullable Subgroup subgroup(
      TwoSamples samples, Residuals residuals, LossReason.@Nullable Parts parts) {
    LossReason.Change change = parts == null ? LossReason.Change.FEATURES : parts.change();
    if (change == LossReason.Change.FEATURES) {
      FeatureGroups groups = new FeatureGroups(samples);
      List<Condition> conditions = new SubgroupSearch(samples, groups).conditions();
      return conditions.isEmpty() ? null : groups.measured(conditions);
    }
    LabelGroups groups = new LabelGroups(samples, residuals);
    List<Condition> conditions = new SubgroupSearch(samples, groups).conditions();
    return conditions.isEmpty() ? null : groups.measured(conditions);
  }

  private static List<LossReason.EnvironmentRise> environments(
      ServedLosses before, ServedLosses now) {
    List<LossReason.EnvironmentRise> rises = new ArrayList<>();
    for (String environment : RiseTest.shared(before, now)) {
      ServedLosses older = before.subset(before.of(environment));
      ServedLosses newer = now.subset(now.of(environment));
      Blocks blocks = Blocks.of(older.size(), newer.size());
      double variance = variance(older, blocks) + variance(newer, blocks);
      rises.add(
          new LossReason.EnvironmentRise(
              environment,
              older.size(),
              newer.size(),
              Estimate.of(newer.mean() - older.mean(), Math.sqrt(variance))));
    }
    return rises;
  }

  /** Of a mean, by blocks. */
  private static double variance(ServedLosses rows, Blocks blocks) {
    double mean = rows.mean();
    double[] sums = new double[blocks.count(rows.size())];
    double total = 0;
    for (int row = 0; row < rows.size(); row++) {
      sums[blocks.place(row, rows.size())] += rows.weights()[row] * (rows.losses()[row] - mean);
      total += rows.weights()[row];
    }
    double squares = 0;
    for (double sum : sums) {
      squares += sum * sum;
    }
    return squares / (total * total);
  }
}
