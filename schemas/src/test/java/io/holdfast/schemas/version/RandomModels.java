package io.holdfast.schemas.version;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.InputRange;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.Huber;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.objective.Thresholds;
import io.holdfast.boosting.objective.Tweedie;
import io.holdfast.schemas.avro.OffsetRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Random models and versions of them, from a seed. */
public final class RandomModels {
  public static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("temp"),
          new Feature.Categorical("city", List.of("Bonn", "Köln", "")),
          new Feature.Numeric("station.id"));

  private final SplittableRandom random;

  public RandomModels(long seed) {
    random = new SplittableRandom(seed);
  }

  public Segment segment(int trees, int leaves) {
    List<Tree> grown = new ArrayList<>();
    for (int i = 0; i < trees; i++) {
      grown.add(tree(leaves));
    }
    return new Segment(grown);
  }

  /** A tree that is as deep as it can be. */
  public Segment chain(int leaves) {
    int nodes = leaves - 1;
    int[] feature = new int[nodes];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      left[node] = -1 - node;
      right[node] = node + 1 < nodes ? node + 1 : -1 - leaves + 1;
    }
    double[] thresholds = random.doubles(nodes, -3, 3).toArray();
    double[] values = random.doubles(leaves, -1, 1).toArray();
    long[][] sets = new long[nodes][0];
    return new Segment(
        List.of(new Tree(feature, thresholds, new boolean[nodes], sets, left, right, values)));
  }

  /** Inner nodes at random places, so that depth and shape vary. */
  Tree tree(int leaves) {
    int nodes = leaves - 1;
    int[] feature = new int[nodes];
    double[] threshold = new double[nodes];
    boolean[] missingLeft = new boolean[nodes];
    long[][] sets = new long[nodes][];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    List<int[]> open = new ArrayList<>();
    int nextLeaf = 0;
    for (int node = 0; node < nodes; node++) {
      feature[node] = random.nextInt(FEATURES.size());
      boolean categorical = feature[node] == 1;
      sets[node] = categorical ? new long[] {random.nextLong()} : new long[0];
      threshold[node] = categorical ? 0 : random.nextDouble(-3, 3);
      missingLeft[node] = random.nextBoolean();
      if (node > 0) {
        int[] slot = open.remove(random.nextInt(open.size()));
        (slot[1] == 0 ? left : right)[slot[0]] = node;
      }
      open.add(new int[] {node, 0});
      open.add(new int[] {node, 1});
    }
    for (int[] slot : open) {
      (slot[1] == 0 ? left : right)[slot[0]] = -1 - nextLeaf++;
    }
    double[] values = random.doubles(leaves, -1, 1).toArray();
    return new Tree(feature, threshold, missingLeft, sets, left, right, values);
  }

  /** Objectives of every kind, with learned parameters where there are such. */
  static final List<Objective> OBJECTIVES =
      List.of(
          new Squared(),
          new Huber(1.5),
          new Quantile(0.9),
          new Logistic(),
          new Softmax(3),
          new Softmax(12),
          new Ordinal(4, OrdinalLink.PROBIT, Thresholds.of(-1.1, 0.3, 0.30000000000000004)),
          new Ordinal(3, OrdinalLink.LOGIT),
          new Beta(17.25, true),
          Beta.ofPrecision(3),
          new Poisson(),
          new Tweedie(1.3));

  /** A model of trees of each class, of trees of vectors, or of both, on any base. */
  Model model(Objective objective) {
    int outputs = objective.outputs();
    List<Segment> segments = new ArrayList<>();
    for (int segment = random.nextInt(1, 4); segment > 0; segment--) {
      List<Tree> trees = new ArrayList<>();
      for (int tree = random.nextInt(1, 8); tree > 0; tree--) {
        int width = random.nextBoolean() ? 1 : outputs;
        trees.add(tree(random.nextInt(1, 9), random.nextInt(outputs - width + 1), width));
      }
      segments.add(new Segment(trees, random.nextBoolean() ? 1 : random.nextDouble()));
    }
    return new Model(objective, FEATURES, base(outputs), segments);
  }

  private Base base(int outputs) {
    double[] constants = random.doubles(outputs, -2, 2).toArray();
    List<LinearTerm> terms = new ArrayList<>();
    if (random.nextBoolean()) {
      InputRange range =
          random.nextBoolean() ? InputRange.EVERYTHING : new InputRange(-random.nextDouble(), 2);
      terms.add(new LinearTerm.Numeric(0, random.nextDouble(), range, doubles(outputs)));
    }
    if (random.nextBoolean()) {
      terms.add(new LinearTerm.Categorical(1, outputs, doubles(outputs * random.nextInt(1, 4))));
    }
    return Base.linear(constants, terms);
  }

  private double[] doubles(int count) {
    return random.doubles(count, -1, 1).toArray();
  }

  private Tree tree(int leaves, int output, int outputs) {
    Tree shape = tree(leaves);
    int nodes = shape.innerNodes();
    int[] features = new int[nodes];
    double[] thresholds = new double[nodes];
    boolean[] missingLeft = new boolean[nodes];
    long[][] sets = new long[nodes][];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      features[node] = shape.feature(node);
      thresholds[node] = shape.threshold(node);
      missingLeft[node] = shape.missingLeft(node);
      sets[node] = shape.categorySet(node);
      left[node] = shape.left(node);
      right[node] = shape.right(node);
    }
    Tree tree =
        new Tree(
            features,
            thresholds,
            missingLeft,
            sets,
            left,
            right,
            new Tree.Leaves(doubles(leaves * outputs), output, outputs));
    Tree known = random.nextBoolean() ? tree : tree.withStatistics(floats(nodes), floats(leaves));
    return known.withCategoryGroups(groups(sets));
  }

  /** Of some categorical nodes. */
  private @Nullable CategoryGroups[] groups(long[][] sets) {
    @Nullable CategoryGroups[] groups = new @Nullable CategoryGroups[sets.length];
    for (int node = 0; node < sets.length; node++) {
      if (sets[node].length > 0 && random.nextBoolean()) {
        int count = random.nextBoolean() ? 3 : 300;
        int[] groupOf = random.ints(random.nextInt(5), -1, count).toArray();
        groups[node] = new CategoryGroups(count, groupOf);
      }
    }
    return groups;
  }

  private float[] floats(int count) {
    float[] floats = new float[count];
    for (int i = 0; i < count; i++) {
      floats[i] = (float) random.nextDouble(100);
    }
    return floats;
  }

  public double[] row() {
    return new double[] {
      random.nextInt(5) == 0 ? Double.NaN : random.nextDouble(-4, 4),
      random.nextInt(5) == 0 ? Double.NaN : random.nextInt(3),
      random.nextDouble(-4, 4)
    };
  }

  public static Model untrained() {
    return new Model(new Logistic(), FEATURES, 0, List.of());
  }

  public static LedgerCodec.Draft draft(@Nullable LedgerVersion parent, Model trained) {
    return new LedgerCodec.Draft(
        "bikes",
        parent == null ? 0 : parent.number() + 1,
        parent,
        trained,
        7,
        List.of(new OffsetRange("bikes.examples", 0, 0L, 100L)),
        List.of(),
        List.of("spring", "summer"),
        42,
        "{}",
        Map.of("rows", 100.0, "anchorLossBefore", 3.0, "anchorLossAfter", 2.0),
        "0.1.0");
  }
}
