package io.holdfast.bench.data;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.cli.data.DataException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;

/** What is learned from a data set: labels as an objective wants them. */
public enum Task {
  BIKES_SQUARED(DataSet.BIKES, label -> label, Objective.named("squared")),
  ELECTRICITY_LOGISTIC(DataSet.ELECTRICITY, label -> label, Objective.named("logistic")),
  /** The score as a number. */
  WINE_SQUARED(DataSet.WINE, label -> label, Objective.named("squared")),
  AIR_SQUARED(DataSet.AIR, label -> label, Objective.named("squared")),
  WEATHER_SQUARED(DataSet.WEATHER, label -> label, Objective.named("squared")),
  /** Lodgepole pine, about half of the rows, against the rest. */
  COVER_LOGISTIC(DataSet.COVER, label -> label == 2 ? 1 : 0, Objective.named("logistic")),
  TURBINE_SQUARED(DataSet.TURBINE, label -> label, Objective.named("squared")),
  FIRES_SQUARED(DataSet.FIRES, label -> label, Objective.named("squared"));

  private final DataSet data;
  private final DoubleUnaryOperator labels;
  private final Objective objective;

  Task(DataSet data, DoubleUnaryOperator labels, Objective objective) {
    this.data = data;
    this.labels = labels;
    this.objective = objective;
  }

  /** The rows it is learned from. */
  public DataSet data() {
    return data;
  }

  /** The loss. */
  public Objective objective() {
    return objective;
  }

  /** The objective's label of a value in the label column. */
  double label(double value) {
    return labels.applyAsDouble(value);
  }

  /** The name on the command line and in tables: the data set and the objective. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The tasks of those names.
   *
   * @throws DataException naming those there are, if there is none of some name
   */
  public static List<Task> named(List<String> names) {
    return names.stream().map(Task::named).toList();
  }

  private static Task named(String name) {
    return Arrays.stream(values())
        .filter(task -> task.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "a task must be one of %s: %s",
                    Arrays.stream(values()).map(Task::toString).collect(Collectors.joining(", ")),
                    name));
  }
}
