package io.holdfast.bench.data;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.input.DataException;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;

/**
 * What is learned from a data set.
 *
 * @param name on the command line and in tables: the data set and the objective
 * @param labels what the objective is given for a value in the label column
 */
public record Task(String name, DataSet data, Objective objective, DoubleUnaryOperator labels) {
  private static final DoubleUnaryOperator AS_IT_IS = DoubleUnaryOperator.identity();

  private static final Objective SEVEN_CLASSES = Objective.of("softmax", Map.of("classes", 7.0));

  private static final Objective SQUARED = Objective.named("squared");
  private static final Objective LOGISTIC = Objective.named("logistic");

  /** All there are. */
  public static final List<Task> ALL =
      List.of(
          new Task("bikes-squared", DataSet.BIKES, SQUARED, AS_IT_IS),
          new Task("electricity-logistic", DataSet.ELECTRICITY, LOGISTIC, AS_IT_IS),
          new Task("wine-squared", DataSet.WINE, SQUARED, AS_IT_IS),
          new Task("air-squared", DataSet.AIR, SQUARED, AS_IT_IS),
          new Task("weather-squared", DataSet.WEATHER, SQUARED, AS_IT_IS),
          // Lodgepole pine, about half of the rows, against the rest.
          new Task("cover-logistic", DataSet.COVER, LOGISTIC, label -> label == 2 ? 1 : 0),
          // Seven classes each, by number from 0.
          new Task("cover-softmax", DataSet.COVER, SEVEN_CLASSES, label -> label - 1),
          new Task("wine-softmax", DataSet.WINE, SEVEN_CLASSES, label -> label - 3),
          new Task("turbine-squared", DataSet.TURBINE, SQUARED, AS_IT_IS),
          new Task("fires-squared", DataSet.FIRES, SQUARED, AS_IT_IS));

  @Override
  public String toString() {
    return name;
  }

  public static List<Task> named(List<String> names) {
    return names.stream().map(Task::named).toList();
  }

  /** The task of that name, or a DataException that names those there are. */
  public static Task named(String name) {
    return ALL.stream()
        .filter(task -> task.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "a task must be one of %s: %s",
                    ALL.stream().map(Task::name).collect(Collectors.joining(", ")), name));
  }
}
