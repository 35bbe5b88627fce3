package io.holdfast.cli.score;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.explain.PartialDependence;
import io.holdfast.boosting.explain.PartialDependence.Scale;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/** The partial dependence on one or two features, as people and machines read it. */
record DependenceCurve(
    List<String> features,
    String scale,
    @JsonInclude(Include.NON_EMPTY) List<String> classes,
    List<Point> points) {

  /** Means at a value or category of each feature (null if missing), one a class or raw score. */
  record Point(
      List<@Nullable Object> at,
      List<Double> means,
      @JsonInclude(Include.NON_NULL) @Nullable Map<String, List<Double>> environments) {}

  static DependenceCurve of(
      PartialDependence dependence, ClassLabels classes, boolean byEnvironment) {
    List<Point> points = new ArrayList<>();
    for (PartialDependence.Point point : dependence.points()) {
      List<@Nullable Object> at = new ArrayList<>();
      for (int k = 0; k < point.at().size(); k++) {
        at.add(value(dependence.features().get(k), point.at().get(k)));
      }
      Map<String, List<Double>> environments = byEnvironment ? new LinkedHashMap<>() : null;
      for (int k = 0; environments != null && k < dependence.environments().size(); k++) {
        environments.put(dependence.environments().get(k), point.byEnvironment().get(k));
      }
      points.add(new Point(at, point.means(), environments));
    }
    return new DependenceCurve(
        dependence.features().stream().map(feature -> ColumnName.of(feature.name())).toList(),
        dependence.scale() == Scale.RAW ? "rawScore" : "prediction",
        classes.names(),
        points);
  }

  private static @Nullable Object value(Feature feature, double value) {
    if (Double.isNaN(value)) {
      return null;
    }
    return switch (feature) {
      case Feature.Numeric _ -> value;
      case Feature.Categorical categorical -> categorical.categories().get((int) value);
    };
  }

  /** A line for each point, environment (empty for all rows) and class, if there are several. */
  String csv() {
    StringBuilder csv = new StringBuilder();
    List<@Nullable Object> header = new ArrayList<>(features);
    if (points.getFirst().environments() != null) {
      header.add("environment");
    }
    if (points.getFirst().means().size() > 1) {
      header.add(scale.equals("rawScore") ? "output" : "class");
    }
    header.add(scale);
    line(csv, header);
    for (Point point : points) {
      lines(csv, point, null, point.means());
      if (point.environments() != null) {
        point.environments().forEach((name, means) -> lines(csv, point, name, means));
      }
    }
    return csv.toString();
  }

  private void lines(
      StringBuilder csv, Point point, @Nullable String environment, List<Double> means) {
    for (int number = 0; number < means.size(); number++) {
      List<@Nullable Object> cells = new ArrayList<>(point.at());
      if (point.environments() != null) {
        cells.add(environment);
      }
      if (means.size() > 1) {
        cells.add(means.size() == classes.size() ? classes.get(number) : number);
      }
      cells.add(means.get(number));
      line(csv, cells);
    }
  }

  private static void line(StringBuilder csv, List<@Nullable Object> cells) {
    csv.append(CSVFormat.RFC4180.format(cells.toArray())).append(System.lineSeparator());
  }
}
