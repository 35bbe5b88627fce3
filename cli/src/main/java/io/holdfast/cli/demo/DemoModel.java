package io.holdfast.cli.demo;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.wire.SchemaFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.avro.Schema;

/** The demo's one model, its topics and its schema: what a user would write into a file. */
final class DemoModel {
  static final String NAME = "deliveries";

  /** As below {@code holdfast.models.deliveries} of a configuration file. */
  static final Map<String, String> KEYS =
      Map.ofEntries(
          Map.entry("objective", "squared"),
          Map.entry("label", "minutes"),
          Map.entry("labels.in", "topic"),
          Map.entry("labels.wait", "1h"),
          Map.entry("environment", "city"),
          Map.entry("id", "id"),
          Map.entry("time", "placedAt"),
          Map.entry("gamma", "4"),
          Map.entry("trees.rounds", "10"),
          Map.entry("trees.learningRate", "0.2"),
          Map.entry("trees.maxLeaves", "15"),
          Map.entry("window.rows", "1000"),
          Map.entry("window.environments", "3"),
          Map.entry("window.memoryRows", "4000"),
          Map.entry("update.maxTrees", "300"));

  private DemoModel() {}

  static ModelSettings model() {
    return ModelSettings.of(NAME, KEYS, UnaryOperator.identity());
  }

  static Settings settings(String bootstrapServers, Path stateDirectory, int port) {
    ModelSettings model = model();
    return new Settings(
        Map.of("bootstrap.servers", bootstrapServers),
        new Settings.Service("127.0.0.1", port, "holdfast-demo", "demo", stateDirectory),
        new Settings.Trainer("127.0.0.1", 0),
        new Settings.SharedTopics("holdfast.models", "holdfast.reports", "holdfast.schemas"),
        Map.of(model.name(), model));
  }

  static Schema schema() {
    try (InputStream file = DemoModel.class.getResourceAsStream("delivery.avsc")) {
      if (file == null) {
        throw new IllegalStateException("the program's own delivery.avsc is missing");
      }
      return SchemaFile.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the program's own delivery.avsc cannot be read", e);
    }
  }
}
