package io.holdfast.schemas.settings.keys;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON schema of the configuration file, from which editors complete and check. It says of each
 * key what can be said of it alone; what must go together is the reader's.
 */
public final class ConfigurationSchema {
  private static final String PROPERTIES = "properties";

  /** What stands for an environment variable, wherever a value may stand. */
  private static final Map<String, Object> VARIABLE =
      Map.of("type", "string", "pattern", "\\$\\{[^}]+\\}");

  private ConfigurationSchema() {}

  /** The schema as a tree of maps, lists and plain values, keys in a fixed order. */
  public static Map<String, Object> tree() {
    Map<String, Object> model = group(ModelKeys.ALL);
    model.put("required", List.of(ModelKeys.OBJECTIVE.path(), ModelKeys.LABEL.path()));
    Map<String, Object> models = new LinkedHashMap<>();
    models.put("type", "object");
    models.put("minProperties", 1);
    models.put("additionalProperties", model);
    Map<String, Object> holdfast = group(ProgramKeys.ALL);
    properties(holdfast).put("models", models);
    holdfast.put("required", List.of("models"));
    Map<String, Object> sections = new LinkedHashMap<>();
    Map<String, Object> any = Map.of("type", List.of("object", "null"));
    sections.put("kafka", described("Passes to all Kafka clients as it is", any));
    sections.put("holdfast", holdfast);
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("$schema", "http://json-schema.org/draft-07/schema#");
    root.put("title", "Holdfast configuration");
    root.put("type", "object");
    root.put(PROPERTIES, sections);
    root.put("required", List.of("holdfast"));
    root.put("additionalProperties", false);
    return root;
  }

  private static Map<String, Object> group(List<Key<?>> keys) {
    Map<String, Object> top = emptyGroup();
    for (Key<?> key : keys) {
      Map<String, Object> group = top;
      for (String part : key.group().split("\\.", -1)) {
        group = part.isEmpty() ? group : below(group, part);
      }
      properties(group).put(key.name(), property(key));
    }
    return top;
  }

  private static Map<String, Object> emptyGroup() {
    Map<String, Object> group = new LinkedHashMap<>();
    group.put("type", List.of("object", "null"));
    group.put(PROPERTIES, new LinkedHashMap<String, Object>());
    group.put("additionalProperties", false);
    return group;
  }

  @SuppressWarnings("unchecked") // made above
  private static Map<String, Object> properties(Map<String, Object> group) {
    return (Map<String, Object>) group.computeIfAbsent(PROPERTIES, _ -> new LinkedHashMap<>());
  }

  @SuppressWarnings("unchecked") // made above
  private static Map<String, Object> below(Map<String, Object> group, String name) {
    return (Map<String, Object>) properties(group).computeIfAbsent(name, _ -> emptyGroup());
  }

  private static Map<String, Object> property(Key<?> key) {
    List<Object> forms = List.of(key.kind().jsonSchema(), VARIABLE, Map.of("type", "null"));
    // Markdown without its marks.
    String usually = key.usually().replaceAll("\\[([^]]+)]\\([^)]+\\)", "$1").replace("`", "");
    String usual = usually.isEmpty() ? key.defaultText().orElse("") : usually;
    String ending = usual.isEmpty() ? "" : " (default: " + usual + ")";
    return described(key.sentence() + ending, Map.of("anyOf", forms));
  }

  private static Map<String, Object> described(String sentence, Map<String, Object> schema) {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("description", sentence);
    described.putAll(schema);
    return described;
  }
}
