package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private static final TreeLimits LIMITS = new TreeLimits(31, 6, 20, 1e-3, 0);

  @Test
  void boosterSettings_outOfBounds_namesKeyBoundAndValue() {
    refused("gamma must be 0 or more and finite: -1.0", () -> settings(-1, 1, 0.1, 0, 255));
    refused("gamma must be 0 or more and finite: NaN", () -> settings(Double.NaN, 1, 0.1, 0, 255));
    refused("rounds must be at least 1: 0", () -> settings(1, 0, 0.1, 0, 255));
    refused("learningRate must be above 0 and at most 1: 1.5", () -> settings(1, 1, 1.5, 0, 255));
    refused("lambda must be 0 or more and finite: Infinity", () -> settings(1, 1, 1, 1.0 / 0, 255));
    refused("maxBins must be 2 to 65535: 65536", () -> settings(1, 1, 1, 0, 65536));
  }

  @Test
  void treeLimits_outOfBounds_namesKeyBoundAndValue() {
    refused("maxLeaves must be 2 to 65536: 1", () -> new TreeLimits(1, 6, 20, 0, 0));
    refused("maxLeaves must be 2 to 65536: 65537", () -> new TreeLimits(65537, 6, 20, 0, 0));
    refused("maxDepth must be at least 1: 0", () -> new TreeLimits(31, 0, 20, 0, 0));
    refused("minRows must be at least 1: 0", () -> new TreeLimits(31, 6, 0, 0, 0));
    refused(
        "minHessian must be 0 or more, not NaN: NaN",
        () -> new TreeLimits(31, 6, 20, Double.NaN, 0));
    refused("minGain must be 0 or more, not NaN: -1.0", () -> new TreeLimits(31, 6, 20, 0, -1));
  }

  @Test
  void rows_badRow_namesRowBoundAndValue() {
    Rows.Builder rows = Rows.builder(2).add(new double[2], 1, "a");
    refused("row 1 must have 2 features: 3", () -> rows.add(new double[3], 1, "a"));
    refused(
        "the label of row 1 must be finite: NaN", () -> rows.add(new double[2], Double.NaN, "a"));
    refused(
        "the weight of row 1 must be finite and above 0: 0.0",
        () -> rows.add(new double[2], 1, 0, "a"));
    refused("a row must have at least 1 feature: 0", () -> Rows.builder(0));
  }

  private static BoosterSettings settings(
      double gamma, int rounds, double learningRate, double lambda, int maxBins) {
    return BoosterSettings.builder(new Squared())
        .gamma(gamma)
        .rounds(rounds)
        .learningRate(learningRate)
        .trees(LIMITS)
        .penalties(Penalties.ridge(lambda))
        .maxBins(maxBins)
        .seed(0)
        .build();
  }

  private static void refused(String message, Runnable construction) {
    assertThatIllegalArgumentException().isThrownBy(construction::run).withMessage(message);
  }
}
