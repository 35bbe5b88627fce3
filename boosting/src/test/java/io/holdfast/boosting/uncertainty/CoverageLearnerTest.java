package io.holdfast.boosting.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.uncertainty.Thresholds.Range;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Promises are kept: overall, by environment, after drift, and with late labels. */
class CoverageLearnerTest {
  private static final List<Double> LEVELS = List.of(0.5, 0.8, 0.9, 0.95);
  private static final int EVERY = 100;

  /** An error, its spread and its environment, by row. */
  private interface World {
    Row row(int number, Random random);
  }

  private record Row(String environment, double error, double spread) {}

  private record Waiting(Row row, Thresholds served) {}

  /** Serves rows, tells their labels later, and says for each whether each promise was kept. */
  private static boolean[][] serve(World world, int rows, int delay, boolean classes, long seed) {
    var random = new Random(seed);
    var learner = new CoverageLearner(LEVELS, classes);
    Thresholds thresholds = Thresholds.none(LEVELS);
    var waiting = new ArrayDeque<Waiting>();
    boolean[][] kept = new boolean[rows][LEVELS.size()];
    for (int number = 0; number < rows; number++) {
      Row row = world.row(number, random);
      for (int k = 0; k < LEVELS.size(); k++) {
        kept[number][k] = thresholds.bounds(row.environment, k, 0, row.spread).holds(row.error);
      }
      waiting.add(new Waiting(row, thresholds));
      if (waiting.size() > delay) {
        Waiting known = waiting.remove();
        learner.add(known.row.environment, known.row.error, known.row.spread, known.served);
      }
      if (number % EVERY == EVERY - 1) {
        thresholds = learner.thresholds();
      }
    }
    return kept;
  }

  private static double share(boolean[][] kept, int level, int from, int to) {
    return Arrays.stream(kept, from, to)
        .mapToInt(row -> row[level] ? 1 : 0)
        .average()
        .orElseThrow();
  }

  private static void assertKept(boolean[][] kept, int from) {
    for (int k = 0; k < LEVELS.size(); k++) {
      double level = LEVELS.get(k);
      double deviation = Math.sqrt(level * (1 - level) / (kept.length - from));
      assertThat(share(kept, k, from, kept.length))
          .as("level %s", level)
          .isCloseTo(level, within(Math.min(0.01, 3 * deviation)));
    }
  }

  @Test
  void exchangeableRows_areCoveredAsPromised_withinBinomialBounds() {
    for (long seed = 1; seed <= 3; seed++) {
      World skewed =
          (number, random) -> {
            double spread = Math.exp(random.nextGaussian());
            return new Row("all", spread * (random.nextExponential() - 0.7), spread);
          };
      assertKept(serve(skewed, 10_000, 0, false, seed), 2_000);
      World classes = (number, random) -> new Row("all", 2 * random.nextExponential(), 1);
      assertKept(serve(classes, 10_000, 0, true, seed), 2_000);
    }
  }

  @Test
  void environmentsOfUnlikeErrors_haveWhatWasPromisedEach() {
    String[] names = {"calm", "usual", "rough"};
    World world =
        (number, random) -> {
          int which = number % 10 < 6 ? 0 : number % 10 < 9 ? 1 : 2;
          return new Row(names[which], Math.pow(3, which) * random.nextGaussian(), 1);
        };
    boolean[][] kept = serve(world, 20_000, 1_000, false, 1);
    assertKept(kept, 4_000);
    for (int which = 0; which < 3; which++) {
      for (int k = 0; k < LEVELS.size(); k++) {
        int rows = 0;
        int held = 0;
        for (int number = 4_000; number < kept.length; number++) {
          if ((number % 10 < 6 ? 0 : number % 10 < 9 ? 1 : 2) == which) {
            rows++;
            held += kept[number][k] ? 1 : 0;
          }
        }
        assertThat((double) held / rows).isCloseTo(LEVELS.get(k), within(0.025));
      }
    }
  }

  @Test
  void afterAnAbruptDrift_promisesHoldAgainSoon() {
    int drift = 10_000;
    World world =
        (number, random) -> new Row("all", (number < drift ? 1 : 2) * random.nextGaussian(), 1);
    boolean[][] kept = serve(world, 16_000, 0, false, 1);
    for (int k = 0; k < LEVELS.size(); k++) {
      double level = LEVELS.get(k);
      assertThat(share(kept, k, drift, drift + 1_000)).isGreaterThan(level - 0.08);
      assertThat(share(kept, k, drift + 2_000, drift + 4_000)).isCloseTo(level, within(0.02));
    }
  }

  @Test
  void whateverErrorsDo_misses_goToWhatWasPromised() {
    World growing =
        (number, random) -> new Row("all", number * (random.nextBoolean() ? 1.0 : 0.5), 1);
    boolean[][] kept = serve(growing, 20_000, 0, true, 1);
    for (int k = 0; k < LEVELS.size(); k++) {
      assertThat(share(kept, k, 1_000, kept.length)).isCloseTo(LEVELS.get(k), within(0.06));
    }
  }

  @Test
  void anUnknownEnvironment_hasTheMostCautiousOfTheKnown() {
    var random = new Random(1);
    var learner = new CoverageLearner(LEVELS, false);
    Thresholds none = Thresholds.none(LEVELS);
    for (int row = 0; row < 2_000; row++) {
      learner.add("calm", random.nextGaussian(), 1, none);
      learner.add("rough", 5 * random.nextGaussian(), 1, none);
    }
    Thresholds thresholds = learner.thresholds();
    for (int k = 0; k < LEVELS.size(); k++) {
      assertThat(thresholds.bounds("new", k, 0, 1)).isEqualTo(thresholds.bounds("rough", k, 0, 1));
    }
  }

  @Test
  void higherLevels_holdWhatLowerOnesDo_andTheSameRowsTeachTheSame() {
    for (long seed = 1; seed <= 5; seed++) {
      Thresholds thresholds = learned(seed);
      assertThat(thresholds).isEqualTo(learned(seed));
      for (double spread = 0.01; spread < 100; spread *= 3) {
        Range last = new Range(0, 0);
        for (int k = 0; k < LEVELS.size(); k++) {
          Range now = thresholds.bounds("e1", k, 0, spread);
          assertThat(now.low()).isLessThanOrEqualTo(last.low());
          assertThat(now.high()).isGreaterThanOrEqualTo(last.high());
          last = now;
        }
      }
    }
  }

  private static Thresholds learned(long seed) {
    var random = new Random(seed);
    var learner = new CoverageLearner(LEVELS, false);
    Thresholds served = Thresholds.none(LEVELS);
    for (int row = 0; row < 1_000; row++) {
      double spread = random.nextExponential() + 0.01;
      learner.add("e" + random.nextInt(3), spread * random.nextGaussian(), spread, served);
      served = row % EVERY == 0 ? learner.thresholds() : served;
    }
    return learner.thresholds();
  }

  @Test
  void beforeAnyLabel_everythingIsPromised() {
    Thresholds none = Thresholds.none(LEVELS);
    assertThat(none.bounds("e", 3, 7, 1)).isEqualTo(Range.ALL);
    assertThat(none.classes("e", 0, new double[] {0.1, 0.9})).containsExactly(0, 1);
    assertThat(new CoverageLearner(LEVELS, true).thresholds()).isEqualTo(none);
  }

  @Test
  void levels_ascendBetweenNoneAndAll() {
    assertThatThrownBy(() -> new CoverageLearner(List.of(0.9, 0.5), false))
        .hasMessage("levels of coverage must ascend, above 0 and below 1: [0.9, 0.5]");
    assertThatThrownBy(() -> Thresholds.none(List.of(1.0))).hasMessageContaining("below 1: [1.0]");
    assertThatThrownBy(() -> Thresholds.none(List.of())).hasMessageContaining("at least one level");
  }
}
