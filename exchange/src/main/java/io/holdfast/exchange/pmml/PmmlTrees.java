package io.holdfast.exchange.pmml;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Tree;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.PlainTrees.PlainTree;
import io.holdfast.exchange.pmml.PmmlWriter.Field;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Trees as nodes of a TreeModel. Not thread-safe.
 *
 * <p>A comparison with a missing value is not true, so the child where a missing value does not go
 * comes first with its predicate, and the other takes all that is left: nothing need be said of
 * missing values.
 */
final class PmmlTrees {
  private final XmlText xml;

  /**
   * What is still to be written of a tree.
   *
   * @param node numbered as children are
   * @param parent whose predicate leads here; below 0 if all go here
   */
  private record Step(int node, int parent) {
    static final Step END = new Step(0, -2);
  }

  PmmlTrees(XmlText xml) {
    this.xml = xml;
  }

  /** The columns that a tree asks for. */
  static Set<Integer> columns(Tree tree) {
    Set<Integer> columns = new TreeSet<>();
    for (int node = 0; node < tree.innerNodes(); node++) {
      columns.add(tree.feature(node));
    }
    return columns;
  }

  /** A category that can be in a set of texts, where quotes are escaped and backslashes are not. */
  static String member(String category, String feature) throws ExchangeException {
    PmmlWriter.sayable(category, "category of " + feature);
    ExchangeException.require(
        !category.contains("\\\"") && !category.endsWith("\\"),
        "PMML cannot name the category '%s' of %s: a backslash before a quote or the end",
        category,
        feature);
    return category;
  }

  /** A tree of one leaf. */
  void leaf(double score) {
    xml.start("Node", "score", "" + score).element("True").end();
  }

  void tree(PlainTree plain, List<Field> fields) {
    Tree tree = plain.from();
    Deque<Step> open = new ArrayDeque<>(); // trees of others may be deeper than the stack
    open.push(new Step(tree.innerNodes() == 0 ? -1 : 0, -1));
    while (!open.isEmpty()) {
      Step step = open.pop();
      if (step.equals(Step.END)) {
        xml.end();
        continue;
      }
      int node = step.node;
      if (node < 0) {
        xml.start("Node", "score", "" + plain.value(-1 - node));
      } else {
        xml.start("Node");
      }
      if (step.parent < 0) {
        xml.element("True");
      } else {
        predicate(tree, step.parent, fields.get(tree.feature(step.parent)));
      }
      open.push(Step.END);
      if (node >= 0) {
        boolean missingLeft = tree.missingLeft(node);
        open.push(new Step(missingLeft ? tree.left(node) : tree.right(node), -1));
        open.push(new Step(missingLeft ? tree.right(node) : tree.left(node), node));
      }
    }
  }

  /** Of the child where a missing value does not go. */
  private void predicate(Tree tree, int node, Field field) {
    boolean left = !tree.missingLeft(node);
    if (field.feature() instanceof Feature.Categorical categorical) {
      set(tree, node, field.values(), categorical.categories());
    } else {
      String operator = left ? "lessOrEqual" : "greaterThan";
      String value = number(tree.threshold(node));
      xml.element("SimplePredicate", "field", field.values(), "operator", operator, "value", value);
    }
  }

  /** Of the categories that do not go where those go that are not listed. */
  private void set(Tree tree, int node, String field, List<String> categories) {
    boolean others = tree.goesLeft(node, categories.size());
    StringBuilder members = new StringBuilder();
    int count = 0;
    for (int code = 0; code < categories.size(); code++) {
      if (tree.goesLeft(node, code) != others) {
        members.append(count++ == 0 ? "\"" : " \"");
        members.append(categories.get(code).replace("\"", "\\\"")).append('"');
      }
    }
    String operator = others == tree.missingLeft(node) ? "isIn" : "isNotIn";
    xml.start("SimpleSetPredicate", "field", field, "booleanOperator", operator);
    xml.start("Array", "type", "string", "n", "" + count).text(members.toString()).end().end();
  }

  /** A number as XML Schema writes it. */
  private static String number(double value) {
    return Double.isInfinite(value) ? (value > 0 ? "INF" : "-INF") : Double.toString(value);
  }
}
