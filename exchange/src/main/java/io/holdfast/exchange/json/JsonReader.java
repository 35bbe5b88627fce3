package io.holdfast.exchange.json;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.InputRange;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.exchange.document.Document;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ForeignModel;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads what {@link JsonWriter} writes, or somebody who has a linear model or trees of another
 * kind. Stateless.
 */
public final class JsonReader {
  private static final int MOST_FEATURES = 4_096;

  private JsonReader() {}

  /** Whether a document says that it is one of these. */
  public static boolean recognises(Document document) {
    return document.find("format") instanceof Document.Text(String format)
        && format.equals(JsonWriter.FORMAT);
  }

  /**
   * Makes a model of a document.
   *
   * @throws ExchangeException in one sentence, if it describes none
   */
  public static ForeignModel read(Document document) throws ExchangeException {
    double version = document.field("version").number();
    ExchangeException.require(
        version == JsonWriter.VERSION,
        "the document has version %s, and %d is known",
        version,
        JsonWriter.VERSION);
    try {
      List<Feature> features = features(document);
      Objective objective = objective(document.field("objective"));
      Model model =
          new Model(
              objective,
              features,
              base(document, objective.outputs()),
              segments(document, features));
      return new ForeignModel("Holdfast's JSON", model, List.of());
    } catch (IllegalArgumentException e) {
      throw ExchangeException.of("the model cannot be taken over: %s", e.getMessage());
    }
  }

  private static Objective objective(Document said) throws ExchangeException {
    Map<String, Double> parameters = new TreeMap<>();
    if (said.find("parameters") instanceof Document.Fields(Map<String, Document> values)) {
      for (Map.Entry<String, Document> value : values.entrySet()) {
        parameters.put(value.getKey(), value.getValue().number());
      }
    }
    return Objective.of(said.field("name").text(), parameters);
  }

  private static boolean truth(Document of, String name) {
    return of.find(name) instanceof Document.Truth(boolean value) && value;
  }

  private static List<Feature> features(Document document) throws ExchangeException {
    List<Feature> features = new ArrayList<>();
    List<Document> said = document.field("features").items();
    ExchangeException.require(
        said.size() <= MOST_FEATURES,
        "a model has at most %d features: %d",
        MOST_FEATURES,
        said.size());
    for (Document feature : said) {
      String name = ColumnName.path(feature.field("name").text());
      String type = feature.field("type").text();
      switch (type) {
        case "number" -> features.add(new Feature.Numeric(name, truth(feature, "zeroMissing")));
        case "category" -> {
          List<String> categories = new ArrayList<>();
          for (Document category : feature.field("categories").items()) {
            categories.add(category.text());
          }
          features.add(new Feature.Categorical(name, categories, truth(feature, "otherCategory")));
        }
        default ->
            throw ExchangeException.of(
                "feature %s must be of type number or category: %s", name, type);
      }
    }
    return features;
  }

  private static Base base(Document document, int outputs) throws ExchangeException {
    double[] intercepts = document.field("base").numbers();
    List<LinearTerm> terms = new ArrayList<>();
    Document linear = document.find("linear");
    for (Document term : linear == null ? List.<Document>of() : linear.items()) {
      int feature = (int) term.field("feature").number();
      if (term.find("effects") != null) {
        terms.add(new LinearTerm.Categorical(feature, outputs, term.field("effects").numbers()));
      } else {
        Document mean = term.find("mean");
        InputRange range =
            term.find("low") == null
                ? InputRange.EVERYTHING
                : new InputRange(term.field("low").number(), term.field("high").number());
        terms.add(
            new LinearTerm.Numeric(
                feature, mean == null ? 0 : mean.number(), range, term.field("slopes").numbers()));
      }
    }
    return terms.isEmpty() ? Base.constant(intercepts) : Base.linear(intercepts, terms);
  }

  /** Trees of one weight that follow each other are one segment. */
  private static List<Segment> segments(Document document, List<Feature> features)
      throws ExchangeException {
    List<Segment> segments = new ArrayList<>();
    List<Tree> trees = new ArrayList<>();
    double weight = 1;
    Document all = document.find("trees");
    for (Document said : all == null ? List.<Document>of() : all.items()) {
      double own = said.find("weight") == null ? 1 : said.field("weight").number();
      if (own != weight && !trees.isEmpty()) {
        segments.add(new Segment(trees, weight));
        trees.clear();
      }
      weight = own;
      trees.add(tree(said, features));
    }
    if (!trees.isEmpty()) {
      segments.add(new Segment(trees, weight));
    }
    return segments;
  }

  private static Tree tree(Document said, List<Feature> features) throws ExchangeException {
    int[] feature = said.field("feature").integers();
    List<Document> categories = said.field("categories").items();
    long[][] sets = new long[feature.length][];
    ExchangeException.require(
        categories.size() == feature.length,
        "a tree of %d nodes must have categories, or null, for each: %d",
        feature.length,
        categories.size());
    for (int node = 0; node < sets.length; node++) {
      sets[node] =
          categories.get(node) instanceof Document.Nothing
              ? new long[0]
              : set(categories.get(node).integers(), feature[node], features);
    }
    double[] missing = said.field("missingLeft").numbers();
    boolean[] missingLeft = new boolean[missing.length];
    for (int node = 0; node < missing.length; node++) {
      missingLeft[node] = missing[node] != 0;
    }
    Document outputs = said.find("outputs");
    Document output = said.find("output");
    return new Tree(
        feature,
        said.field("threshold").numbers(),
        missingLeft,
        sets,
        said.field("left").integers(),
        said.field("right").integers(),
        new Tree.Leaves(
            said.field("values").numbers(),
            output == null ? 0 : (int) output.number(),
            outputs == null ? 1 : (int) outputs.number()));
  }

  private static long[] set(int[] codes, int column, List<Feature> features)
      throws ExchangeException {
    int count =
        column >= 0
                && column < features.size()
                && features.get(column) instanceof Feature.Categorical categorical
            ? categorical.categories().size()
            : 0;
    int most = 0;
    for (int code : codes) {
      ExchangeException.require(
          code >= 0 && code < count,
          "a node of feature %d names category %d, and there are %d",
          column,
          code,
          count);
      most = Math.max(most, code);
    }
    long[] set = new long[(most >> 6) + 1];
    for (int code : codes) {
      set[code >> 6] |= 1L << code;
    }
    return set;
  }
}
