package io.holdfast.exchange.onnx;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.BinaryObjective;
import io.holdfast.exchange.document.JsonText;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ExportedModel;
import io.holdfast.exchange.foreign.PlainTrees;
import io.holdfast.exchange.foreign.PlainTrees.PlainTree;
import io.holdfast.schemas.ColumnName;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Models of ours as ONNX: a TreeEnsemble of doubles (ai.onnx.ml 5), the base, the link. Of one
 * model; not thread-safe.
 *
 * <p>The input {@code features} has a column a feature; a category is its place in the list that
 * the model's metadata has under {@code categories.NAME}, a missing value NaN. Outputs are {@code
 * rawScores}, {@code prediction}, with several classes {@code probabilities}, and, where classes
 * have names, the likeliest as {@code label}; the metadata has the names under {@code classes}.
 */
public final class OnnxWriter {
  private static final int AT_MOST = 0;
  private static final int MEMBER = 6;
  private static final int NO_CODE = -1;

  private final Model model;
  private final List<String> classes;
  private final PlainTrees trees;
  private final OnnxGraph graph = new OnnxGraph();
  private final List<String> notes = new ArrayList<>();

  private OnnxWriter(Model model, List<String> classes) throws ExchangeException {
    this.model = model;
    this.classes = classes;
    trees = PlainTrees.of(model, "ONNX");
  }

  /** Writes a model and the names of its classes, if it has some and ONNX can say it. */
  public static ExportedModel write(Model model, List<String> classes) throws ExchangeException {
    var writer = new OnnxWriter(model, classes);
    return new ExportedModel(writer.bytes(), writer.notes);
  }

  private byte[] bytes() {
    int outputs = model.base().outputs();
    graph.input("features", model.features().size());
    graph.machineLearning("TreeEnsemble", values(), "trees", ensemble(outputs));
    graph.constant("base", base(outputs));
    graph.operator("Add", List.of("trees", "base"), "rawScores");
    graph.output("rawScores", outputs);
    link(outputs);
    if (!classes.isEmpty() && notes.isEmpty()) {
      label();
    }
    return graph.model(metadata());
  }

  /** The features, with NaN where a zero is missing. */
  private String values() {
    if (PlainTrees.zeroMissing(model).isEmpty()) {
      return "features";
    }
    graph.truths("zeroMissing", model.features().stream().map(PlainTrees::zeroMissing).toList());
    graph.constant("largestZero", Feature.Numeric.LARGEST_ZERO);
    graph.constant("nan", Double.NaN);
    graph.operator("Abs", List.of("features"), "sizes");
    graph.operator("LessOrEqual", List.of("sizes", "largestZero"), "zeros");
    graph.operator("And", List.of("zeros", "zeroMissing"), "gaps");
    graph.operator("Where", List.of("gaps", "nan", "features"), "values");
    return "values";
  }

  private Map<String, String> metadata() {
    Map<String, String> metadata = new TreeMap<>();
    List<String> names = new ArrayList<>();
    for (Feature feature : model.features()) {
      String name = ColumnName.of(feature.name());
      names.add(name);
      if (feature instanceof Feature.Categorical categorical) {
        metadata.put("categories." + name, JsonText.of(categorical.categories()));
      }
    }
    if (!classes.isEmpty()) {
      metadata.put("classes", JsonText.of(classes));
    }
    metadata.put("features", JsonText.of(names));
    metadata.put("objective", model.objective().name());
    return metadata;
  }

  /** The base, and what trees of one leaf add. */
  private double[] base(int outputs) {
    double[] base = new double[outputs];
    Arrays.setAll(base, model.base()::intercept);
    for (PlainTree tree : trees.all()) {
      if (tree.from().innerNodes() == 0) {
        base[tree.output()] += tree.value(0);
      }
    }
    return base;
  }

  /** The nodes and leaves of all trees, one after the other. */
  private static final class Nodes {
    final List<Long> roots = new ArrayList<>();
    final List<Long> features = new ArrayList<>();
    final ByteArrayOutputStream modes = new ByteArrayOutputStream();
    final List<Double> splits = new ArrayList<>();
    final List<Long> trueIds = new ArrayList<>();
    final List<Long> trueLeaves = new ArrayList<>();
    final List<Long> falseIds = new ArrayList<>();
    final List<Long> falseLeaves = new ArrayList<>();
    final List<Long> missingTrue = new ArrayList<>();
    final List<Double> members = new ArrayList<>();
    final List<Long> targets = new ArrayList<>();
    final List<Double> weights = new ArrayList<>();

    void children(int left, int right, long firstNode, long firstLeaf) {
      trueIds.add(left < 0 ? firstLeaf - 1 - left : firstNode + left);
      trueLeaves.add(left < 0 ? 1L : 0L);
      falseIds.add(right < 0 ? firstLeaf - 1 - right : firstNode + right);
      falseLeaves.add(right < 0 ? 1L : 0L);
    }

    void node(long feature, int mode, double split, boolean missing) {
      features.add(feature);
      modes.write(mode);
      splits.add(split);
      missingTrue.add(missing ? 1L : 0L);
    }

    void leaf(long target, double weight) {
      targets.add(target);
      weights.add(weight);
    }
  }

  private List<Protobuf> ensemble(int outputs) {
    Nodes nodes = new Nodes();
    for (PlainTree tree : trees.all()) {
      if (tree.from().innerNodes() > 0) {
        add(nodes, tree);
      }
    }
    if (nodes.roots.isEmpty()) { // the operator needs a tree
      nodes.roots.add(0L);
      nodes.node(0, AT_MOST, 0, true);
      nodes.children(-1, -2, 0, 0);
      nodes.leaf(0, 0);
      nodes.leaf(0, 0);
    }

    List<Protobuf> attributes =
        new ArrayList<>(
            List.of(
                OnnxGraph.attribute("aggregate_function", 1), // the sum
                OnnxGraph.attribute("n_targets", outputs),
                OnnxGraph.attribute("post_transform", 0), // none
                OnnxGraph.attribute("tree_roots", longs(nodes.roots)),
                OnnxGraph.attribute("nodes_featureids", longs(nodes.features)),
                OnnxGraph.attribute("nodes_modes", nodes.modes.toByteArray()),
                OnnxGraph.attribute("nodes_splits", doubles(nodes.splits)),
                OnnxGraph.attribute("nodes_truenodeids", longs(nodes.trueIds)),
                OnnxGraph.attribute("nodes_trueleafs", longs(nodes.trueLeaves)),
                OnnxGraph.attribute("nodes_falsenodeids", longs(nodes.falseIds)),
                OnnxGraph.attribute("nodes_falseleafs", longs(nodes.falseLeaves)),
                OnnxGraph.attribute("nodes_missing_value_tracks_true", longs(nodes.missingTrue)),
                OnnxGraph.attribute("leaf_targetids", longs(nodes.targets)),
                OnnxGraph.attribute("leaf_weights", doubles(nodes.weights))));
    if (!nodes.members.isEmpty()) {
      attributes.add(OnnxGraph.attribute("membership_values", doubles(nodes.members)));
    }
    return attributes;
  }

  private void add(Nodes nodes, PlainTree plain) {
    Tree tree = plain.from();
    long firstNode = nodes.features.size();
    long firstLeaf = nodes.targets.size();
    nodes.roots.add(firstNode);
    for (int node = 0; node < tree.innerNodes(); node++) {
      boolean categorical = tree.categorical(node);
      nodes.node(
          tree.feature(node),
          categorical ? MEMBER : AT_MOST,
          categorical ? 0 : tree.threshold(node),
          tree.missingLeft(node));
      nodes.children(tree.left(node), tree.right(node), firstNode, firstLeaf);
      if (categorical) {
        int[] codes = trees.leftCodes(tree, node);
        for (int code : codes.length > 0 ? codes : new int[] {NO_CODE}) {
          nodes.members.add((double) code);
        }
        nodes.members.add(Double.NaN); // ends the set
      }
    }
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      nodes.leaf(plain.output(), plain.value(leaf));
    }
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  private static double[] doubles(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private void link(int outputs) {
    String objective = model.objective().name();
    switch (objective) {
      case "squared", "absolute", "huber", "quantile" -> predict("Identity", "rawScores");
      case "logistic", "beta" -> predict("Sigmoid", "rawScores");
      case "exponential" -> {
        graph.operator("Add", List.of("rawScores", "rawScores"), "twice");
        predict("Sigmoid", "twice");
      }
      case "poisson", "gamma", "tweedie" -> predict("Exp", "rawScores");
      case "softmax" -> {
        graph.operator(
            "Softmax", List.of("rawScores"), "probabilities", OnnxGraph.attribute("axis", 1));
        classes(outputs);
      }
      default -> {
        if (!ordinal()) {
          notes.add(
              "ONNX has no link of objective " + objective + ": its prediction is the raw score.");
          predict("Identity", "rawScores");
        }
      }
    }
  }

  private void predict(String operator, String of) {
    graph.operator(operator, List.of(of), "prediction");
    graph.output("prediction", 1);
  }

  /** The name of the likeliest class: of two, of the second if above one half. */
  private void label() {
    String number = "prediction";
    if (model.objective() instanceof BinaryObjective) {
      graph.constant("half", 0.5);
      graph.operator("Greater", List.of("prediction", "half"), "second");
      graph.operator("Cast", List.of("second"), "number", OnnxGraph.attribute("to", 7));
      number = "number";
    }
    long[] numbers = LongStream.range(0, classes.size()).toArray();
    graph.machineLearning(
        "LabelEncoder",
        number,
        "label",
        List.of(
            OnnxGraph.attribute("keys_int64s", numbers),
            OnnxGraph.texts("values_strings", classes)));
    graph.textOutput("label");
  }

  private void classes(int count) {
    graph.output("probabilities", count);
    graph.operator(
        "ArgMax", List.of("probabilities"), "prediction", OnnxGraph.attribute("axis", 1));
    graph.integerOutput("prediction");
  }

  /** Probabilities between thresholds by the logistic link; false if there are none. */
  private boolean ordinal() {
    Map<String, Double> parameters = model.objective().parameters();
    int classes = model.objective().classes();
    if (!model.objective().name().equals("ordinal")
        || parameters.getOrDefault("link", 0.0) != 0
        || !parameters.containsKey("theta1")) {
      return false;
    }
    graph.constant(
        "thresholds",
        IntStream.range(1, classes).mapToDouble(k -> parameters.get("theta" + k)).toArray());
    graph.constant("zero", 0);
    graph.constant("one", 1);
    graph.operator("Sub", List.of("thresholds", "rawScores"), "distances");
    graph.operator("Sigmoid", List.of("distances"), "upTo");
    graph.operator("Mul", List.of("rawScores", "zero"), "none");
    graph.operator("Add", List.of("none", "one"), "all");
    graph.operator("Concat", List.of("upTo", "all"), "upper", OnnxGraph.attribute("axis", 1));
    graph.operator("Concat", List.of("none", "upTo"), "lower", OnnxGraph.attribute("axis", 1));
    graph.operator("Sub", List.of("upper", "lower"), "probabilities");
    classes(classes);
    return true;
  }
}
