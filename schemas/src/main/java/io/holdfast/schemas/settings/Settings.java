package io.holdfast.schemas.settings;

import java.nio.file.Path;
import java.util.Map;

/** SKELETON: the whole configuration file. */
@SuppressWarnings("DoNotCallSuggester")
public record Settings(
    Map<String, String> kafka,
    Service service,
    Trainer trainer,
    SharedTopics topics,
    Map<String, ModelSettings> models) {

  /** The scoring service's own settings; port 0 takes any free port. */
  public record Service(
      String host, int port, String applicationId, String instanceId, Path stateDirectory) {}

  /** The trainer's own settings. */
  public record Trainer(String host, int port) {}

  /** Topics that all models share; all three but reports are compacted. */
  public record SharedTopics(String models, String reports, String schemas) {}

  /**
   * Reads and checks a YAML file; {@code ${NAME}} and {@code ${NAME:default}} are environment
   * variables.
   *
   * @throws SettingsException in one sentence that names the key, the value and what would be right
   */
  public static Settings read(Path file, Map<String, String> environment) {
    throw new SettingsException("SKELETON " + file + environment.size());
  }
}
