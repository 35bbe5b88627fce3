package io.holdfast.cli.score;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.explain.PartialDependence;
import io.holdfast.boosting.explain.PartialDependence.Point;
import io.holdfast.boosting.explain.PartialDependence.Scale;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/**
 * A partial dependence, as people and machines read it. Immutable.
 *
 * @param byEnvironment whether that of each environment is shown too
 */
record DependenceCurve(PartialDependence dependence, boolean byEnvironment) {

  /**
   * A line for each point, environment and number: the features, empty if missing; the environment,
   * empty for all rows; the class, if there are several; and the mean.
   */
  String csv() {
    boolean several = dependence.points().getFirst().means().size() > 1;
    StringBuilder csv = new StringBuilder();
    List<@Nullable Object> header = new ArrayList<>();
    dependence.features().forEach(feature -> header.add(ColumnName.of(feature.name())));
    if (byEnvironment) {
      header.add("environment");
    }
    if (several) {
      header.add(dependence.scale() == Scale.RAW ? "output" : "class");
    }
    header.add(dependence.scale() == Scale.RAW ? "rawScore" : "prediction");
    line(csv, header);
    for (Point point : dependence.points()) {
      lines(csv, point, null, point.means());
      for (int k = 0; byEnvironment && k < dependence.environments().size(); k++) {
        lines(csv, point, dependence.environments().get(k), point.byEnvironment().get(k));
      }
    }
    return csv.toString();
  }

  private void lines(
      StringBuilder csv, Point point, @Nullable String environment, List<Double> means) {
    for (int number = 0; number < means.size(); number++) {
      List<@Nullable Object> cells = new ArrayList<>();
      for (int k = 0; k < point.at().size(); k++) {
        cells.add(value(dependence.features().get(k), point.at().get(k)));
      }
      if (byEnvironment) {
        cells.add(environment);
      }
      if (means.size() > 1) {
        cells.add(number);
      }
      cells.add(means.get(number));
      line(csv, cells);
    }
  }

  private static void line(StringBuilder csv, List<@Nullable Object> cells) {
    csv.append(CSVFormat.RFC4180.format(cells.toArray())).append(System.lineSeparator());
  }

  /** A number, the name of a category, or null for a missing value. */
  private static @Nullable Object value(Feature feature, double value) {
    if (Double.isNaN(value)) {
      return null;
    }
    return switch (feature) {
      case Feature.Numeric _ -> value;
      case Feature.Categorical categorical -> categorical.categories().get((int) value);
    };
  }

  String json() {
    ObjectNode node = Json.object();
    ArrayNode features = node.putArray("features");
    dependence.features().forEach(feature -> features.add(ColumnName.of(feature.name())));
    node.put("scale", dependence.scale() == Scale.RAW ? "rawScore" : "prediction");
    ArrayNode points = node.putArray("points");
    for (Point point : dependence.points()) {
      ObjectNode one = points.addObject();
      ArrayNode at = one.putArray("at");
      for (int k = 0; k < point.at().size(); k++) {
        at.addPOJO(value(dependence.features().get(k), point.at().get(k)));
      }
      addAll(one.putArray("means"), point.means());
      if (byEnvironment) {
        ObjectNode environments = one.putObject("environments");
        for (int k = 0; k < dependence.environments().size(); k++) {
          String name = dependence.environments().get(k);
          addAll(environments.putArray(name), point.byEnvironment().get(k));
        }
      }
    }
    return Json.pretty(node) + System.lineSeparator();
  }

  private static void addAll(ArrayNode node, List<Double> values) {
    values.forEach(node::add);
  }
}
