package io.holdfast.exchange;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Random models of ours: all kinds of features, trees, weights and objectives. */
final class RandomModel {
  private static final List<String> OBJECTIVES =
      List.of(
          "squared",
          "absolute",
          "huber",
          "quantile",
          "logistic",
          "probit",
          "exponential",
          "softmax",
          "ordinal",
          "beta",
          "gamma",
          "poisson",
          "tweedie");
  private static final Map<String, Map<String, Double>> PARAMETERS =
      Map.of(
          "huber", Map.of("delta", 1.5),
          "quantile", Map.of("alpha", 0.3),
          "softmax", Map.of("classes", 3.0),
          "ordinal", Map.of("classes", 4.0, "theta1", -1.0, "theta2", 0.25, "theta3", 1.5),
          "tweedie", Map.of("power", 1.3));

  private final SplittableRandom random;
  private final List<Feature> features = new ArrayList<>();

  private RandomModel(int number) {
    random = new SplittableRandom(number * 31L + 5);
  }

  /** The model of a number. */
  static Model of(int number) {
    return new RandomModel(number).model(OBJECTIVES.get(number % OBJECTIVES.size()));
  }

  private Model model(String name) {
    Objective objective = Objective.of(name, PARAMETERS.getOrDefault(name, Map.of()));
    int width = 1 + random.nextInt(5);
    for (int column = 0; column < width; column++) {
      features.add(feature("x" + column));
    }
    int outputs = objective.outputs();
    double[] base = new double[outputs];
    for (int k = 0; k < outputs; k++) {
      base[k] = random.nextDouble(-1, 1);
    }
    List<Segment> segments = new ArrayList<>();
    for (int k = random.nextInt(4); k > 0; k--) {
      List<Tree> trees = new ArrayList<>();
      for (int tree = 1 + random.nextInt(4); tree > 0; tree--) {
        trees.add(tree(outputs));
      }
      segments.add(new Segment(trees, random.nextBoolean() ? 1 : random.nextDouble(0.1, 1)));
    }
    return new Model(objective, features, Base.constant(base), segments);
  }

  private Feature feature(String name) {
    if (random.nextInt(3) > 0) {
      return new Feature.Numeric(name, random.nextInt(4) == 0);
    }
    List<String> categories = new ArrayList<>();
    for (int code = 1 + random.nextInt(random.nextBoolean() ? 6 : 100); code > 0; code--) {
      categories.add("ä \"" + code);
    }
    return new Feature.Categorical(name, categories, random.nextInt(3) == 0);
  }

  private Tree tree(int outputs) {
    int nodes = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(random.nextBoolean() ? 3 : 40);
    boolean vector = outputs > 1 && random.nextBoolean();
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    grow(left, right);
    int[] feature = new int[nodes];
    double[] threshold = new double[nodes];
    boolean[] missingLeft = new boolean[nodes];
    long[][] sets = new long[nodes][];
    @Nullable CategoryGroups[] groups = new @Nullable CategoryGroups[nodes];
    for (int node = 0; node < nodes; node++) {
      feature[node] = random.nextInt(features.size());
      missingLeft[node] = random.nextBoolean();
      sets[node] = new long[0];
      if (features.get(feature[node]) instanceof Feature.Categorical categorical) {
        int codes = categorical.categories().size();
        sets[node] = new long[] {random.nextLong() & (codes < 64 ? (1L << codes) - 1 : -1)};
        if (codes > 20 && random.nextBoolean()) {
          int[] groupOf = new int[codes];
          for (int code = 0; code < codes; code++) {
            groupOf[code] = random.nextInt(-1, 5);
          }
          groups[node] = new CategoryGroups(5, groupOf);
          sets[node][0] &= 31;
        }
      } else {
        threshold[node] = random.nextInt(4) == 0 ? random.nextInt(-2, 3) : random.nextDouble(-3, 3);
      }
    }
    int places = vector ? outputs : 1;
    double[] values = new double[(nodes + 1) * places];
    for (int k = 0; k < values.length; k++) {
      values[k] = random.nextDouble(-0.5, 0.5);
    }
    Tree tree =
        new Tree(
            feature,
            threshold,
            missingLeft,
            sets,
            left,
            right,
            new Tree.Leaves(values, vector ? 0 : random.nextInt(outputs), places));
    return tree.withCategoryGroups(groups);
  }

  /** A random shape: each node after the first hangs where a leaf was. */
  private void grow(int[] left, int[] right) {
    List<int[]> open = new ArrayList<>(); // a node and its side
    for (int node = 0; node < left.length; node++) {
      if (node > 0) {
        int[] at = open.remove(random.nextInt(open.size()));
        (at[1] == 0 ? left : right)[at[0]] = node;
      }
      open.add(new int[] {node, 0});
      open.add(new int[] {node, 1});
    }
    int leaf = -1;
    for (int[] at : open) {
      (at[1] == 0 ? left : right)[at[0]] = leaf--;
    }
  }

  /** Rows as our decoder gives them, codes of categories that are known or other, and gaps. */
  static double[][] rows(Model model, int count, SplittableRandom random) {
    return rows(model, count, random, false);
  }

  /** The same, perhaps with infinite values. */
  static double[][] rows(Model model, int count, SplittableRandom random, boolean ends) {
    boolean[] none = new boolean[model.features().size()];
    double[][] rows = OddRows.of(model, none, count, ends, random);
    for (double[] row : rows) {
      for (int column = 0; column < row.length; column++) {
        if (model.features().get(column) instanceof Feature.Categorical categorical) {
          int codes = categorical.categories().size() + (categorical.otherCategory() ? 1 : 0);
          row[column] = random.nextInt(5) == 0 ? Double.NaN : random.nextInt(codes);
        }
      }
    }
    return rows;
  }
}
