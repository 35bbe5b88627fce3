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
import io.holdfast.cli.data.DataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** A stream by name: a data set in the order of its file, or a generator. Immutable. */
sealed interface StreamSource {
  /** What every generator is seeded by. */
  long SEED = 1;

  /** As the field runs it: with the price that the label is computed from. */
  Task ELECTRICITY =
      new Task(
          "electricity",
          new DataSet("electricity.csv.gz", true, Set.of("time"), Set.of("day")),
          Objective.named("logistic"),
          DoubleUnaryOperator.identity());

  /** The name on the command line and in tables. */
  String name();

  /** How many rows there are, or are drawn, if nothing else is said; 0 for all of the file. */
  int usualRows();

  /**
   * The first {@code rows} rows; of a generator the whole of a stream whose drifts are laid out
   * over that many.
   *
   * @param rows 0 for the usual number
   */
  LabelledStream read(DataFolder folder, int rows);

  /** A data set. */
  record OfFile(String name, Task task, int classes) implements StreamSource {
    @Override
    public int usualRows() {
      return 0;
    }

    @Override
    public LabelledStream read(DataFolder folder, int rows) {
      LabelledRows all = LabelledRows.read(folder, task);
      Rows taken =
          rows == 0 || rows >= all.rows().size()
              ? all.rows()
              : all.rows().subset(IntStream.range(0, rows).toArray());
      return new LabelledStream(name, all.features(), classes, taken);
    }
  }

  /** A generator. */
  record Generated(PublishedStream stream) implements StreamSource {
    @Override
    public String name() {
      return stream.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public int usualRows() {
      return 100_000;
    }

    @Override
    public LabelledStream read(DataFolder folder, int rows) {
      int count = rows == 0 ? usualRows() : rows;
      SimulatedStream draws = stream.stream(SEED, count);
      Rows.Builder builder = Rows.builder(draws.features().size()).expecting(count);
      for (int row = 0; row < count; row++) {
        SimulatedRow next = draws.next();
        builder.add(next.features(), next.label(), draws.environments().get(next.environment()));
      }
      return new LabelledStream(name(), draws.features(), draws.classes(), builder.build());
    }
  }

  /** All there are. */
  static List<StreamSource> all() {
    List<StreamSource> all = new ArrayList<>();
    all.add(new OfFile("electricity", ELECTRICITY, 2));
    all.add(new OfFile("electricity-blind", Task.named("electricity-logistic"), 2));
    all.add(new OfFile("covertype", Task.named("cover-softmax"), 7));
    for (PublishedStream stream : PublishedStream.values()) {
      all.add(new Generated(stream));
    }
    all.add(new OfFile("bikes", Task.named("bikes-squared"), 0));
    all.add(new OfFile("air", Task.named("air-squared"), 0));
    all.add(new OfFile("turbine", Task.named("turbine-squared"), 0));
    return all;
  }

  /**
   * The one of that name.
   *
   * @throws DataException naming those there are, if there is none
   */
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
