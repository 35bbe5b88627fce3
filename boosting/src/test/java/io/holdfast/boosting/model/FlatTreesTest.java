package io.holdfast.boosting.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.SampleModels;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.numeric.AllocatedBytes;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.TreeWalkScorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlatTreesTest {
  private static final int WIDTH = SampleRows.FEATURES.size();

  /** Present, finite or not, and next to thresholds; as a category known, unknown, or none. */
  private static final double[] EDGES = {
    -0.0,
    0,
    Math.nextDown(3.0),
    3,
    Math.nextUp(3.0),
    51,
    52,
    62,
    63,
    64,
    1e9,
    -1,
    0.5,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void add_anyModelAndFeatures_sameBitsAsTreeAfterTree(long seed) {
    var random = new SplittableRandom(seed);
    Model model =
        SampleModels.of(new Squared(), seed, 1 + random.nextInt(4), 1 + random.nextInt(9));
    FlatTrees trees = FlatTrees.of(model.segments(), WIDTH);
    for (int row = 0; row < 2000; row++) {
      double[] features = SampleRows.values(random);
      for (int column = 0; column < WIDTH; column++) {
        if (random.nextInt(6) == 0) {
          features[column] = EDGES[random.nextInt(EDGES.length)];
        }
      }
      assertThat(bits(trees, features)).as("%s", features).isEqualTo(bits(model, features));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void add_layoutsAndMissingValues_sameBitsAsTreeAfterTree(long seed) {
    var random = new SplittableRandom(seed);
    Segment any = fitting(seed);
    Segment numbers =
        new Segment(any.trees().stream().filter(FlatTreesTest::numeric).toList(), 0.7);
    List<Segment> segments = List.of(any, numbers, new Segment(List.of(vectorStump(), chain(64))));
    FlatTrees trees = FlatTrees.of(segments, WIDTH);
    assertThat(trees.complete()).isTrue();
    double[] features = new double[WIDTH];
    for (int row = 0; row < 3000; row++) {
      double[] drawn = SampleRows.values(random);
      for (int column = 0; column < WIDTH; column++) {
        features[column] =
            switch (random.nextInt(4)) { // columns are missing in one row and there in the next
              case 0 -> Double.NaN;
              case 1 -> EDGES[random.nextInt(EDGES.length)];
              default -> drawn[column];
            };
      }
      double[] walked = new double[2];
      for (Segment segment : segments) {
        segment.trees().forEach(tree -> tree.addTo(features, segment.decay(), walked, 0));
      }
      double[] target = new double[2];
      trees.add(features, target, 0);
      assertThat(target).as("%s", features).isEqualTo(walked);
    }
  }

  @Test
  void thresholdsAndCategoriesAtTheEdge_goWhereTheTreeSends() {
    for (double threshold : EDGES) {
      if (!Double.isNaN(threshold)) {
        assertSame(stump(0, threshold, new long[0]));
      }
    }
    for (long set : new long[] {1, 1L << 51, (1L << 52) - 1, 1L << 52, 1L << 63, -1}) {
      assertSame(stump(3, 0, new long[] {set}));
    }
    assertSame(stump(3, 0, new long[] {1, 1})); // categories beyond the first 64
  }

  @Test
  void segmentsThatFit_areLaidOut_othersAreWalked() {
    Tree fits = stump(3, 0, new long[] {(1L << 52) - 1});
    Tree high = stump(3, 0, new long[] {1L << 52});
    Tree number = stump(3, 0.5, new long[0]); // of what is a category to the others
    assertThat(laidOut(fits)).isEqualTo(1);
    assertThat(laidOut(high)).isZero();
    assertThat(laidOut(number)).isEqualTo(1);
    assertThat(laidOut(fits, high, number, fits)).isEqualTo(2);
    assertThat(laidOut(chain(64))).isEqualTo(1);
    assertThat(laidOut(chain(65))).isZero();
    assertSame(chain(64));
    assertSame(chain(65));
  }

  @Test
  void segmentsOfBefore_keepTheirLayout_withOtherWeights() {
    List<Segment> before = List.of(fitting(1), fitting(2), fitting(3));
    List<Segment> after = new ArrayList<>();
    for (Segment segment : before.reversed()) {
      after.add(new Segment(segment.trees(), 0.3));
    }
    FlatTrees known = FlatTrees.of(before, WIDTH);
    long start = AllocatedBytes.ofThisThread();
    FlatTrees trees = FlatTrees.of(after, WIDTH, known);
    long took = AllocatedBytes.ofThisThread() - start;

    assertThat(trees.bytes()).isEqualTo(known.bytes());
    assertThat(took).isLessThan(known.bytes() / 4);
    double[] features = SampleRows.values(new SplittableRandom(1));
    assertThat(bits(trees, features))
        .isEqualTo(bits(new Model(new Squared(), SampleRows.FEATURES, 0, after), features));
    assertThat(FlatTrees.of(List.of(), WIDTH + 1, known).bytes()).isZero();
  }

  @Test
  void segmentsOfBefore_thatDoNotFit_areNotTriedAgain() {
    List<Segment> before = List.of(new Segment(Collections.nCopies(100, chain(65))), fitting(1));
    FlatTrees known = FlatTrees.of(before, WIDTH);
    long start = AllocatedBytes.ofThisThread();
    FlatTrees trees = FlatTrees.of(before.reversed(), WIDTH, known);
    long took = AllocatedBytes.ofThisThread() - start;

    assertThat(known.laidOut()).isEqualTo(1);
    assertThat(trees.laidOut()).isEqualTo(1);
    assertThat(took).isLessThan(10_000); // to try takes 12 bytes a node, of which there are 13,100
  }

  @Test
  void add_allocatesNothing() {
    FlatTrees trees = FlatTrees.of(List.of(fitting(4), fitting(5)), WIDTH);
    double[] features = {1, 2, 3, 4};
    double[] missing = {1, Double.NaN, 3, -1};
    double[] target = new double[1];
    trees.add(features, target, 0);
    long start = AllocatedBytes.ofThisThread();
    for (int time = 0; time < 1000; time++) {
      trees.add(features, target, 0);
      trees.add(missing, target, 0);
    }
    assertThat(AllocatedBytes.ofThisThread() - start).isLessThan(1000);
  }

  private static void assertSame(Tree tree) {
    List<Segment> segments = List.of(new Segment(List.of(tree), 0.7));
    Model model = new Model(new Squared(), SampleRows.FEATURES, 0, segments);
    FlatTrees trees = FlatTrees.of(segments, WIDTH);
    for (double value : EDGES) {
      double[] features = {value, value, value, value};
      assertThat(bits(trees, features)).as("%s", value).isEqualTo(bits(model, features));
    }
  }

  /** How many of the trees are laid out, each in a segment of its own. */
  private static int laidOut(Tree... trees) {
    List<Segment> segments = Arrays.stream(trees).map(tree -> new Segment(List.of(tree))).toList();
    return FlatTrees.of(segments, WIDTH).laidOut();
  }

  /** Trees that can be laid out. */
  private static Segment fitting(long seed) {
    List<Tree> drawn = SampleModels.of(new Squared(), seed, 1, 100).segments().getFirst().trees();
    return new Segment(drawn.stream().filter(tree -> laidOut(tree) == 1).toList());
  }

  private static boolean numeric(Tree tree) {
    return IntStream.range(0, tree.innerNodes()).noneMatch(tree::categorical);
  }

  private static long bits(FlatTrees trees, double[] features) {
    double[] target = {17, 0, 17};
    trees.add(features, target, 1);
    assertThat(target[0]).isEqualTo(17);
    assertThat(target[2]).isEqualTo(17);
    return Double.doubleToRawLongBits(target[1]);
  }

  private static long bits(Model model, double[] features) {
    var treesAlone = new Model(model.objective(), model.features(), 0, model.segments());
    return Double.doubleToRawLongBits(new TreeWalkScorer(treesAlone).score(features));
  }

  private static Tree stump(int feature, double threshold, long[] categories) {
    return new Tree(
        new int[] {feature},
        new double[] {threshold},
        new boolean[] {true},
        new long[][] {categories},
        new int[] {-1},
        new int[] {-2},
        new double[] {-1, 2});
  }

  /** Of two values a leaf. */
  private static Tree vectorStump() {
    return new Tree(
        new int[] {1},
        new double[] {3},
        new boolean[] {false},
        new long[1][0],
        new int[] {-1},
        new int[] {-2},
        new Tree.Leaves(new double[] {1, 2, 3, 4}, 0, 2));
  }

  /** A node below the other, each to the right. */
  private static Tree chain(int nodes) {
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    double[] thresholds = new double[nodes];
    double[] values = new double[nodes + 1];
    for (int node = 0; node < nodes; node++) {
      left[node] = -1 - node;
      right[node] = node + 1 < nodes ? node + 1 : -1 - nodes;
      thresholds[node] = node;
      values[node] = node;
    }
    return new Tree(
        new int[nodes], thresholds, new boolean[nodes], new long[nodes][0], left, right, values);
  }
}
