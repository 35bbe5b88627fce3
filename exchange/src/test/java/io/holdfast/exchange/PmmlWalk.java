package io.holdfast.exchange;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Reads raw scores out of PMML as its specification says, as far as we write it. */
final class PmmlWalk {
  private static final Pattern MEMBER = Pattern.compile("\"((?:[^\"\\\\]|\\\\\"|\\\\)*?)\"(?= |$)");

  private final Element root;
  private final Map<String, Set<String>> listed = new HashMap<>();

  PmmlWalk(byte[] pmml) throws Exception {
    root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(pmml))
            .getDocumentElement();
    for (Element field : children(child(root, "DataDictionary"), "DataField")) {
      Set<String> values = new HashSet<>();
      children(field, "Value").forEach(value -> values.add(value.getAttribute("value")));
      listed.put(field.getAttribute("name"), values);
    }
  }

  private static List<Element> children(Element of, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = of.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static Element child(Element of, String name) {
    return children(of, name).getFirst();
  }

  /** The sums of the chain; a row has numbers and names, and nothing where a value is missing. */
  double[] rawScores(Map<String, Object> row) {
    Element model = child(root, "MiningModel");
    Map<String, Object> values = new HashMap<>(row);
    for (Element field : children(child(model, "MiningSchema"), "MiningField")) {
      String name = field.getAttribute("name");
      boolean missing = field.getAttribute("invalidValueTreatment").equals("asMissing");
      Set<String> known = listed.getOrDefault(name, Set.of());
      if (missing && values.get(name) instanceof String text && !known.contains(text)) {
        values.remove(name);
      }
    }
    for (Element derived : children(root, "TransformationDictionary")) {
      for (Element field : children(derived, "DerivedField")) {
        String of =
            ((Element) field.getElementsByTagName("FieldRef").item(0)).getAttribute("field");
        double bound =
            Double.parseDouble(field.getElementsByTagName("Constant").item(0).getTextContent());
        if (values.get(of) instanceof Double value && Math.abs(value) > bound) {
          values.put(field.getAttribute("name"), value);
        }
      }
    }
    List<Element> chain = children(child(model, "Segmentation"), "Segment");
    return chain.subList(0, chain.size() - 1).stream()
        .mapToDouble(segment -> sum(child(child(segment, "MiningModel"), "Segmentation"), values))
        .toArray();
  }

  private static double sum(Element segmentation, Map<String, Object> values) {
    double sum = 0;
    for (Element segment : children(segmentation, "Segment")) {
      Element node = child(child(segment, "TreeModel"), "Node");
      while (!children(node, "Node").isEmpty()) {
        node =
            children(node, "Node").stream()
                .filter(child -> holds(child, values))
                .findFirst()
                .orElseThrow();
      }
      sum += Double.parseDouble(node.getAttribute("score"));
    }
    return sum;
  }

  private static boolean holds(Element node, Map<String, Object> values) {
    for (Element predicate : children(node, "SimplePredicate")) {
      @Nullable Object value = values.get(predicate.getAttribute("field"));
      double bound = Double.parseDouble(predicate.getAttribute("value").replace("INF", "Infinity"));
      boolean below = predicate.getAttribute("operator").equals("lessOrEqual");
      return value instanceof Double number && (below ? number <= bound : number > bound);
    }
    for (Element predicate : children(node, "SimpleSetPredicate")) {
      @Nullable Object value = values.get(predicate.getAttribute("field"));
      Set<String> members = new HashSet<>();
      Matcher matcher = MEMBER.matcher(child(predicate, "Array").getTextContent());
      while (matcher.find()) {
        members.add(matcher.group(1).replace("\\\"", "\""));
      }
      boolean in = predicate.getAttribute("booleanOperator").equals("isIn");
      return value instanceof String && members.contains(value) == in;
    }
    return !children(node, "True").isEmpty();
  }
}
