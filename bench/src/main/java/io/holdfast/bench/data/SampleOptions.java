package io.holdfast.bench.data;

import io.holdfast.boosting.data.Rows;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of a command that takes draws of several data sets. */
public final class SampleOptions extends DataOptions {
  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "Rows of a data set at most (${DEFAULT-VALUE}): larger ones give a seeded draw of as"
              + " many.")
  int rows = 20_000;

  @Option(
      names = "--quick",
      description = "A few rounds on few rows: to see that the command runs, not for figures.")
  boolean quick;

  public boolean quick() {
    return quick;
  }

  public Rows sample(Rows all, long seed) {
    return Split.sample(all, quick ? 500 : rows, seed);
  }

  /** The tasks of those names, whose files must be there: better told now than after an hour. */
  public List<Task> tasks(List<String> names) {
    List<Task> tasks = Task.named(names);
    tasks.forEach(task -> folder().file(task.data().file()));
    return tasks;
  }
}
