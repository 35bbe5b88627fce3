package io.holdfast.trainer.reason;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.trainer.reason.LossReason.Parts;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReasonSentenceTest {
  private static final Estimate RISE = new Estimate(0.12, 0.08, 0.16);
  private static final Estimate MOST = new Estimate(0.1, 0.06, 0.14);
  private static final Estimate REST = new Estimate(0.02, -0.01, 0.05);
  private static final Subgroup GROUP =
      new Subgroup(
          List.of(
              new Condition.Side("temperature", true, 21),
              new Condition.Among("city", new TreeSet<>(List.of(1)), List.of("berlin"))),
          0.17,
          0.18,
          new Estimate(0.45, 0.3, 0.6));

  @Test
  void labels_areSaidWithTheRowsWhoseLossRose() {
    assertThat(said("", new Parts(REST, MOST, 0.8), GROUP))
        .isEqualTo(
            "Loss rose by 0.12 (0.08 to 0.16), from 0.41 to 0.53: mostly labels given the features"
                + " (0.10, 0.06 to 0.14), most in rows with temperature ≥ 21 and city = berlin"
                + " (18 % of rows, +0.45, 0.30 to 0.60).");
  }

  @Test
  void features_areSaidWithTheRowsThatBecameMore() {
    assertThat(said("e2", new Parts(MOST, REST, 0.8), GROUP))
        .isEqualTo(
            "In environment e2 loss rose by 0.12 (0.08 to 0.16), from 0.41 to 0.53: mostly other"
                + " features came (0.10, 0.06 to 0.14), more with temperature ≥ 21 and city ="
                + " berlin (17 % of rows before, 18 % now, whose loss is 0.45, 0.30 to 0.60 above"
                + " others').");
  }

  @Test
  void whatCannotBeTold_isSaidToBeSo() {
    assertThat(said("", null, null))
        .endsWith(": its rows are too unlike those before to tell whether labels changed.");
    Estimate even = new Estimate(0.06, 0.01, 0.11);
    assertThat(said("", new Parts(even, even, 0.8), null))
        .endsWith(
            ": both features (0.06, 0.01 to 0.11) and labels given the features (0.06, 0.01 to"
                + " 0.11), with no group of rows that stands out.");
    Estimate vague = new Estimate(0.06, -0.01, 0.13);
    assertThat(said("", new Parts(vague, vague, 0.8), null))
        .contains("not known whether by features (0.06, −0.01 to 0.13) or by labels");
  }

  @Test
  void conditions_areSaidInWords() {
    assertThat(new Condition.Missing("wind").sentence()).isEqualTo("wind missing");
    assertThat(new Condition.Side("wind", false, 0.25).sentence()).isEqualTo("wind < 0.25");
    assertThat(
            new Condition.Among(
                    "city", new TreeSet<>(List.of(0, 1, 2, 3)), List.of("a", "b", "c", "d"))
                .sentence())
        .isEqualTo("city among a, b, c and 1 more");
    assertThat(new Condition.Side("wind", false, 0.25).holds(Double.NaN)).isFalse();
  }

  private static String said(String environment, @Nullable Parts parts, @Nullable Subgroup group) {
    return new LossReason(environment, 2_000, 500, 0.41, 0.53, RISE, parts, group, List.of())
        .sentence();
  }
}
