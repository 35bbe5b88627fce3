package io.holdfast.schemas.settings;

import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.settings.Settings.Service;
import io.holdfast.schemas.settings.Settings.SharedTopics;
import io.holdfast.schemas.settings.Settings.Trainer;
import io.holdfast.schemas.settings.keys.ProgramKeys;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a whole configuration file. One use each. */
final class SettingsReader {
  private static final Pattern MODEL_NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

  private static final List<String> PROTOCOLS =
      List.of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL");

  private final Path file;
  private final Problems problems;
  private final Map<String, String> environment;
  private final Map<String, Map<String, String>> changes;

  /** A reader of {@code file}; {@code changes} are set over keys of models, by model. */
  SettingsReader(
      Path file, Map<String, String> environment, Map<String, Map<String, String>> changes) {
    this.file = file;
    this.environment = environment;
    this.changes = changes;
    Path name = file.getFileName();
    this.problems = new Problems(name == null ? file.toString() : name.toString());
  }

  Settings read() {
    YamlNode tree = new YamlFile(file, environment, problems).read();
    Section root = new Section("", tree, key -> key.isEmpty() ? "the file" : key, problems);
    Map<String, String> kafka = kafka(root.section("kafka"));
    Section holdfast = root.section("holdfast");
    Section models = holdfast.section("models");
    Settings settings =
        new Settings(
            kafka,
            holdfast.group("service", SettingsReader::service),
            holdfast.group("trainer", SettingsReader::trainer),
            holdfast.group("topics", SettingsReader::topics),
            models(models),
            WireReader.registry(holdfast.section("registry"), folder()),
            holdfast.group("security", section -> SecurityReader.read(section, folder())));
    WireReader.require(settings.registry(), models, settings.models().values());
    holdfast.rejectUnknown();
    root.rejectUnknown();
    problems.raise();
    return settings;
  }

  private static Map<String, String> kafka(Section section) {
    Map<String, String> kafka = new LinkedHashMap<>();
    kafka.put("bootstrap.servers", "localhost:9092");
    for (String key : section.keys()) {
      KafkaKeys.problem(section.name(key), key)
          .ifPresent(problem -> section.problemAt(key, "%s", problem));
      String value = section.optionalText(key);
      if (value != null) {
        if (key.endsWith("security.protocol")
            && !PROTOCOLS.contains(value.toUpperCase(Locale.ROOT))) {
          section.wrong(
              key,
              "one of " + String.join(", ", PROTOCOLS),
              Section.quoted(value) + Suggestion.ending(value, PROTOCOLS));
        }
        kafka.put(key, value);
      }
    }
    return kafka;
  }

  private static Service service(Section section) {
    String directory = section.read(ProgramKeys.STATE_DIRECTORY);
    Path path = Path.of("holdfast-data", "state");
    try {
      path = Path.of(directory);
    } catch (InvalidPathException e) {
      section.wrong(ProgramKeys.STATE_DIRECTORY, "a folder's path", directory);
    }
    return new Service(
        section.read(ProgramKeys.HOST),
        section.read(ProgramKeys.PORT),
        section.read(ProgramKeys.APPLICATION_ID),
        section.optional(ProgramKeys.INSTANCE_ID),
        path,
        section.read(ProgramKeys.REQUEST_TIMEOUT),
        section.read(ProgramKeys.MAX_LAG));
  }

  private static Trainer trainer(Section section) {
    return new Trainer(
        section.read(ProgramKeys.TRAINER_HOST),
        section.read(ProgramKeys.TRAINER_PORT),
        section.read(ProgramKeys.TRAINER_GROUP),
        section.read(ProgramKeys.SESSION_TIMEOUT),
        section.optional(ProgramKeys.TRAINER_INSTANCE_ID),
        section.read(ProgramKeys.TRAINER_REQUEST_TIMEOUT),
        section.read(ProgramKeys.TRAINER_MAX_LAG));
  }

  private static SharedTopics topics(Section section) {
    return new SharedTopics(
        section.read(ProgramKeys.MODELS),
        section.read(ProgramKeys.REPORTS),
        section.read(ProgramKeys.SCHEMAS));
  }

  private Path folder() {
    Path absolute = file.toAbsolutePath();
    return absolute.getParent() == null ? absolute : absolute.getParent();
  }

  private Map<String, ModelSettings> models(Section section) {
    Map<String, ModelSettings> models = new LinkedHashMap<>();
    Path folder = folder();
    for (String name : section.keys()) {
      if (MODEL_NAME.matcher(name).matches()) {
        Section model = section.section(name, changes.getOrDefault(name, Map.of()));
        models.put(name, new ModelReader(name, model, folder).read());
      } else {
        section.problem(
            "a model's name must be 1 to 100 lower-case letters, digits, dots, underscores and"
                + " hyphens, beginning with a letter or digit: %s",
            Section.quoted(name));
      }
    }
    if (section.keys().isEmpty()) {
      section.problem(
          "holdfast.models must have at least one model, such as holdfast.models.bikes with its"
              + " objective and label");
    }
    checkTopics(section, models);
    return models;
  }

  /** Records may feed several models; what Holdfast writes must have one writer a topic. */
  private static void checkTopics(Section section, Map<String, ModelSettings> models) {
    Map<String, String> written = new HashMap<>();
    models.forEach(
        (name, model) -> {
          ModelTopics topics = model.topics();
          Map<String, String> outputs = new LinkedHashMap<>();
          outputs.put("scores", topics.scores());
          outputs.put("examples", topics.examples());
          outputs.put("deadLetters", topics.deadLetters());
          outputs.put("shadowScores", topics.shadowScores());
          if (model.labels() instanceof Labels.InTopic) {
            outputs.put("join", topics.join());
          }
          outputs.forEach(
              (key, topic) -> {
                String full = section.name(name) + ".topics." + key;
                different(section, written.putIfAbsent(topic, full), full, topic);
              });
        });
    models.forEach(
        (name, model) -> {
          String prefix = section.name(name) + ".topics.";
          String records = model.topics().records();
          different(section, written.get(records), prefix + "records", records);
          String labels = model.topics().labels();
          different(section, written.get(labels), prefix + "labels", labels);
        });
  }

  private static void different(Section section, @Nullable String other, String key, String topic) {
    if (other != null) {
      section.problem("%s and %s must be different topics: %s", other, key, topic);
    }
  }
}
