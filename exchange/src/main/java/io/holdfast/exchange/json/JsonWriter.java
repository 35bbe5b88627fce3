package io.holdfast.exchange.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.exchange.document.JsonText;
import io.holdfast.exchange.foreign.PlainTrees;
import io.holdfast.schemas.ColumnName;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Models as the JSON that docs/how-to/take-a-model-away.md describes. Stateless. */
public final class JsonWriter {
  /** What a document says that it is. */
  static final String FORMAT = "holdfast-model";

  static final int VERSION = 1;

  private JsonWriter() {}

  /** The document. */
  public static String write(Model model) {
    return JsonText.of(
        json -> {
          json.writeStartObject();
          json.writeStringField("format", FORMAT);
          json.writeNumberField("version", VERSION);
          objective(json, model);
          json.writeArrayFieldStart("features");
          for (Feature feature : model.features()) {
            feature(json, feature);
          }
          json.writeEndArray();
          base(json, model);
          json.writeArrayFieldStart("trees");
          for (Segment segment : model.segments()) {
            for (Tree tree : segment.trees()) {
              tree(json, model, tree, segment.decay());
            }
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void objective(JsonGenerator json, Model model) throws IOException {
    json.writeObjectFieldStart("objective");
    json.writeStringField("name", model.objective().name());
    json.writeStringField("link", link(model.objective().name()));
    json.writeNumberField("classes", model.objective().classes());
    json.writeObjectFieldStart("parameters");
    for (Map.Entry<String, Double> parameter :
        new TreeMap<>(model.objective().parameters()).entrySet()) {
      json.writeNumberField(parameter.getKey(), parameter.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
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

  private static void feature(JsonGenerator json, Feature feature) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", ColumnName.of(feature.name()));
    switch (feature) {
      case Feature.Numeric numeric -> {
        json.writeStringField("type", "number");
        if (numeric.zeroMissing()) {
          json.writeBooleanField("zeroMissing", true);
        }
      }
      case Feature.Categorical categorical -> {
        json.writeStringField("type", "category");
        json.writeFieldName("categories");
        JsonText.strings(json, categorical.categories());
        if (categorical.otherCategory()) {
          json.writeBooleanField("otherCategory", true);
        }
      }
    }
    json.writeEndObject();
  }

  private static void base(JsonGenerator json, Model model) throws IOException {
    int outputs = model.base().outputs();
    JsonText.numbers(json, "base", each(outputs, model.base()::intercept));
    json.writeArrayFieldStart("linear");
    for (LinearTerm term : model.base().terms()) {
      json.writeStartObject();
      json.writeNumberField("feature", term.feature());
      switch (term) {
        case LinearTerm.Numeric numeric -> {
          json.writeNumberField("mean", numeric.mean());
          json.writeNumberField("low", numeric.range().low());
          json.writeNumberField("high", numeric.range().high());
          JsonText.numbers(json, "slopes", each(outputs, numeric::slope));
        }
        case LinearTerm.Categorical categorical ->
            JsonText.numbers(
                json,
                "effects",
                each(
                    categorical.categories() * outputs,
                    k -> categorical.effect(k / outputs, k % outputs)));
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void tree(JsonGenerator json, Model model, Tree tree, double weight)
      throws IOException {
    int nodes = tree.innerNodes();
    json.writeStartObject();
    json.writeNumberField("output", tree.output());
    json.writeNumberField("outputs", tree.outputs());
    json.writeNumberField("weight", weight);
    JsonText.integers(json, "feature", ints(nodes, tree::feature));
    JsonText.numbers(json, "threshold", each(nodes, tree::threshold));
    json.writeArrayFieldStart("categories");
    for (int node = 0; node < nodes; node++) {
      if (tree.categorical(node)) {
        int[] codes = PlainTrees.leftCodes(model, tree, node);
        json.writeArray(codes, 0, codes.length);
      } else {
        json.writeNull();
      }
    }
    json.writeEndArray();
    json.writeArrayFieldStart("missingLeft");
    for (int node = 0; node < nodes; node++) {
      json.writeBoolean(tree.missingLeft(node));
    }
    json.writeEndArray();
    JsonText.integers(json, "left", ints(nodes, tree::left));
    JsonText.integers(json, "right", ints(nodes, tree::right));
    int outputs = tree.outputs();
    JsonText.numbers(
        json,
        "values",
        each(tree.leaves() * outputs, k -> tree.leafValue(k / outputs, k % outputs)));
    json.writeEndObject();
  }

  private static double[] each(int count, IntToDoubleFunction of) {
    return IntStream.range(0, count).mapToDouble(of).toArray();
  }

  private static int[] ints(int count, IntUnaryOperator of) {
    return IntStream.range(0, count).map(of).toArray();
  }
}
