package io.holdfast.cli.tune;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.tune.Trials.Trial;
import io.holdfast.schemas.file.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The trials of a search, kept in a file if one is named: a line that says what is searched, and
 * one a trial. The file is replaced as a whole, so that it is never half written; a last line that
 * is not whole all the same does not count. Owned by one thread.
 */
final class TuningState {
  private final @Nullable OutputFile file;
  private final StringBuilder text = new StringBuilder(); // of the file
  private final Map<Key, Trial> trials = new HashMap<>();

  private record Key(int candidate, long rows) {}

  private TuningState(@Nullable OutputFile file) {
    this.file = file;
  }

  /** A search whose state is kept nowhere. */
  static TuningState inMemory() {
    return new TuningState(null);
  }

  /**
   * The state of the search that {@code what} says, empty if there is no file.
   *
   * @throws DataException if the file is of another search, or none at all
   */
  static TuningState of(Path file, ObjectNode what) {
    TuningState state = new TuningState(OutputFile.of(file));
    String text = text(file);
    int end = text.lastIndexOf('\n') + 1;
    if (end == 0 && !text.isEmpty() && !text.startsWith("{\"search\"")) {
      throw other(file);
    }
    if (end == 0) {
      state.write(Json.line(search(what)) + "\n");
      return state;
    }
    List<String> lines = text.substring(0, end).lines().toList();
    check(file, read(file, lines.getFirst()).path("search"), what);
    for (String line : lines.subList(1, lines.size())) {
      state.put(trial(read(file, line)));
    }
    state.text.append(text, 0, end);
    return state;
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", file, e.getMessage());
    }
  }

  private void write(String more) {
    text.append(more);
    if (file != null) {
      file.writeText(text.toString());
    }
  }

  private static ObjectNode search(ObjectNode what) {
    ObjectNode line = Json.tree(Map.of());
    line.set("search", what);
    return line;
  }

  private static JsonNode read(Path file, String line) {
    try {
      return Json.parse(line);
    } catch (IllegalArgumentException e) {
      throw other(file);
    }
  }

  private static DataException other(Path file) {
    return new DataException(
        "%s is not what holdfast tune --resume writes: name a new file, or one of its own", file);
  }

  private static void check(Path file, JsonNode before, ObjectNode what) {
    if (!before.isObject()) {
      throw other(file);
    }
    JsonNode now = Json.parse(Json.line(what)); // as it is read
    for (Map.Entry<String, JsonNode> one : now.properties()) {
      JsonNode other = before.path(one.getKey());
      if (!one.getValue().equals(other)) {
        throw new DataException(
            "%s is the state of another search: its %s is %s, and now it is %s",
            file, one.getKey(), other, one.getValue());
      }
    }
  }

  private static Trial trial(JsonNode line) {
    List<Double> folds = new ArrayList<>();
    line.path("folds").forEach(fold -> folds.add(fold.asDouble(Double.NaN)));
    return new Trial(
        line.path("candidate").asInt(),
        line.path("rows").asLong(),
        line.path("loss").asDouble(Double.NaN),
        folds);
  }

  private void put(Trial trial) {
    trials.put(new Key(trial.candidate(), trial.rows()), trial);
  }

  void add(List<Trial> more) {
    StringBuilder lines = new StringBuilder();
    for (Trial trial : more) {
      put(trial);
      lines.append(Json.line(trial)).append('\n');
    }
    write(lines.toString());
  }

  @Nullable Trial find(int candidate, long rows) {
    return trials.get(new Key(candidate, rows));
  }

  Trial get(int candidate, long rows) {
    return Objects.requireNonNull(find(candidate, rows));
  }
}
