package io.holdfast.trainer.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the trees of the expert that grows weigh, and how many there are. */
class GrownTreesTest {
  private static final GrownTrees GROWN = new GrownTrees(50, 10, 300);

  private static final Tree LEAF =
      new Tree(
          new int[0],
          new double[0],
          new boolean[0],
          new long[0][],
          new int[0],
          new int[0],
          new double[] {1});

  private static Segment segment(int trees) {
    return new Segment(Collections.nCopies(trees, LEAF));
  }

  @Test
  void trees_weighHalf_afterAHundredNewerOnes() {
    List<Segment> segments = new ArrayList<>(List.of(segment(50)));
    segments.addAll(Collections.nCopies(10, segment(10)));
    List<Segment> weighted = GROWN.weighted(segments, 0);
    assertThat(weighted.getLast().decay()).isEqualTo(1);
    assertThat(weighted.getFirst().decay()).isCloseTo(0.5, within(1e-12));
  }

  /** None leaves that counts for much, and there is always room for those that come. */
  @Test
  void trees_thatLeaveOverBudget_haveFaded() {
    List<Segment> segments = List.of(segment(50));
    for (int turn = 0; turn < 100; turn++) {
      double before = segments.getFirst().decay();
      List<Segment> left = GROWN.weighted(segments, 10);
      if (left.size() < segments.size()) {
        assertThat(before).as("turn %d", turn).isLessThan(0.1);
      }
      assertThat(AutoState.trees(left)).isLessThanOrEqualTo(290);
      List<Segment> next = new ArrayList<>(left);
      next.add(segment(10));
      segments = GROWN.weighted(next, 0);
    }
    assertThat(AutoState.trees(segments)).isEqualTo(300);
  }

  @Test
  void weights_areAFunctionOfTheTreesAlone() {
    List<Segment> segments = List.of(segment(50), segment(10), segment(10));
    List<Segment> once = GROWN.weighted(segments, 0);
    assertThat(GROWN.weighted(once, 0)).isEqualTo(once);
  }

  /** What is learned from labels goes on: at other thresholds all trees would be wrong. */
  @Test
  void ensembleThatGrows_keepsTheThresholds() {
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < 100; row++) {
      rows.add(new double[] {row}, row < 90 ? 0 : row < 98 ? 1 : 2, "");
    }
    Objective learned = new Ordinal(3, OrdinalLink.LOGIT).fittedTo(rows.build());
    assertThat(learned).isNotEqualTo(learned.unfitted());
    var part = new AutoState.Part("0.", Base.constant(new double[1]));
    Model fading = GROWN.fading(learned, List.of(new Feature.Numeric("x")), part);
    assertThat(fading.objective()).isEqualTo(learned);
  }

  @Test
  void ensemble_withoutRoomForAHalfLife_doesNotGrow() {
    assertThat(GROWN.pays()).isTrue();
    assertThat(new GrownTrees(50, 10, 149).pays()).isFalse();
  }
}
