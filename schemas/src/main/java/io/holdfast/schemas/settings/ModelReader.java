package io.holdfast.schemas.settings;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings.Absent;
import io.holdfast.schemas.settings.ModelSettings.Drift;
import io.holdfast.schemas.settings.ModelSettings.Features;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.settings.ModelSettings.Update;
import io.holdfast.schemas.settings.ModelSettings.Window;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads one model's section: the one place that holds the defaults and bounds of its keys. */
final class ModelReader {
  private static final int MAX_WINDOW_ROWS = 10_000_000;
  private static final int MAX_WINDOWS = 1_000;
  private static final Duration AN_HOUR = Duration.ofHours(1);
  private static final int MOST_ANCHORS = 100;

  /** Readers of the model topic hold that many. */
  private static final int MAX_RETAINED = 1_000;

  /** Kafka is not made for larger ones. */
  private static final int MOST_RECORD_BYTES = 16 << 20;

  // Each window appends a segment, and a manifest names them all.
  private static final int MAX_SEGMENTS = 10_000;

  private final String name;
  private final Section model;
  private final Path folder;

  /** A reader of {@code model}; relative schema files are looked for in {@code folder}. */
  ModelReader(String name, Section model, Path folder) {
    this.name = name;
    this.model = model;
    this.folder = folder;
  }

  ModelSettings read() {
    Labels labels = labels();
    List<String> anchors = anchors();
    BoosterSettings booster = new BoosterReader(model, anchors).read();
    Update update = new UpdateReader(model).read(ModelSettings.treesOfRound(booster));
    ModelSettings settings =
        new ModelSettings(
            name,
            booster,
            ColumnName.path(model.required("label", "name the field that holds the label")),
            labels,
            model.optionalField("environment"),
            anchors,
            model.optionalField("weight"),
            model.optionalField("time"),
            model.optionalField("id"),
            features(),
            window(update),
            update,
            drift(),
            topics(),
            schemas(),
            model.integer("retainVersions", 100, 1, MAX_RETAINED),
            maxModelAge(),
            new StrengthReader(model).read(booster));
    checkTogether(settings);
    model.rejectUnknown();
    return settings;
  }

  private List<String> anchors() {
    List<String> anchors = model.fields("anchors");
    if (anchors.size() > MOST_ANCHORS) {
      model.wrong("anchors", "a list of at most " + MOST_ANCHORS + " fields", "" + anchors.size());
      return List.of();
    }
    if (new HashSet<>(anchors).size() < anchors.size()) {
      model.wrong("anchors", "a list that names each field once", String.join(", ", anchors));
    }
    return anchors;
  }

  private Labels labels() {
    Section labels = model.section("labels");
    String in = labels.choice("in", "record", List.of("record", "topic"));
    Duration wait = labels.duration("wait", Duration.ofHours(1));
    Duration maxSkew = labels.duration("maxSkew", Labels.MAX_SKEW);
    Correlation correlation = Correlation.read(labels.section("correlation"));
    for (String key : List.of("wait", "correlation")) {
      if (in.equals("record") && labels.has(key)) {
        labels.problem(
            Sentence.of(
                "%s has no meaning while %s is record: leave it out, or set %s to topic",
                labels.name(key), labels.name("in"), labels.name("in")));
      }
    }
    if (wait.isZero()) {
      labels.wrong("wait", "a duration above 0", "0");
    }
    labels.rejectUnknown();
    return in.equals("topic")
        ? new Labels.InTopic(wait, correlation, maxSkew)
        : new Labels.InRecord(maxSkew);
  }

  private Features features() {
    Section features = model.section("features");
    Features read =
        new Features(
            features.fields("include"),
            features.fields("exclude"),
            features.fields("categorical"),
            features.list("missing"),
            features.fields("dates"),
            features.choice("absent", "serve", List.of("serve", "refuse")).equals("serve")
                ? Absent.SERVE
                : Absent.REFUSE);
    apart(features, "include", read.include(), "exclude", read.exclude());
    apart(features, "categorical", read.categorical(), "exclude", read.exclude());
    apart(features, "dates", read.dates(), "exclude", read.exclude());
    apart(features, "categorical", read.categorical(), "dates", read.dates());
    features.rejectUnknown();
    return read;
  }

  /** Two keys that must not name one field. */
  private static void apart(
      Section section, String key, List<String> paths, String other, List<String> others) {
    for (String path : others) {
      if (paths.contains(path)) {
        section.problem(
            Sentence.of(
                "%s and %s both name %s; keep it in one of them",
                section.name(key), section.name(other), path));
      }
    }
  }

  private Window window(Update update) {
    Section window = model.section("window");
    int rows = window.integer("rows", UpdateReader.windowRows(update), 1, MAX_WINDOW_ROWS / 4);
    int environments = window.integer("environments", 1, 1, 10_000);
    int maxRows =
        window.integer(
            "maxRows", Math.max(4 * rows, UpdateReader.maxRows(update)), 1, MAX_WINDOW_ROWS);
    if (maxRows < rows) {
      window.wrong(
          "maxRows",
          Sentence.of("at least %s, which is %d", window.name("rows"), rows),
          "" + maxRows);
    }
    int memoryRows =
        window.integer(
            "memoryRows",
            Math.min(Math.max(10 * rows, UpdateReader.memoryRows(update)), MAX_WINDOW_ROWS),
            0,
            MAX_WINDOW_ROWS);
    int memoryWindows = window.integer("memoryWindows", Window.MEMORY_WINDOWS, 1, MAX_WINDOWS);
    Duration minInterval = anHour(window, "minInterval", UpdateReader.minInterval(update));
    Duration idle = anHour(window, "idle", Window.IDLE);
    window.rejectUnknown();
    return new Window(rows, environments, maxRows, memoryRows, memoryWindows, minInterval, idle);
  }

  private static Duration anHour(Section section, String key, Duration fallback) {
    Duration duration = section.duration(key, fallback);
    if (duration.compareTo(AN_HOUR) > 0) {
      section.wrong(key, "a duration of at most 1h", duration.toString());
    }
    return duration;
  }

  private Drift drift() {
    Section drift = model.section("drift");
    Drift read =
        new Drift(
            Drift.Action.valueOf(
                drift
                    .choice("action", "nothing", List.of("nothing", "report", "shorten", "replace"))
                    .toUpperCase(Locale.ROOT)),
            drift.number(
                "falseAlarms",
                Drift.NONE.falseAlarms(),
                share -> share > 0 && share <= 0.5,
                "above 0, up to 0.5"));
    drift.rejectUnknown();
    return read;
  }

  private @Nullable Duration maxModelAge() {
    if (!model.ignores("maxModelAge")) {
      return null;
    }
    Duration age = model.duration("maxModelAge", Duration.ofDays(1));
    if (age.isZero()) {
      model.wrong("maxModelAge", "a duration above 0", "0");
    }
    return age;
  }

  private ModelTopics topics() {
    Section topics = model.section("topics");
    ModelTopics read =
        new ModelTopics(
            topics.kafkaName("records", name + ".records"),
            topics.kafkaName("scores", name + ".scores"),
            topics.kafkaName("labels", name + ".labels"),
            topics.kafkaName("examples", name + ".examples"),
            topics.kafkaName("deadLetters", name + ".dead-letters"),
            topics.kafkaName("shadowScores", name + ".shadow-scores"),
            topics.kafkaName("join", name + ".join"),
            topics.integer(
                "maxRecordBytes", ModelTopics.MAX_RECORD_BYTES, 1_000, MOST_RECORD_BYTES));
    topics.rejectUnknown();
    return read;
  }

  private List<Path> schemas() {
    List<Path> files = new ArrayList<>();
    for (String text : model.list("schemas")) {
      Path file = folder.resolve(text).normalize();
      if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
        model.wrong("schemas", "a list of readable Avro schema files", file + " is none");
      }
      files.add(file);
    }
    return files;
  }

  private void checkTogether(ModelSettings settings) {
    if (!settings.strength().ladder().isEmpty() && settings.update().policy().equals("auto")) {
      model.problem(
          Sentence.of(
              "%s is auto, whose ensembles stand on bases and learned from rows of their own, so"
                  + " that no gamma's leaf values go with all of them: leave %s out, or take"
                  + " another policy",
              model.name("update.policy"), model.name("ladder.gammas")));
    }
    if (settings.booster().adaBoost() != null
        && List.of("auto", "refit").contains(settings.update().policy())) {
      model.wrong(
          "update.policy",
          "append, decay or replace where the booster is adaboost, whose votes are not refitted",
          settings.update().policy());
    }
    int trees = settings.treesOfUpdate();
    int treesOfRound = ModelSettings.treesOfRound(settings.booster());
    String what =
        treesOfRound == 1
            ? model.name("trees.rounds")
            : Sentence.of("%s times the %d classes", model.name("trees.rounds"), treesOfRound);
    if (settings.update().maxTrees() < trees) {
      model.problem(
          Sentence.of(
              "%s must be at least %s, which is %d: %d",
              model.name("update.maxTrees"), what, trees, settings.update().maxTrees()));
    }
    if (settings.update().maxTrees() > (long) MAX_SEGMENTS * trees) {
      model.problem(
          Sentence.of(
              "%s must be at most %d times %s, which is %d: %d",
              model.name("update.maxTrees"),
              MAX_SEGMENTS,
              what,
              trees,
              settings.update().maxTrees()));
    }
    if (settings.anchors().contains(settings.label())) {
      model.problem(
          Sentence.of(
              "%s names the label %s: an anchor is what may shift, not what is predicted, so take"
                  + " it out",
              model.name("anchors"), settings.label()));
    }
    boolean labelInRecord = settings.labels() instanceof Labels.InRecord;
    if (labelInRecord && settings.features().include().contains(settings.label())) {
      model.problem(
          Sentence.of(
              "%s names the label %s: a model must not see what it predicts, so take it out",
              model.name("features.include"), settings.label()));
    }
  }
}
