package io.holdfast.service.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What holds however records, scores, labels, commits and crashes follow each other, whatever
 * partitions their producers choose and whatever their clocks say; see {@link JoinWorld}.
 */
final class LabelJoinTest {
  private static final long WAIT = 100_000;
  private static final long HOURS_SET = 3_600_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89})
  void anyInterleaving_eachLabelHasTheOutcomeOfTheRule(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, Integer> seen = new HashMap<>();
    for (int round = 0; round < 60; round++) {
      JoinWorld world = new JoinWorld(random.split(), WAIT, false);
      for (int step = 20 + random.nextInt(300); step > 0; step--) {
        world.step();
      }
      world.settle();
      world.pass(0);
      world.assertSums();
      world.outcomes().values().forEach(outcome -> seen.merge(outcome, 1, Integer::sum));
    }
    assertThat(seen)
        .as("the worlds are such that every outcome is met")
        .containsOnlyKeys("USED", "DUPLICATE", "LATE", "ORPHAN", "UNSCORED");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8})
  void anyInterleavingOverManyWaits_eachLabelLeavesOnceAndNothingStays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 60; round++) {
      JoinWorld world = new JoinWorld(random.split(), WAIT, true);
      for (int step = 20 + random.nextInt(300); step > 0; step--) {
        world.step();
      }
      world.settle();
      world.pass(3 * WAIT);
      world.assertSums();
    }
  }

  /** As when clocks are changed by hand on the day that they should not be. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8})
  void clocksSetBackAndAhead_eachLabelLeavesOnceAndNothingStays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 60; round++) {
      JoinWorld world = new JoinWorld(random.split(), WAIT, true, true);
      for (int step = 20 + random.nextInt(300); step > 0; step--) {
        world.step();
      }
      world.settle();
      world.pass(100 * HOURS_SET);
      world.assertSums();
    }
  }
}
