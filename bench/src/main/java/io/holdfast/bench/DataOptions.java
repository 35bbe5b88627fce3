package io.holdfast.bench;

import io.holdfast.bench.data.DataFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that reads the shared data sets. */
final class DataOptions {
  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description =
          "The folder of the data sets (data in the folder of -Dholdfast.shared, which is"
              + " ../shared).")
  @Nullable Path data;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "Rows of a data set at most (${DEFAULT-VALUE}): larger ones give a seeded draw of as"
              + " many.")
  int rows;

  @Option(
      names = "--quick",
      description = "A few rounds on few rows: to see that the command runs, not for figures.")
  boolean quick;

  DataFolder folder() {
    return DataFolder.of(data);
  }
}
