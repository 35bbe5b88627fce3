package io.holdfast.exchange.pmml;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ExportedModel;
import io.holdfast.exchange.foreign.PlainTrees;
import io.holdfast.exchange.foreign.PlainTrees.PlainTree;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Models of ours as PMML 4.4. Of one model; not thread-safe.
 *
 * <p>A chain: for each raw score a sum of trees, whose first is the base, so that sums have our
 * order and bits; then a regression of the raw scores, which is the link. Outputs are {@code
 * rawScore}, of several each with its number, and {@code prediction}, or with classes {@code label}
 * and {@code probability(CLASS)}.
 */
public final class PmmlWriter {
  private final Model model;
  private final PlainTrees trees;
  private final List<String> classes; // of a model that has some, names or numbers
  private final List<Field> fields = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final XmlText xml = new XmlText();
  private final PmmlTrees nodes = new PmmlTrees(xml);
  private final String target;
  private final List<String> raw; // names of the sums

  /**
   * A feature.
   *
   * @param values the name under which trees ask for it: another one if a zero is missing
   */
  record Field(String name, String values, Feature feature) {
    boolean categorical() {
      return feature instanceof Feature.Categorical;
    }

    /** What becomes of a value that no DataField lists. */
    String invalid() {
      return feature instanceof Feature.Categorical categorical && categorical.otherCategory()
          ? "asIs"
          : "asMissing";
    }
  }

  private PmmlWriter(Model model, List<String> named) throws ExchangeException {
    this.model = model;
    trees = PlainTrees.of(model, "PMML");
    int count = model.objective().classes();
    classes =
        named.isEmpty() ? IntStream.range(0, count).mapToObj(Integer::toString).toList() : named;
    for (Feature feature : model.features()) {
      names.add(sayable(ColumnName.of(feature.name()), "feature"));
    }
    for (Feature feature : model.features()) {
      String name = ColumnName.of(feature.name());
      boolean zeroMissing = PlainTrees.zeroMissing(feature);
      fields.add(new Field(name, zeroMissing ? free(name + " or missing") : name, feature));
    }
    for (String name : classes) {
      sayable(name, "class");
    }
    target = free("target");
    int outputs = model.base().outputs();
    raw = IntStream.range(0, outputs).mapToObj(k -> free("sum" + k)).toList();
  }

  /** Writes a model and the names of its classes, if PMML can say it. */
  public static ExportedModel write(Model model, List<String> classes) throws ExchangeException {
    var writer = new PmmlWriter(model, classes);
    return new ExportedModel(writer.bytes(), List.of());
  }

  static String sayable(String name, String what) throws ExchangeException {
    ExchangeException.require(
        XmlText.canSay(name),
        "PMML cannot name the %s '%s', which has a tab, a line break or what XML has not",
        what,
        name.codePoints().allMatch(c -> c >= ' ') ? name : name.replaceAll("\\p{Cntrl}", "?"));
    return name;
  }

  /** A name that nothing else has. */
  private String free(String name) {
    String free = name;
    while (!names.add(free)) {
      free += "_";
    }
    return free;
  }

  private byte[] bytes() throws ExchangeException {
    xml.start("PMML", "xmlns", "http://www.dmg.org/PMML-4_4", "version", "4.4");
    xml.start("Header").element("Application", "name", "Holdfast").end();
    dictionary();
    derived();
    xml.start("MiningModel", "functionName", function());
    schema(fields, true);
    outputs();
    xml.start("Segmentation", "multipleModelMethod", "modelChain");
    for (int k = 0; k < raw.size(); k++) {
      sum(k);
    }
    xml.start("Segment").element("True");
    link();
    return xml.end().bytes();
  }

  private String function() {
    return classes.isEmpty() ? "regression" : "classification";
  }

  private void dictionary() throws ExchangeException {
    xml.start("DataDictionary");
    for (Field field : fields) {
      data(field.name, field.categorical() ? "categorical" : "continuous");
      if (field.feature instanceof Feature.Categorical categorical) {
        for (String category : categorical.categories()) {
          xml.element("Value", "value", PmmlTrees.member(category, field.name));
        }
      }
      xml.end();
    }
    boolean ordered = model.objective().name().equals("ordinal");
    data(target, classes.isEmpty() ? "continuous" : ordered ? "ordinal" : "categorical");
    classes.forEach(name -> xml.element("Value", "value", name));
    xml.end().end();
  }

  private void data(String name, String type) {
    String values = type.equals("continuous") ? "double" : "string";
    xml.start("DataField", "name", name, "optype", type, "dataType", values);
  }

  /** Features that are missing where they are zero. */
  private void derived() {
    if (PlainTrees.zeroMissing(model).isEmpty()) {
      return;
    }
    xml.start("TransformationDictionary");
    for (Field field : fields) {
      if (PlainTrees.zeroMissing(field.feature)) {
        xml.start(
            "DerivedField", "name", field.values, "optype", "continuous", "dataType", "double");
        xml.start("Apply", "function", "if").start("Apply", "function", "isNotMissing");
        xml.element("FieldRef", "field", field.name).end();
        xml.start("Apply", "function", "if").start("Apply", "function", "greaterThan");
        xml.start("Apply", "function", "abs").element("FieldRef", "field", field.name).end();
        xml.start("Constant", "dataType", "double").text("" + Feature.Numeric.LARGEST_ZERO).end();
        xml.end().element("FieldRef", "field", field.name).end().end().end();
      }
    }
    xml.end();
  }

  private void schema(List<Field> asked, boolean withTarget) {
    xml.start("MiningSchema");
    for (Field field : asked.isEmpty() ? fields.subList(0, 1) : asked) { // it must have one
      xml.element("MiningField", "name", field.name, "invalidValueTreatment", field.invalid());
    }
    if (withTarget) {
      xml.element("MiningField", "name", target, "usageType", "target");
    }
    xml.end();
  }

  private void outputs() {
    xml.start("Output");
    for (int k = 0; k < raw.size(); k++) {
      String name = raw.size() == 1 ? "rawScore" : "rawScore" + k;
      output(free(name), "predictedValue", "segmentId", raw.get(k));
    }
    if (classes.isEmpty()) {
      output(free("prediction"), "predictedValue");
    } else {
      xml.element(
          "OutputField",
          "name",
          free("label"),
          "optype",
          "categorical",
          "dataType",
          "string",
          "feature",
          "predictedValue");
      for (String name : classes) {
        output(free("probability(" + name + ")"), "probability", "value", name);
      }
    }
    xml.end();
  }

  /** A number of a model. */
  private void output(String name, String feature, String... more) {
    List<String> attributes = new ArrayList<>(List.of("name", name, "optype", "continuous"));
    attributes.addAll(List.of("dataType", "double", "feature", feature));
    attributes.addAll(List.of(more));
    xml.element("OutputField", attributes.toArray(String[]::new));
  }

  /** The segment of a raw score. */
  private void sum(int output) {
    List<PlainTree> of = trees.of(output);
    Set<Integer> columns = new TreeSet<>();
    of.forEach(tree -> columns.addAll(PmmlTrees.columns(tree.from())));
    xml.start("Segment", "id", raw.get(output)).element("True");
    xml.start("MiningModel", "functionName", "regression");
    schema(columns.stream().map(fields::get).toList(), false);
    xml.start("Output");
    output(raw.get(output), "predictedValue");
    xml.end().start("Segmentation", "multipleModelMethod", "sum");
    tree(List.of());
    nodes.leaf(model.base().intercept(output));
    xml.end().end();
    for (PlainTree tree : of) {
      tree(PmmlTrees.columns(tree.from()).stream().map(fields::get).toList());
      nodes.tree(tree, fields);
      xml.end().end();
    }
    xml.end().end().end();
  }

  private void tree(List<Field> asked) {
    xml.start("Segment").element("True").start("TreeModel", "functionName", "regression");
    schema(asked, false);
  }

  private void link() {
    String objective = model.objective().name();
    Map<String, Double> parameters = model.objective().parameters();
    String method =
        switch (objective) {
          // Of 2 classes, too: a logit has 1 - p for the other one, which cancels.
          case "softmax", "logistic", "exponential" -> "softmax";
          case "probit" -> "probit";
          case "ordinal" -> parameters.getOrDefault("link", 0.0) == 1 ? "probit" : "logit";
          case "beta" -> "logit";
          case "poisson", "gamma", "tweedie" -> "exp";
          default -> "none";
        };
    xml.start("RegressionModel", "functionName", function(), "normalizationMethod", method);
    xml.start("MiningSchema");
    raw.forEach(name -> xml.element("MiningField", "name", name));
    xml.element("MiningField", "name", target, "usageType", "target").end();
    int last = classes.size() - 1;
    switch (objective) {
      case "softmax" -> {
        for (int k = 0; k <= last; k++) {
          table(k, raw.get(k), 1, 0);
        }
      }
      case "logistic", "exponential" -> {
        table(0, raw.getFirst(), 0, 0);
        table(1, raw.getFirst(), objective.equals("exponential") ? 2 : 1, 0);
      }
      case "probit" -> {
        table(1, raw.getFirst(), 1, 0);
        table(0, raw.getFirst(), 0, 0); // what class 1 leaves
      }
      case "ordinal" -> {
        for (int k = 0; k < last; k++) {
          table(k, raw.getFirst(), -1, parameters.getOrDefault("theta" + (k + 1), 0.0));
        }
        table(last, raw.getFirst(), 0, 0); // what the others leave
      }
      default -> table(-1, raw.getFirst(), 1, 0);
    }
    xml.end();
  }

  /** What a class, or the prediction if that is below 0, has of a sum. */
  private void table(int number, String of, double coefficient, double intercept) {
    if (number < 0) {
      xml.start("RegressionTable", "intercept", "" + intercept);
    } else {
      String name = classes.get(number);
      xml.start("RegressionTable", "intercept", "" + intercept, "targetCategory", name);
    }
    if (coefficient != 0) {
      xml.element("NumericPredictor", "name", of, "coefficient", "" + coefficient);
    }
    xml.end();
  }
}
