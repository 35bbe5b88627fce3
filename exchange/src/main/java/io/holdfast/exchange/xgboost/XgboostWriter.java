package io.holdfast.exchange.xgboost;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.exchange.document.JsonText;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ExportedModel;
import io.holdfast.exchange.foreign.PlainTrees;
import io.holdfast.exchange.foreign.PlainTrees.PlainTree;
import io.holdfast.schemas.ColumnName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Models of ours as XGBoost's JSON. Of one model; not thread-safe.
 *
 * <p>A first tree of one leaf is the base of a raw score, and base_score what the link makes 0 of.
 * Thresholds become the nearest ones among floats: a value changes sides only if it is nearer to
 * its threshold than two floats are to each other. Children of categories are swapped, as those
 * that are named go right there.
 */
public final class XgboostWriter {
  private static final int NO_PARENT = Integer.MAX_VALUE;

  private final Model model;
  private final PlainTrees trees;
  private final List<String> notes = new ArrayList<>();
  private final double factor; // of raw scores

  private XgboostWriter(Model model) throws ExchangeException {
    this.model = model;
    trees = PlainTrees.of(model, "XGBoost");
    factor = model.objective().name().equals("exponential") ? 2 : 1;
  }

  /** Writes a model, if XGBoost can say it. */
  public static ExportedModel write(Model model) throws ExchangeException {
    var writer = new XgboostWriter(model);
    List<String> zeros = PlainTrees.zeroMissing(model);
    if (!zeros.isEmpty()) {
      writer.notes.add(
          "Zeros of " + String.join(", ", zeros) + " are missing: give XGBoost NaN for them.");
    }
    return ExportedModel.of(JsonText.of(writer.document()), writer.notes);
  }

  private Map<String, Object> document() {
    Objective objective = objective();
    Map<String, Object> trained = trees();
    trained.put("cats", categories());
    Map<String, Object> booster = new LinkedHashMap<>();
    booster.put("name", "gbtree");
    booster.put("model", trained);
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("base_score", objective.baseScore);
    parameters.put("boost_from_average", "1");
    parameters.put("num_class", outputs() == 1 ? "0" : Integer.toString(outputs()));
    parameters.put("num_feature", Integer.toString(model.features().size()));
    parameters.put("num_target", "1");
    Map<String, Object> link = new LinkedHashMap<>();
    link.put("name", objective.name);
    link.put(objective.group, Map.of(objective.parameter, objective.value));
    Map<String, Object> learner = new LinkedHashMap<>();
    learner.put("attributes", Map.of());
    learner.put(
        "feature_names",
        model.features().stream().map(feature -> ColumnName.of(feature.name())).toList());
    learner.put(
        "feature_types",
        model.features().stream()
            .map(feature -> feature instanceof Feature.Categorical ? "c" : "float")
            .toList());
    learner.put("gradient_booster", booster);
    learner.put("learner_model_param", parameters);
    learner.put("objective", link);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("version", new int[] {2, 1, 4});
    document.put("learner", learner);
    return document;
  }

  private int outputs() {
    return model.base().outputs();
  }

  /** An objective of XGBoost's, with a group of one parameter, and the score of which 0 is made. */
  private record Objective(
      String name, String group, String parameter, String value, String baseScore) {}

  private Objective objective() {
    String ours = model.objective().name();
    Map<String, Double> parameters = model.objective().parameters();
    return switch (ours) {
      case "squared", "huber" -> weighted("reg:squarederror", "0");
      case "absolute" -> weighted("reg:absoluteerror", "0");
      case "quantile" ->
          new Objective(
              "reg:quantileerror",
              "quantile_loss_param",
              "quantile_alpha",
              "[" + parameters.get("alpha") + "]",
              "0");
      case "logistic", "exponential" -> weighted("binary:logistic", "5E-1");
      case "beta" -> weighted("reg:logistic", "5E-1");
      case "poisson" ->
          new Objective("count:poisson", "poisson_regression_param", "max_delta_step", "7E-1", "1");
      case "gamma" -> weighted("reg:gamma", "1");
      case "tweedie" ->
          new Objective(
              "reg:tweedie",
              "tweedie_regression_param",
              "tweedie_variance_power",
              "" + parameters.get("power"),
              "1");
      case "softmax" ->
          new Objective(
              "multi:softprob", "softmax_multiclass_param", "num_class", "" + outputs(), "0");
      default -> {
        notes.add("XGBoost has no link of objective " + ours + ": its predictions are raw scores.");
        yield weighted("reg:squarederror", "0");
      }
    };
  }

  private static Objective weighted(String name, String baseScore) {
    return new Objective(name, "reg_loss_param", "scale_pos_weight", "1", baseScore);
  }

  /** Names of categories, one after the other, as versions from 3.1 on have them. */
  private Map<String, Object> categories() {
    int columns = model.features().size();
    boolean any = model.features().stream().anyMatch(Feature.Categorical.class::isInstance);
    int[] segments = new int[any ? columns + 1 : 0];
    List<Integer> sorted = new ArrayList<>();
    List<Object> texts = new ArrayList<>();
    for (int column = 0; any && column < columns; column++) {
      List<byte[]> names =
          PlainTrees.categories(model, column).stream()
              .map(name -> name.getBytes(StandardCharsets.UTF_8))
              .toList();
      IntStream.range(0, names.size())
          .boxed()
          .sorted((a, b) -> Arrays.compareUnsigned(names.get(a), names.get(b)))
          .forEach(sorted::add);
      segments[column + 1] = segments[column] + names.size();
      texts.add(texts(names));
    }
    Map<String, Object> categories = new LinkedHashMap<>();
    categories.put("enc", texts);
    categories.put("feature_segments", segments);
    categories.put("sorted_idx", sorted);
    return categories;
  }

  private static Map<String, Object> texts(List<byte[]> names) {
    int[] offsets = new int[names.isEmpty() ? 0 : names.size() + 1];
    List<Integer> values = new ArrayList<>();
    for (int k = 0; k < names.size(); k++) {
      offsets[k + 1] = offsets[k] + names.get(k).length;
      for (byte value : names.get(k)) {
        values.add((int) value);
      }
    }
    Map<String, Object> texts = new LinkedHashMap<>();
    texts.put("values", values);
    texts.put("offsets", offsets);
    return texts;
  }

  private Map<String, Object> trees() {
    int count = outputs() + trees.all().size();
    int[] info = new int[count];
    List<Object> documents = new ArrayList<>();
    for (int k = 0; k < outputs(); k++) {
      info[k] = k;
      Nodes leaf = new Nodes(1);
      leaf.conditions[0] = (float) (factor * model.base().intercept(k));
      documents.add(leaf.document(k, model.features().size()));
    }
    for (PlainTree tree : trees.all()) {
      int number = documents.size();
      info[number] = tree.output();
      documents.add(nodes(tree).document(number, model.features().size()));
    }
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("num_parallel_tree", "1");
    parameters.put("num_trees", Integer.toString(count));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("gbtree_model_param", parameters);
    all.put("trees", documents);
    all.put("tree_info", info);
    // Where one round ends and the next begins; trees of a round need not be of all classes.
    all.put("iteration_indptr", new int[] {0, count});
    return all;
  }

  /** The arrays of one tree, an entry a node, leaves among them. */
  private static final class Nodes {
    final int[] left;
    final int[] right;
    final int[] parents;
    final int[] indices;
    final int[] types;
    final int[] defaultLeft;
    final float[] conditions;
    final float[] changes;
    final float[] hessians;
    final SortedMap<Integer, int[]> codes = new TreeMap<>(); // of categorical nodes

    Nodes(int count) {
      left = new int[count];
      right = new int[count];
      parents = new int[count];
      indices = new int[count];
      types = new int[count];
      defaultLeft = new int[count];
      conditions = new float[count];
      changes = new float[count];
      hessians = new float[count];
      Arrays.fill(left, -1);
      Arrays.fill(right, -1);
      Arrays.fill(parents, NO_PARENT);
    }

    Map<String, Object> document(int number, int features) {
      int[] sizes = codes.values().stream().mapToInt(of -> of.length).toArray();
      int[] starts = new int[sizes.length];
      for (int k = 1; k < starts.length; k++) {
        starts[k] = starts[k - 1] + sizes[k - 1];
      }
      Map<String, Object> parameters = new LinkedHashMap<>();
      parameters.put("num_deleted", "0");
      parameters.put("num_feature", Integer.toString(features));
      parameters.put("num_nodes", Integer.toString(left.length));
      parameters.put("size_leaf_vector", "1");
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("id", number);
      tree.put("base_weights", new float[left.length]);
      tree.put("categories", codes.values().stream().flatMapToInt(Arrays::stream).toArray());
      tree.put("categories_nodes", codes.keySet());
      tree.put("categories_segments", starts);
      tree.put("categories_sizes", sizes);
      tree.put("default_left", defaultLeft);
      tree.put("left_children", left);
      tree.put("loss_changes", changes);
      tree.put("parents", parents);
      tree.put("right_children", right);
      tree.put("split_conditions", conditions);
      tree.put("split_indices", indices);
      tree.put("split_type", types);
      tree.put("sum_hessian", hessians);
      tree.put("tree_param", parameters);
      return tree;
    }
  }

  private Nodes nodes(PlainTree plain) {
    Tree tree = plain.from();
    int[] places = places(tree);
    int inner = tree.innerNodes();
    Nodes nodes = new Nodes(2 * inner + 1);
    for (int node = 0; node < inner; node++) {
      boolean categorical = tree.categorical(node);
      int place = places[node];
      int left = places[child(tree, first(tree, node))];
      nodes.left[place] = left;
      nodes.right[place] = left + 1;
      nodes.parents[left] = place;
      nodes.parents[left + 1] = place;
      nodes.indices[place] = tree.feature(node);
      nodes.changes[place] = tree.hasStatistics() ? tree.gain(node) : 0;
      nodes.defaultLeft[place] = tree.missingLeft(node) != categorical ? 1 : 0;
      if (categorical) {
        nodes.types[place] = 1;
        nodes.codes.put(place, codes(tree, node));
      } else {
        nodes.conditions[place] = FloatThreshold.below(tree.threshold(node));
      }
    }
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      int place = places[inner + leaf];
      nodes.conditions[place] = (float) (factor * plain.value(leaf));
      nodes.hessians[place] = tree.hasStatistics() ? tree.leafCover(leaf) : 0;
    }
    return nodes;
  }

  /**
   * Where XGBoost has each node, inner ones first and then leaves: it finds a right child behind
   * the left one, whatever the lists say.
   */
  private static int[] places(Tree tree) {
    int inner = tree.innerNodes();
    int[] places = new int[2 * inner + 1];
    int next = 1;
    for (int node = 0; node < inner; node++) { // parents come before their children
      boolean swapped = tree.categorical(node);
      places[child(tree, first(tree, node))] = next++;
      places[child(tree, swapped ? tree.left(node) : tree.right(node))] = next++;
    }
    return places;
  }

  /** The child that is the left one there. */
  private static int first(Tree tree, int node) {
    return tree.categorical(node) ? tree.right(node) : tree.left(node);
  }

  /** Inner nodes by their numbers, leaves after them. */
  private static int child(Tree tree, int child) {
    return child < 0 ? tree.innerNodes() - 1 - child : child;
  }

  /** At least one: where there is none, a code behind that of another category. */
  private int[] codes(Tree tree, int node) {
    int[] codes = trees.leftCodes(tree, node);
    int none = PlainTrees.categories(model, tree.feature(node)).size() + 1;
    return codes.length > 0 ? codes : new int[] {none};
  }
}
