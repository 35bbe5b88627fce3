package io.holdfast.boosting;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Models made from a seed, not trained: trees of every shape over {@link SampleRows#FEATURES}, with
 * thresholds that are infinite or one of the sample's values, and decays other than 1. Stateless.
 */
public final class SampleModels {
  private SampleModels() {}

  /** A model of {@code segments} segments with {@code trees} trees each. */
  public static Model of(Objective objective, long seed, int segments, int trees) {
    var random = new SplittableRandom(seed);
    List<Segment> all = new ArrayList<>();
    for (int segment = 0; segment < segments; segment++) {
      List<Tree> some = new ArrayList<>();
      for (int tree = 0; tree < trees; tree++) {
        some.add(tree(random, random.nextInt(12)));
      }
      all.add(new Segment(some, segment % 2 == 0 ? 1 : 0.1 + random.nextDouble()));
    }
    return new Model(objective, SampleRows.FEATURES, random.nextDouble() - 0.5, all);
  }

  /** The same model with gains and covers drawn at random; some leaves are not covered. */
  public static Model withStatistics(Model model, long seed) {
    var random = new SplittableRandom(seed);
    List<Segment> segments = new ArrayList<>();
    for (Segment segment : model.segments()) {
      List<Tree> trees = new ArrayList<>();
      for (Tree tree : segment.trees()) {
        float[] gains = new float[tree.innerNodes()];
        float[] covers = new float[tree.leaves()];
        for (int node = 0; node < gains.length; node++) {
          gains[node] = (float) (10 * random.nextDouble());
        }
        for (int leaf = 0; leaf < covers.length; leaf++) {
          covers[leaf] = random.nextInt(8) == 0 ? 0 : (float) (100 * random.nextDouble());
        }
        trees.add(tree.withStatistics(gains, covers));
      }
      segments.add(new Segment(trees, segment.decay()));
    }
    return new Model(model.objective(), model.features(), model.base(), segments);
  }

  /** A tree of that many inner nodes, each split off a leaf drawn at random. */
  public static Tree tree(SplittableRandom random, int nodes) {
    int[] feature = new int[nodes];
    double[] threshold = new double[nodes];
    boolean[] missingLeft = new boolean[nodes];
    long[][] categorySet = new long[nodes][];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    List<int[]> open = new ArrayList<>(); // (parent, 0 for left or 1 for right)
    for (int node = 0; node < nodes; node++) {
      if (node > 0) {
        int[] place = open.remove(random.nextInt(open.size()));
        (place[1] == 0 ? left : right)[place[0]] = node;
      }
      feature[node] = random.nextInt(SampleRows.FEATURES.size());
      missingLeft[node] = random.nextBoolean();
      boolean categorical = SampleRows.FEATURES.get(feature[node]) instanceof Feature.Categorical;
      threshold[node] = categorical ? 0 : threshold(random);
      categorySet[node] = categorical ? categorySet(random) : new long[0];
      open.add(new int[] {node, 0});
      open.add(new int[] {node, 1});
    }
    double[] values = new double[nodes + 1];
    for (int leaf = 0; leaf < values.length; leaf++) {
      values[leaf] = random.nextDouble() - 0.5;
      if (nodes > 0) {
        int[] place = open.remove(random.nextInt(open.size()));
        (place[1] == 0 ? left : right)[place[0]] = -1 - leaf;
      }
    }
    return new Tree(feature, threshold, missingLeft, categorySet, left, right, values);
  }

  private static double threshold(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> Double.POSITIVE_INFINITY;
      case 1 -> Double.NEGATIVE_INFINITY;
      case 2 -> Double.MAX_VALUE;
      case 3, 4 -> random.nextInt(10); // the values of `level`, exactly
      default -> 4 * random.nextDouble() - 2;
    };
  }

  private static long[] categorySet(SplittableRandom random) {
    return random.nextInt(4) == 0
        ? new long[] {random.nextLong(), random.nextLong(1, Long.MAX_VALUE)}
        : new long[] {random.nextLong(1, 32)};
  }
}
