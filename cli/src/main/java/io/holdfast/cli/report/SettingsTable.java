package io.holdfast.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.report.Page.Cell;
import io.holdfast.cli.report.Page.Tone;
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.ModelKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** What models' settings are where they are not the defaults. Stateless. */
public final class SettingsTable {
  private static final Map<String, String> DEFAULTS =
      ModelKeys.ALL.stream()
          .collect(Collectors.toMap(Key::path, key -> key.defaultText().orElse("")));

  private SettingsTable() {}

  /** Rows of key, default and a cell a model. */
  public static List<List<Object>> rows(List<JsonNode> models) {
    List<List<Object>> rows = new ArrayList<>();
    for (Key<?> key : ModelKeys.ALL) {
      List<String> values = models.stream().map(model -> value(model, key.path())).toList();
      String usual = DEFAULTS.getOrDefault(key.path(), "");
      if (values.stream().allMatch(value -> value.isEmpty() || value.equals(usual))) {
        continue;
      }
      List<Object> row = new ArrayList<>(List.of(key.path(), usual.isEmpty() ? "–" : usual));
      boolean differ = values.stream().distinct().count() > 1;
      values.forEach(
          value ->
              row.add(new Cell(value.isEmpty() ? usual : value, differ ? Tone.GOOD : Tone.PLAIN)));
      rows.add(row);
    }
    return rows;
  }

  private static String value(JsonNode settings, String path) {
    JsonNode at = settings;
    for (String part : path.split("\\.", -1)) {
      at = at.path(part);
    }
    if (at.isMissingNode() || at.isNull()) {
      return "";
    }
    if (at.isArray()) {
      return StreamSupport.stream(at.spliterator(), false)
          .map(JsonNode::asText)
          .collect(Collectors.joining(", "));
    }
    if (at.isObject()) {
      return at.properties().stream()
          .map(entry -> entry.getKey() + "=" + entry.getValue().asText())
          .collect(Collectors.joining(", "));
    }
    return at.isNumber() ? Page.number(at.asDouble()).replace(",", "") : at.asText();
  }
}
