package io.holdfast.exchange.xgboost;

import com.fasterxml.jackson.core.JsonGenerator;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.exchange.document.JsonText;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.PlainTrees;
import io.holdfast.exchange.foreign.PlainTrees.PlainTree;
import io.holdfast.schemas.ColumnName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  /**
   * A model as a document.
   *
   * @param json the document
   * @param notes what is otherwise than here
   */
  public record Written(String json, List<String> notes) {}

  /**
   * Writes a model.
   *
   * @throws ExchangeException in one sentence, if XGBoost cannot say it
   */
  public static Written write(Model model) throws ExchangeException {
    var writer = new XgboostWriter(model);
    List<String> zeros = PlainTrees.zeroMissing(model);
    if (!zeros.isEmpty()) {
      writer.notes.add(
          "Zeros of " + String.join(", ", zeros) + " are missing: give XGBoost NaN for them.");
    }
    String json = JsonText.of(writer::document);
    return new Written(json, List.copyOf(writer.notes));
  }

  private void document(JsonGenerator json) throws IOException {
    json.writeStartObject();
    JsonText.integers(json, "version", new int[] {2, 1, 4});
    json.writeObjectFieldStart("learner");
    json.writeObjectFieldStart("attributes");
    json.writeEndObject();
    names(json);
    json.writeObjectFieldStart("gradient_booster");
    json.writeStringField("name", "gbtree");
    json.writeObjectFieldStart("model");
    trees(json);
    categories(json);
    json.writeEndObject();
    json.writeEndObject();
    json.writeObjectFieldStart("learner_model_param");
    json.writeStringField("base_score", objective().baseScore);
    json.writeStringField("boost_from_average", "1");
    json.writeStringField("num_class", outputs() == 1 ? "0" : Integer.toString(outputs()));
    json.writeStringField("num_feature", Integer.toString(model.features().size()));
    json.writeStringField("num_target", "1");
    json.writeEndObject();
    objective().write(json);
    json.writeEndObject();
    json.writeEndObject();
  }

  private int outputs() {
    return model.base().outputs();
  }

  /** An objective of XGBoost's, with a group of one parameter, and the score of which 0 is made. */
  private record Objective(
      String name, String group, String parameter, String value, String baseScore) {
    void write(JsonGenerator json) throws IOException {
      json.writeObjectFieldStart("objective");
      json.writeStringField("name", name);
      json.writeObjectFieldStart(group);
      json.writeStringField(parameter, value);
      json.writeEndObject();
      json.writeEndObject();
    }
  }

  private Objective objective() {
    String ours = model.objective().name();
    return switch (ours) {
      case "squared", "huber" -> weighted("reg:squarederror", "0");
      case "absolute" -> weighted("reg:absoluteerror", "0");
      case "quantile" ->
          new Objective(
              "reg:quantileerror",
              "quantile_loss_param",
              "quantile_alpha",
              "[" + model.objective().parameters().get("alpha") + "]",
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
              "" + model.objective().parameters().get("power"),
              "1");
      case "softmax" ->
          new Objective(
              "multi:softprob",
              "softmax_multiclass_param",
              "num_class",
              Integer.toString(outputs()),
              "0");
      default -> {
        String note =
            "XGBoost has no link of objective " + ours + ": its predictions are raw scores.";
        if (!notes.contains(note)) {
          notes.add(note);
        }
        yield weighted("reg:squarederror", "0");
      }
    };
  }

  private static Objective weighted(String name, String baseScore) {
    return new Objective(name, "reg_loss_param", "scale_pos_weight", "1", baseScore);
  }

  private void names(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("feature_names");
    for (Feature feature : model.features()) {
      json.writeString(ColumnName.of(feature.name()));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("feature_types");
    for (Feature feature : model.features()) {
      json.writeString(feature instanceof Feature.Categorical ? "c" : "float");
    }
    json.writeEndArray();
  }

  /** Names of categories, one after the other, as versions from 3.1 on have them. */
  private void categories(JsonGenerator json) throws IOException {
    int columns = model.features().size();
    boolean any = model.features().stream().anyMatch(Feature.Categorical.class::isInstance);
    int[] segments = new int[any ? columns + 1 : 0];
    List<Integer> sorted = new ArrayList<>();
    json.writeObjectFieldStart("cats");
    json.writeArrayFieldStart("enc");
    for (int column = 0; any && column < columns; column++) {
      List<String> names = PlainTrees.categories(model, column);
      IntStream.range(0, names.size())
          .boxed()
          .sorted((a, b) -> Arrays.compareUnsigned(bytes(names.get(a)), bytes(names.get(b))))
          .forEach(sorted::add);
      segments[column + 1] = segments[column] + names.size();
      texts(json, names);
    }
    json.writeEndArray();
    JsonText.integers(json, "feature_segments", segments);
    JsonText.integers(json, "sorted_idx", sorted.stream().mapToInt(Integer::intValue).toArray());
    json.writeEndObject();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void texts(JsonGenerator json, List<String> names) throws IOException {
    int[] offsets = new int[names.isEmpty() ? 0 : names.size() + 1];
    json.writeStartObject();
    json.writeArrayFieldStart("values");
    for (int k = 0; k < names.size(); k++) {
      byte[] name = bytes(names.get(k));
      offsets[k + 1] = offsets[k] + name.length;
      for (byte one : name) {
        json.writeNumber(one);
      }
    }
    json.writeEndArray();
    JsonText.integers(json, "offsets", offsets);
    json.writeEndObject();
  }

  private void trees(JsonGenerator json) throws IOException {
    int count = outputs() + trees.all().size();
    json.writeObjectFieldStart("gbtree_model_param");
    json.writeStringField("num_parallel_tree", "1");
    json.writeStringField("num_trees", Integer.toString(count));
    json.writeEndObject();
    int[] info = new int[count];
    json.writeArrayFieldStart("trees");
    for (int k = 0; k < outputs(); k++) {
      info[k] = k;
      leaf(json, k, factor * model.base().intercept(k));
    }
    int number = outputs();
    for (PlainTree tree : trees.all()) {
      info[number] = tree.output();
      tree(json, number++, tree);
    }
    json.writeEndArray();
    JsonText.integers(json, "tree_info", info);
    // Where one round ends and the next begins; trees of a round need not be of all classes.
    JsonText.integers(json, "iteration_indptr", new int[] {0, count});
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

    void write(JsonGenerator json, int number, int features) throws IOException {
      json.writeStartObject();
      json.writeNumberField("id", number);
      floats(json, "base_weights", new float[left.length]);
      int[] all = codes.values().stream().flatMapToInt(Arrays::stream).toArray();
      int[] sizes = codes.values().stream().mapToInt(of -> of.length).toArray();
      int[] starts = new int[sizes.length];
      for (int k = 1; k < starts.length; k++) {
        starts[k] = starts[k - 1] + sizes[k - 1];
      }
      JsonText.integers(json, "categories", all);
      JsonText.integers(
          json, "categories_nodes", codes.keySet().stream().mapToInt(Integer::intValue).toArray());
      JsonText.integers(json, "categories_segments", starts);
      JsonText.integers(json, "categories_sizes", sizes);
      JsonText.integers(json, "default_left", defaultLeft);
      JsonText.integers(json, "left_children", left);
      floats(json, "loss_changes", changes);
      JsonText.integers(json, "parents", parents);
      JsonText.integers(json, "right_children", right);
      floats(json, "split_conditions", conditions);
      JsonText.integers(json, "split_indices", indices);
      JsonText.integers(json, "split_type", types);
      floats(json, "sum_hessian", hessians);
      json.writeObjectFieldStart("tree_param");
      json.writeStringField("num_deleted", "0");
      json.writeStringField("num_feature", Integer.toString(features));
      json.writeStringField("num_nodes", Integer.toString(left.length));
      json.writeStringField("size_leaf_vector", "1");
      json.writeEndObject();
      json.writeEndObject();
    }

    private static void floats(JsonGenerator json, String name, float[] numbers)
        throws IOException {
      json.writeArrayFieldStart(name);
      for (float number : numbers) {
        json.writeNumber(number);
      }
      json.writeEndArray();
    }
  }

  private void leaf(JsonGenerator json, int number, double value) throws IOException {
    Nodes nodes = new Nodes(1);
    nodes.conditions[0] = (float) value;
    nodes.write(json, number, model.features().size());
  }

  private void tree(JsonGenerator json, int number, PlainTree plain) throws IOException {
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
    nodes.write(json, number, model.features().size());
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
      places[child(tree, first(tree, node))] = next++;
      places[child(tree, second(tree, node))] = next++;
    }
    return places;
  }

  /** The child that is the left one there. */
  private static int first(Tree tree, int node) {
    return tree.categorical(node) ? tree.right(node) : tree.left(node);
  }

  private static int second(Tree tree, int node) {
    return tree.categorical(node) ? tree.left(node) : tree.right(node);
  }

  /** Inner nodes by their numbers, leaves after them. */
  private static int child(Tree tree, int child) {
    return child < 0 ? tree.innerNodes() - 1 - child : child;
  }

  /** At least one: the first code of no category where there is none. */
  private int[] codes(Tree tree, int node) {
    int[] codes = trees.leftCodes(tree, node);
    return codes.length > 0
        ? codes
        : new int[] {
          PlainTrees.categories(model, tree.feature(node)).size() + 1
        }; // behind the other one
  }
}
