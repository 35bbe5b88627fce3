package io.holdfast.schemas.settings;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.keys.ProgramKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration file, checked. Immutable.
 *
 * @param kafka passed through to every Kafka client; always has {@code bootstrap.servers}
 * @param models by name, in the order of the file; at least one
 * @param registry of schemas that others write by; null if there is none
 * @param security who may do what over HTTP
 */
public record Settings(
    Map<String, String> kafka,
    Service service,
    Trainer trainer,
    SharedTopics topics,
    Map<String, ModelSettings> models,
    @Nullable Registry registry,
    Security security) {
  public Settings {
    kafka = Collections.unmodifiableMap(new LinkedHashMap<>(kafka));
    models = Collections.unmodifiableMap(new LinkedHashMap<>(models));
  }

  /** Without a schema registry, and with nobody who may change anything over HTTP. */
  public Settings(
      Map<String, String> kafka,
      Service service,
      Trainer trainer,
      SharedTopics topics,
      Map<String, ModelSettings> models) {
    this(kafka, service, trainer, topics, models, null, Security.NONE);
  }

  /** These, for other models. */
  public Settings with(Map<String, ModelSettings> others) {
    return new Settings(kafka, service, trainer, topics, others, registry, security);
  }

  /** These, with others' rights over HTTP. */
  public Settings with(Security other) {
    return new Settings(kafka, service, trainer, topics, models, registry, other);
  }

  /** These, for other brokers. */
  public Settings withKafka(Map<String, String> other) {
    return new Settings(other, service, trainer, topics, models, registry, security);
  }

  /**
   * The scoring service's own settings; port 0 takes any free port.
   *
   * @param instanceId static membership in the groups; null for one by machine and state directory
   * @param requestTimeout how long an HTTP request may take to arrive
   * @param maxLag how long a record may wait to be scored or joined before that is a trouble
   */
  public record Service(
      String host,
      int port,
      String applicationId,
      @Nullable String instanceId,
      Path stateDirectory,
      Duration requestTimeout,
      Duration maxLag) {

    /** A service with the defaults of everything else. */
    public Service(
        String host,
        int port,
        String applicationId,
        @Nullable String instanceId,
        Path stateDirectory) {
      this(
          host,
          port,
          applicationId,
          instanceId,
          stateDirectory,
          ProgramKeys.REQUEST_TIMEOUT.byDefault(),
          ProgramKeys.MAX_LAG.byDefault());
    }
  }

  /**
   * The trainer's own settings; port 0 takes any free port.
   *
   * @param group the consumer group in which trainers share the models
   * @param sessionTimeout after which the models of a trainer that is not heard of go to others
   * @param instanceId static membership in the group; null for none
   * @param maxLag how long a window may wait to be learned from before that is a trouble
   */
  public record Trainer(
      String host,
      int port,
      String group,
      Duration sessionTimeout,
      @Nullable String instanceId,
      Duration requestTimeout,
      Duration maxLag) {
    /** With the defaults of everything else. */
    public Trainer(String host, int port) {
      this(
          host,
          port,
          ProgramKeys.TRAINER_GROUP.byDefault(),
          ProgramKeys.SESSION_TIMEOUT.byDefault(),
          null,
          ProgramKeys.REQUEST_TIMEOUT.byDefault(),
          ProgramKeys.MAX_LAG.byDefault());
    }
  }

  /** Topics that all models share; models and schemas are compacted, with one partition each. */
  public record SharedTopics(String models, String reports, String schemas) {}

  /** How large a message may get that carries a record or label, of whichever model. */
  public int maxMessageBytes() {
    return models.values().stream()
        .mapToInt(model -> model.topics().maxMessageBytes())
        .max()
        .orElse(0);
  }

  /**
   * The model of that name.
   *
   * @throws SettingsException in one sentence, if there is none
   */
  public ModelSettings model(String name) {
    ModelSettings model = models.get(name);
    if (model == null) {
      throw new SettingsException(
          Sentence.of(
              "the configuration has no model %s: it has %s",
              name, String.join(", ", models.keySet())));
    }
    return model;
  }

  /**
   * Reads and checks a YAML file; {@code ${NAME}} and {@code ${NAME:default}} are environment
   * variables, and {@code $${NAME}} is the text {@code ${NAME}}.
   *
   * @throws SettingsException with a sentence for each mistake that names the key, the value and
   *     what would be right
   */
  public static Settings read(Path file, Map<String, String> environment) {
    return new SettingsReader(file, environment, Map.of()).read();
  }

  /**
   * The same, with keys of one model set over those of the file, as below {@code
   * holdfast.models.NAME}: what depends on them and is not in the file follows.
   */
  public static Settings read(
      Path file, Map<String, String> environment, String model, Map<String, String> changes) {
    return new SettingsReader(file, environment, Map.of(model, changes)).read();
  }
}
