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
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.ModelKeys;
import io.holdfast.schemas.settings.keys.TopicKeys;
import io.holdfast.schemas.settings.keys.UpdateKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** Reads one model's section, and checks that its settings go together. */
final class ModelReader {
  private static final int MOST_ANCHORS = 100;
  private static final int MOST_MEMORY_ROWS = 10_000_000;

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
            ColumnName.path(model.required(ModelKeys.LABEL, "name the field that holds the label")),
            labels,
            model.field(ModelKeys.ENVIRONMENT),
            anchors,
            model.field(ModelKeys.WEIGHT),
            model.field(ModelKeys.TIME),
            model.field(ModelKeys.ID),
            features(),
            window(update),
            update,
            drift(),
            topics(),
            schemas(),
            model.read(ModelKeys.RETAIN_VERSIONS),
            model.optional(ModelKeys.MAX_MODEL_AGE),
            new StrengthReader(model).read(booster));
    checkTogether(settings);
    model.rejectUnknown();
    return settings;
  }

  private List<String> anchors() {
    List<String> anchors = model.fields(ModelKeys.ANCHORS);
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
    String in = labels.read(ModelKeys.LABELS_IN);
    Duration wait = labels.read(ModelKeys.LABELS_WAIT);
    Duration maxSkew = labels.read(ModelKeys.MAX_SKEW);
    Correlation correlation = Correlation.read(labels.section("correlation"));
    for (String key : List.of("wait", "correlation")) {
      if (in.equals("record") && labels.has(key)) {
        labels.problem(
            Sentence.of(
                "%s has no meaning while %s is record: leave it out, or set %s to topic",
                labels.name(key), labels.name("in"), labels.name("in")));
      }
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
            features.fields(ModelKeys.INCLUDE),
            features.fields(ModelKeys.EXCLUDE),
            features.fields(ModelKeys.CATEGORICAL),
            features.list(ModelKeys.MISSING),
            features.fields(ModelKeys.DATES),
            features.read(ModelKeys.ABSENT).equals("serve") ? Absent.SERVE : Absent.REFUSE);
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
    int rows = window.read(UpdateKeys.ROWS, UpdateReader.windowRows(update));
    int environments = window.read(UpdateKeys.ENVIRONMENTS);
    int maxRows =
        window.read(UpdateKeys.MAX_ROWS, Math.max(4 * rows, UpdateReader.maxRows(update)));
    if (maxRows < rows) {
      window.wrong(
          UpdateKeys.MAX_ROWS,
          Sentence.of("at least %s, which is %d", window.name(UpdateKeys.ROWS), rows),
          "" + maxRows);
    }
    int memoryRows =
        window.read(
            UpdateKeys.MEMORY_ROWS,
            Math.min(Math.max(10 * rows, UpdateReader.memoryRows(update)), MOST_MEMORY_ROWS));
    int memoryWindows = window.read(UpdateKeys.MEMORY_WINDOWS);
    Duration minInterval = window.read(UpdateKeys.MIN_INTERVAL, UpdateReader.minInterval(update));
    Duration idle = window.read(UpdateKeys.IDLE);
    window.rejectUnknown();
    return new Window(rows, environments, maxRows, memoryRows, memoryWindows, minInterval, idle);
  }

  private Drift drift() {
    Section drift = model.section("drift");
    Drift read =
        new Drift(
            Drift.Action.valueOf(drift.read(UpdateKeys.DRIFT).toUpperCase(Locale.ROOT)),
            drift.read(UpdateKeys.FALSE_ALARMS));
    drift.rejectUnknown();
    return read;
  }

  private ModelTopics topics() {
    Section topics = model.section("topics");
    ModelTopics read =
        new ModelTopics(
            topic(topics, TopicKeys.RECORDS),
            topic(topics, TopicKeys.SCORES),
            topic(topics, TopicKeys.LABELS),
            topic(topics, TopicKeys.EXAMPLES),
            topic(topics, TopicKeys.DEAD_LETTERS),
            topic(topics, TopicKeys.SHADOW_SCORES),
            topic(topics, TopicKeys.JOIN),
            topics.read(TopicKeys.MAX_RECORD_BYTES),
            WireReader.framings(topics.section("framing"), folder));
    topics.rejectUnknown();
    return read;
  }

  private String topic(Section topics, Key<String> key) {
    return topics.read(key, TopicKeys.usual(key, name));
  }

  private List<Path> schemas() {
    List<Path> files = new ArrayList<>();
    for (String text : model.list(ModelKeys.SCHEMAS)) {
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
