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
import io.holdfast.exchange.foreign.TreeDraft;
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

  public static boolean recognises(Document document) {
    return document.find("format") instanceof Document.Text(String format)
        && format.equals(JsonWriter.FORMAT);
  }

  /** Makes a model of a document. */
  public static ForeignModel read(Document document) throws ExchangeException {
    double version = document.field("version").number();
    if (version != JsonWriter.VERSION) {
      throw ExchangeException.of(
          "the document has version %s, and %d is known", version, JsonWriter.VERSION);
    }
    try {
      List<Feature> features = features(document);
      Objective objective = objective(document.field("objective"));
      Model model =
          new Model(
              objective,
              features,
              base(document, objective.outputs()),
              segments(document, features));
      List<String> classes = new ArrayList<>();
      for (Document name : items(document.field("objective"), "labels")) {
        classes.add(name.text());
      }
      return new ForeignModel("Holdfast's JSON", model, classes, List.of());
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

  private static double number(Document of, String name, double otherwise)
      throws ExchangeException {
    Document found = of.find(name);
    return found == null ? otherwise : found.number();
  }

  private static List<Document> items(Document of, String name) throws ExchangeException {
    Document found = of.find(name);
    return found == null ? List.of() : found.items();
  }

  private static List<Feature> features(Document document) throws ExchangeException {
    List<Feature> features = new ArrayList<>();
    List<Document> said = document.field("features").items();
    if (said.size() > MOST_FEATURES) {
      throw ExchangeException.of("a model has at most %d features: %d", MOST_FEATURES, said.size());
    }
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
    for (Document term : items(document, "linear")) {
      int feature = (int) term.field("feature").number();
      if (term.find("effects") != null) {
        terms.add(new LinearTerm.Categorical(feature, outputs, term.field("effects").numbers()));
      } else {
        InputRange range =
            term.find("low") == null
                ? InputRange.EVERYTHING
                : new InputRange(term.field("low").number(), term.field("high").number());
        terms.add(
            new LinearTerm.Numeric(
                feature, number(term, "mean", 0), range, term.field("slopes").numbers()));
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
    for (Document said : items(document, "trees")) {
      double own = number(said, "weight", 1);
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
    if (categories.size() != feature.length) {
      throw ExchangeException.of(
          "a tree of %d nodes must have categories, or null, for each: %d",
          feature.length, categories.size());
    }
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
    return new Tree(
        feature,
        said.field("threshold").numbers(),
        missingLeft,
        sets,
        said.field("left").integers(),
        said.field("right").integers(),
        new Tree.Leaves(
            said.field("values").numbers(),
            (int) number(said, "output", 0),
            (int) number(said, "outputs", 1)));
  }

  private static long[] set(int[] codes, int column, List<Feature> features)
      throws ExchangeException {
    int count =
        column >= 0
                && column < features.size()
                && features.get(column) instanceof Feature.Categorical categorical
            ? categorical.categories().size()
            : 0;
    for (int code : codes) {
      if (code < 0 || code >= count) {
        throw ExchangeException.of(
            "a node of feature %d names category %d, and there are %d", column, code, count);
      }
    }
    return TreeDraft.set(codes);
  }
}
