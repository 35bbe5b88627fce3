package io.holdfast.schemas.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that are gone when the process ends. Stateless. */
public final class TemporaryFile {
  private TemporaryFile() {}

  /** Writes what only the user may read. */
  public static Path of(OutputFile.Content content) throws IOException {
    Path file = Files.createTempFile("holdfast-", null);
    file.toFile().deleteOnExit();
    boolean written = false;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      content.writeTo(out);
      written = true;
    } finally {
      if (!written) {
        Files.delete(file);
      }
    }
    return file;
  }
}
