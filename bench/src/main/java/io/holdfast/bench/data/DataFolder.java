package io.holdfast.bench.data;

import io.holdfast.cli.input.DataException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the shared data sets are. Immutable; nothing is read until a file is asked for. */
public record DataFolder(Path path) {
  /** The system property that names the folder that holds {@code data}. */
  public static final String SHARED = "holdfast.shared";

  /** The folder given on the command line, or else that of the system property. */
  public static DataFolder of(@Nullable Path given) {
    return new DataFolder(
        given == null ? Path.of(System.getProperty(SHARED, "../shared"), "data") : given);
  }

  /** The file of that name, or a DataException that says how to name another folder. */
  public Path file(String name) {
    if (!Files.isDirectory(path)) {
      throw new DataException(
          "there is no folder %s with the data sets: name it with --data, or the one above it with"
              + " -D%s",
          path, SHARED);
    }
    Path file = path.resolve(name);
    if (!Files.isRegularFile(file)) {
      throw new DataException("there is no file %s in the data sets' folder %s", name, path);
    }
    return file;
  }
}
