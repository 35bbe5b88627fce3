package io.holdfast.cli.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.auditor.Proven;
import io.holdfast.cli.options.CommandException;
import io.holdfast.schemas.file.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What audits have proven of each model, in a file if there is one. Owned by one thread. */
final class ProvenFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final @Nullable Path file;
  private final Map<String, Proven> models = new TreeMap<>();

  private ProvenFile(@Nullable Path file) {
    this.file = file;
  }

  /** What an earlier audit has written; nothing if there is no such file. */
  static ProvenFile read(@Nullable Path file) {
    ProvenFile read = new ProvenFile(file);
    if (file == null || !Files.exists(file)) {
      return read;
    }
    try {
      for (JsonNode one : JSON.readTree(Files.readAllBytes(file)).path("models")) {
        Proven proven = JSON.treeToValue(one, Proven.class);
        read.models.put(proven.model(), proven);
      }
    } catch (IOException | IllegalArgumentException | NullPointerException e) {
      throw CommandException.failed(
          "%s is not what an audit with --resume has written: %s", file, e.getMessage());
    }
    return read;
  }

  Proven of(String model) {
    return models.getOrDefault(model, Proven.nothing(model));
  }

  void take(Proven proven) {
    models.put(proven.model(), proven);
    if (file != null) {
      try {
        OutputFile.of(file)
            .writeText(
                JSON.writerWithDefaultPrettyPrinter()
                    .writeValueAsString(Map.of("models", models.values())));
      } catch (IOException e) {
        throw CommandException.failed("%s cannot be written: %s", file, e.getMessage());
      }
    }
  }
}
