package io.holdfast.bench.data;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of every command that reads the shared data sets. */
public class DataOptions {
  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description =
          "The folder of the data sets (data in the folder of -Dholdfast.shared, which is"
              + " ../shared).")
  @Nullable Path data;

  public final DataFolder folder() {
    return DataFolder.of(data);
  }
}
