package io.holdfast.bench.streams;

import io.holdfast.bench.data.DataFolder;
import io.holdfast.bench.data.DataSet;
import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.Task;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.simulate.PublishedStream;
import io.holdfast.boosting.simulate.SimulatedRow;
import io.holdfast.boosting.simulate.SimulatedStream;
import io.holdfast.cli.input.DataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** A stream by its name on the command line and in tables. */
record StreamSource(String name, Reader reader) {
  private static final long SEED = 1;
  private static final int USUAL_ROWS = 100_000;

  /** As the field runs it: with the price that the label is computed from. */
  private static final Task ELECTRICITY =
      new Task(
          "electricity",
          new DataSet("electricity.csv.gz", true, Set.of("time"), Set.of("day")),
          Objective.named("logistic"),
          DoubleUnaryOperator.identity());

  /** Reads that many rows; with 0 all of a file, or the usual number of drawn ones. */
  @FunctionalInterface
  interface Reader {
    LabelledStream read(DataFolder folder, int rows);
  }

  /** A data set in the order of its file. */
  private static StreamSource ofFile(String name, Task task, int classes) {
    return new StreamSource(
        name,
        (folder, rows) -> {
          LabelledRows all = LabelledRows.read(folder, task);
          Rows taken =
              rows == 0 || rows >= all.rows().size()
                  ? all.rows()
                  : all.rows().subset(IntStream.range(0, rows).toArray());
          return new LabelledStream(name, all.features(), classes, taken);
        });
  }

  /** The whole of a stream whose drifts are laid out over the rows asked for. */
  private static StreamSource generated(PublishedStream stream) {
    String name = stream.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return new StreamSource(
        name,
        (folder, rows) -> {
          int count = rows == 0 ? USUAL_ROWS : rows;
          SimulatedStream draws = stream.stream(SEED, count);
          Rows.Builder builder = Rows.builder(draws.features().size()).expecting(count);
          for (int row = 0; row < count; row++) {
            SimulatedRow next = draws.next();
            String environment = draws.environments().get(next.environment());
            builder.add(next.features(), next.label(), environment);
          }
          return new LabelledStream(name, draws.features(), draws.classes(), builder.build());
        });
  }

  static List<StreamSource> all() {
    List<StreamSource> all = new ArrayList<>();
    all.add(ofFile("electricity", ELECTRICITY, 2));
    all.add(ofFile("electricity-blind", Task.named("electricity-logistic"), 2));
    all.add(ofFile("covertype", Task.named("cover-softmax"), 7));
    for (PublishedStream stream : PublishedStream.values()) {
      all.add(generated(stream));
    }
    all.add(ofFile("bikes", Task.named("bikes-squared"), 0));
    all.add(ofFile("air", Task.named("air-squared"), 0));
    all.add(ofFile("turbine", Task.named("turbine-squared"), 0));
    return all;
  }

  /** The one of that name, or a DataException that names those there are. */
  static StreamSource named(String name) {
    return all().stream()
        .filter(source -> source.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "a stream must be one of %s: %s",
                    String.join(", ", all().stream().map(StreamSource::name).toList()), name));
  }
}
