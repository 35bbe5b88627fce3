package io.holdfast.exchange.json;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.exchange.document.JsonText;
import io.holdfast.exchange.foreign.PlainTrees;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Models as the JSON that docs/how-to/take-a-model-away.md describes. Stateless. */
public final class JsonWriter {
  /** What a document says that it is. */
  static final String FORMAT = "holdfast-model";

  static final int VERSION = 1;

  private JsonWriter() {}

  /** The document, with the names of classes if they have some. */
  public static String write(Model model, List<String> classes) {
    List<Object> trees = new ArrayList<>();
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        trees.add(tree(model, tree, segment.decay()));
      }
    }
    int outputs = model.base().outputs();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("format", FORMAT);
    document.put("version", VERSION);
    document.put("objective", objective(model, classes));
    document.put("features", model.features().stream().map(JsonWriter::feature).toList());
    document.put("base", each(outputs, model.base()::intercept));
    document.put("linear", model.base().terms().stream().map(term -> term(term, outputs)).toList());
    document.put("trees", trees);
    return JsonText.of(document);
  }

  private static Map<String, Object> objective(Model model, List<String> classes) {
    String name = model.objective().name();
    Map<String, Object> objective = new LinkedHashMap<>();
    objective.put("name", name);
    objective.put("link", link(name));
    objective.put("classes", model.objective().classes());
    if (!classes.isEmpty()) {
      objective.put("labels", classes);
    }
    objective.put("parameters", new TreeMap<>(model.objective().parameters()));
    return objective;
  }

  /** What makes a prediction of raw scores. */
  private static String link(String objective) {
    return switch (objective) {
      case "logistic", "beta" -> "logit";
      case "exponential" -> "half-logit";
      case "probit" -> "probit";
      case "poisson", "gamma", "tweedie" -> "log";
      case "softmax", "ordinal" -> objective;
      default -> "identity";
    };
  }

  private static Map<String, Object> feature(Feature feature) {
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("name", ColumnName.of(feature.name()));
    switch (feature) {
      case Feature.Numeric numeric -> {
        said.put("type", "number");
        if (numeric.zeroMissing()) {
          said.put("zeroMissing", true);
        }
      }
      case Feature.Categorical categorical -> {
        said.put("type", "category");
        said.put("categories", categorical.categories());
        if (categorical.otherCategory()) {
          said.put("otherCategory", true);
        }
      }
    }
    return said;
  }

  private static Map<String, Object> term(LinearTerm term, int outputs) {
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("feature", term.feature());
    switch (term) {
      case LinearTerm.Numeric numeric -> {
        said.put("mean", numeric.mean());
        said.put("low", numeric.range().low());
        said.put("high", numeric.range().high());
        said.put("slopes", each(outputs, numeric::slope));
      }
      case LinearTerm.Categorical categorical ->
          said.put(
              "effects",
              each(
                  categorical.categories() * outputs,
                  k -> categorical.effect(k / outputs, k % outputs)));
    }
    return said;
  }

  private static Map<String, Object> tree(Model model, Tree tree, double weight) {
    int nodes = tree.innerNodes();
    int outputs = tree.outputs();
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("output", tree.output());
    said.put("outputs", outputs);
    said.put("weight", weight);
    said.put("feature", each(nodes, tree::feature));
    said.put("threshold", each(nodes, tree::threshold));
    said.put(
        "categories",
        each(
            nodes,
            node -> tree.categorical(node) ? PlainTrees.leftCodes(model, tree, node) : null));
    said.put("missingLeft", each(nodes, tree::missingLeft));
    said.put("left", each(nodes, tree::left));
    said.put("right", each(nodes, tree::right));
    said.put(
        "values", each(tree.leaves() * outputs, k -> tree.leafValue(k / outputs, k % outputs)));
    return said;
  }

  private static Iterable<@Nullable Object> each(int count, IntFunction<@Nullable Object> of) {
    return () -> IntStream.range(0, count).mapToObj(of).iterator();
  }
}
