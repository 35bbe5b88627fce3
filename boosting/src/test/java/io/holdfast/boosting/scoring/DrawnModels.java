package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Models and rows drawn from a seed to be as awkward as allowed: chains and bushes, constant trees,
 * thresholds that are equal, infinite, signed zeros, one unit in the last place apart or between
 * two floats, missing values either way, many categories, vector leaves, linear bases, decays.
 * Stateless.
 */
final class DrawnModels {
  /**
   * What a model looks like.
   *
   * @param width features
   * @param outputs 1, or the classes of a softmax
   * @param trees of all segments
   * @param maxLeaves of a tree; leaves are drawn up to that
   * @param chains whether trees are as deep as they can be
   * @param maxDepth tests from the root to a leaf at most
   * @param categories whether every fourth feature is categorical
   */
  record Shape(
      int width,
      int outputs,
      int trees,
      int maxLeaves,
      boolean chains,
      boolean linear,
      int maxDepth,
      boolean categories) {
    Shape(int width, int outputs, int trees, int maxLeaves, boolean chains, boolean linear) {
      this(width, outputs, trees, maxLeaves, chains, linear, Integer.MAX_VALUE, true);
    }

    /** A shape of numbers alone. */
    static Shape ofNumbers(int width, int trees, int maxLeaves, boolean chains) {
      return new Shape(width, 1, trees, maxLeaves, chains, false, Integer.MAX_VALUE, false);
    }

    private boolean categorical(int feature) {
      return categories && DrawnModels.categorical(feature);
    }
  }

  private static final int CATEGORIES = 200;
  private static final CategoryGroups[] GROUPS = {groups(1), groups(2)};

  private DrawnModels() {}

  static Model model(Shape shape, long seed) {
    var random = new SplittableRandom(seed);
    List<Segment> segments = new ArrayList<>();
    List<Tree> some = new ArrayList<>();
    for (int tree = 0; tree < shape.trees; tree++) {
      some.add(tree(shape, random, random.nextInt(shape.maxLeaves)));
      if (random.nextInt(20) == 0) {
        segments.add(new Segment(some, random.nextInt(3) == 0 ? 1 : 0.3 + random.nextDouble()));
        some = new ArrayList<>();
      }
    }
    segments.add(new Segment(some));
    Objective objective = shape.outputs == 1 ? new Squared() : new Softmax(shape.outputs);
    return new Model(objective, features(shape), base(shape, random), segments);
  }

  private static boolean categorical(int feature) {
    return feature % 4 == 3;
  }

  private static List<Feature> features(Shape shape) {
    List<String> categories = IntStream.range(0, CATEGORIES).mapToObj(code -> "c" + code).toList();
    List<Feature> features = new ArrayList<>();
    for (int k = 0; k < shape.width; k++) {
      features.add(
          shape.categorical(k)
              ? new Feature.Categorical("x" + k, categories)
              : new Feature.Numeric("x" + k));
    }
    return features;
  }

  private static Base base(Shape shape, SplittableRandom random) {
    double[] intercepts = random.doubles(shape.outputs, -1, 1).toArray();
    if (!shape.linear) {
      return Base.constant(intercepts);
    }
    List<LinearTerm> terms = new ArrayList<>();
    for (int k = 0; k < shape.width; k += 3) {
      terms.add(
          shape.categorical(k)
              ? new LinearTerm.Categorical(
                  k, shape.outputs, random.doubles(7L * shape.outputs, -1, 1).toArray())
              : new LinearTerm.Numeric(
                  k, random.nextDouble(), random.doubles(shape.outputs, -1, 1).toArray()));
    }
    return Base.linear(intercepts, terms);
  }

  private static Tree tree(Shape shape, SplittableRandom random, int drawn) {
    int nodes = shape.maxDepth < 30 ? Math.min(drawn, (1 << shape.maxDepth) - 1) : drawn;
    int[] feature = new int[nodes];
    double[] threshold = new double[nodes];
    boolean[] missingLeft = new boolean[nodes];
    long[][] set = new long[nodes][];
    int[][] child = new int[2][nodes]; // left, right
    int[] depth = new int[nodes];
    List<int[]> open = new ArrayList<>(); // (parent, side)
    List<int[]> deepest = new ArrayList<>(); // the same, of leaves alone
    for (int node = 0; node < nodes; node++) {
      if (node > 0) {
        int last = open.size() - 1;
        int[] place =
            open.remove(shape.chains ? last - random.nextInt(2) : random.nextInt(last + 1));
        child[place[1]][place[0]] = node;
        depth[node] = depth[place[0]] + 1;
      }
      feature[node] = random.nextInt(shape.width);
      missingLeft[node] = random.nextBoolean();
      threshold[node] = shape.categorical(feature[node]) ? 0 : threshold(random);
      set[node] = shape.categorical(feature[node]) ? set(random) : new long[0];
      List<int[]> places = depth[node] + 1 < shape.maxDepth ? open : deepest;
      places.add(new int[] {node, 0});
      places.add(new int[] {node, 1});
    }
    open.addAll(deepest);
    for (int leaf = 0; leaf <= nodes && nodes > 0; leaf++) {
      int[] place = open.remove(random.nextInt(open.size()));
      child[place[1]][place[0]] = -1 - leaf;
    }
    boolean vector = shape.outputs > 1 && random.nextBoolean();
    int values = vector ? shape.outputs : 1;
    var leaves =
        new Tree.Leaves(
            random.doubles((nodes + 1L) * values, -1, 1).toArray(),
            vector ? 0 : random.nextInt(shape.outputs),
            values);
    return new Tree(feature, threshold, missingLeft, set, child[0], child[1], leaves)
        .withCategoryGroups(groups(set, random));
  }

  /** Of some categorical nodes: one of two, which more than one tree has. */
  private static @Nullable CategoryGroups[] groups(long[][] set, SplittableRandom random) {
    @Nullable CategoryGroups[] groups = new @Nullable CategoryGroups[set.length];
    for (int node = 0; node < set.length; node++) {
      if (set[node].length > 0) {
        int kind = random.nextInt(4);
        groups[node] = kind < 2 ? GROUPS[kind] : null;
      }
    }
    return groups;
  }

  private static CategoryGroups groups(long seed) {
    var random = new SplittableRandom(seed);
    return new CategoryGroups(180, random.ints(190, -1, 180).toArray());
  }

  private static double threshold(SplittableRandom random) {
    return switch (random.nextInt(14)) {
      case 0 -> Double.POSITIVE_INFINITY;
      case 1 -> Double.NEGATIVE_INFINITY;
      case 2 -> Double.MAX_VALUE;
      case 3 -> -Double.MAX_VALUE;
      case 4 -> 0.0;
      case 5 -> -0.0;
      case 6 -> Double.MIN_VALUE;
      case 7 -> random.nextInt(-3, 4);
      case 8 -> Math.nextUp((double) random.nextInt(-3, 4));
      case 9 -> (float) 0.1; // a float, and beside it the double that is none
      case 10 -> 0.1;
      default -> 4 * random.nextDouble() - 2;
    };
  }

  private static long[] set(SplittableRandom random) {
    long[] set = new long[1 + random.nextInt(3)];
    for (int word = 0; word < set.length; word++) {
      set[word] = random.nextLong();
    }
    return set;
  }

  /** Rows one after the other: values about the thresholds, and all that is no number. */
  static double[] rows(int width, int rows, long seed) {
    var random = new SplittableRandom(seed);
    double[] values = new double[rows * width];
    for (int k = 0; k < values.length; k++) {
      values[k] = value(random, categorical(k % width));
    }
    return values;
  }

  private static double value(SplittableRandom random, boolean categorical) {
    return switch (random.nextInt(16)) {
      case 0, 1 -> Double.NaN;
      case 2 -> Double.POSITIVE_INFINITY;
      case 3 -> Double.NEGATIVE_INFINITY;
      case 4 -> -0.0;
      case 5 -> Double.MIN_VALUE;
      case 6 -> (float) 0.1;
      case 7 -> 0.1;
      case 8 -> categorical ? 1e9 : Double.MAX_VALUE;
      case 9 -> categorical ? -1 : -Double.MAX_VALUE;
      case 10 -> categorical ? 2.5 : Math.nextDown((double) random.nextInt(-3, 4));
      default -> categorical ? random.nextInt(CATEGORIES + 5) : edge(random);
    };
  }

  private static double edge(SplittableRandom random) {
    double whole = random.nextInt(-3, 4);
    return switch (random.nextInt(3)) {
      case 0 -> whole;
      case 1 -> Math.nextUp(whole);
      default -> 4 * random.nextDouble() - 2;
    };
  }
}
