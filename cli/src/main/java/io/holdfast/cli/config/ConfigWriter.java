package io.holdfast.cli.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.settings.ModelSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes configurations that are ready to deploy. Stateless. */
public final class ConfigWriter {
  private static final ObjectMapper YAML =
      new ObjectMapper(
          new YAMLFactory()
              .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
              .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES));

  private ConfigWriter() {}

  /**
   * Writes a model's training settings into a copy of {@code base}, all else of which stays but for
   * its comments, or into a file of their own.
   */
  public static void write(OutputFile target, @Nullable Path base, ModelSettings settings) {
    try {
      ObjectNode root =
          base != null && YAML.readTree(Files.readString(base)) instanceof ObjectNode read
              ? read
              : YAML.createObjectNode();
      ObjectNode model = section(section(section(root, "holdfast"), "models"), settings.name());
      merge(model, (ObjectNode) Json.parse(settings.trainingJson()));
      target.writeText(YAML.writeValueAsString(root));
    } catch (JsonProcessingException e) {
      throw new DataException("%s is no YAML: %s", base, e.getOriginalMessage());
    } catch (IOException e) {
      throw new DataException("%s cannot be read: %s", base, e.getMessage());
    }
  }

  /** The keys, as below {@code holdfast.models.NAME}, as they stand in a configuration. */
  public static String fragment(String model, Map<String, String> keys) {
    ObjectNode root = YAML.createObjectNode();
    ObjectNode models = section(section(section(root, "holdfast"), "models"), model);
    keys.forEach(
        (key, value) -> {
          String[] path = key.split("\\.", -1);
          ObjectNode target = models;
          for (int k = 0; k < path.length - 1; k++) {
            target = section(target, path[k]);
          }
          target.put(path[path.length - 1], value);
        });
    try {
      return YAML.writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  private static ObjectNode section(ObjectNode tree, String key) {
    return tree.get(key) instanceof ObjectNode already ? already : tree.putObject(key);
  }

  /** Overwrites what training depends on and leaves the rest: topics, labels, schemas, threads. */
  private static void merge(ObjectNode target, ObjectNode training) {
    for (Map.Entry<String, JsonNode> entry : training.properties()) {
      if (entry.getValue() instanceof ObjectNode section) {
        merge(section(target, entry.getKey()), section);
      } else if (!(entry.getValue().isArray() && entry.getValue().isEmpty())) {
        target.set(entry.getKey(), entry.getValue());
      }
    }
    target
        .properties()
        .removeIf(entry -> entry.getValue().isObject() && entry.getValue().isEmpty());
  }
}
