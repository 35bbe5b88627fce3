package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.feature.MissingWords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a model asks of a file: what each column holds, by its text, which words are no values, and
 * which columns may be absent. A file is checked against it, never judged by itself. Immutable.
 */
public record FileContract(Map<String, Kind> kinds, MissingWords missing, Set<String> mayLack) {
  public FileContract {
    kinds = Collections.unmodifiableMap(new LinkedHashMap<>(kinds)); // in their order
    mayLack = Set.copyOf(mayLack);
  }

  public enum Kind {
    /** Numbers; truths count as 1 and 0, and a column of dates alone as milliseconds. */
    NUMBER,
    TIME,
    TEXT
  }

  @Nullable Kind kind(String column) {
    return kinds.get(column);
  }

  Set<String> columns(Kind kind) {
    return kinds.entrySet().stream()
        .filter(column -> column.getValue() == kind)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Throws DataException naming every column that is lacking, with the nearest that is there. */
  public void check(FileHeader header) {
    List<String> lacking =
        kinds.keySet().stream()
            .filter(column -> header.field(column).isEmpty() && !mayLack.contains(column))
            .toList();
    if (lacking.isEmpty()) {
      return;
    }
    List<String> unread = new ArrayList<>(header.columns());
    unread.removeIf(column -> kinds.containsKey(ColumnName.text(column)));
    String named =
        lacking.stream()
            .map(column -> column + Suggestion.aside(column, unread))
            .collect(Collectors.joining(", "));
    throw new DataException(
        "%s lacks %s that the model reads: %s; it has %s. Name the columns as in training, or take"
            + " these for missing values with --allow-missing %s",
        header.name(),
        lacking.size() == kinds.size()
            ? Sentence.of("all %d columns", kinds.size())
            : Sentence.of("%d of the %d columns", lacking.size(), kinds.size()),
        named,
        some(header.columns()),
        String.join(",", lacking));
  }

  private static String some(List<String> columns) {
    int most = 20;
    return columns.size() <= most
        ? String.join(", ", columns)
        : String.join(", ", columns.subList(0, most)) + " and " + (columns.size() - most) + " more";
  }
}
