package io.holdfast.schemas.settings;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings.Absent;
import io.holdfast.schemas.settings.ModelSettings.Drift;
import io.holdfast.schemas.settings.ModelSettings.Features;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.settings.ModelSettings.Update;
import io.holdfast.schemas.settings.ModelSettings.Window;
import io.holdfast.schemas.settings.keys.FeatureKeys;
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.ModelKeys;
import io.holdfast.schemas.settings.keys.TopicKeys;
import io.holdfast.schemas.settings.keys.UpdateKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** Reads one model's section, and checks that its settings go together. */
final class ModelReader {
  private static final int MOST_ANCHORS = 100;
  private static final int MOST_MEMORY_ROWS = 10_000_000;
  private static final int ROWS = 1_000;

  // Most windows of the policy auto change the base alone, and the sooner, the better: a row closes
  // one if its label was not foretold. They may grow, and the longest of its memories is held
  // against shorter ones however small they are. What tells more than a version a second is how
  // fast labels come.
  private static final int AUTO_ROWS = 1;
  private static final int AUTO_MAX_ROWS = 100;
  private static final int AUTO_MEMORY_ROWS = 10_000;
  private static final Duration AUTO_MIN_INTERVAL = Duration.ofSeconds(1);

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
    Labels labels = model.group("labels", ModelReader::labels);
    List<String> anchors = anchors();
    ObjectiveReader objective = new ObjectiveReader(model);
    BoosterSettings booster = new BoosterReader(model, objective, anchors).read();
    Uncertainty sure = model.group("uncertainty", of -> uncertainty(of, booster.objective()));
    Update update = UpdateReader.read(model, ModelSettings.treesOfRound(booster));
    ModelSettings settings =
        new ModelSettings(
            name,
            booster,
            ColumnName.path(model.required(ModelKeys.LABEL, "name the field that holds the label")),
            objective.classes(),
            labels,
            model.field(ModelKeys.ENVIRONMENT),
            anchors,
            model.field(ModelKeys.WEIGHT),
            model.field(ModelKeys.TIME),
            model.field(ModelKeys.ID),
            model.group("features", ModelReader::features),
            model.group("window", window -> window(window, update.policy().equals("auto"))),
            update,
            model.group("drift", ModelReader::drift),
            model.group("topics", this::topics),
            schemas(),
            model.read(ModelKeys.RETAIN_VERSIONS),
            model.optional(ModelKeys.MAX_MODEL_AGE),
            StrengthReader.read(model, booster),
            sure.coverage,
            sure.calibrated);
    checkTogether(settings);
    model.rejectUnknown();
    return settings;
  }

  private record Uncertainty(List<Double> coverage, boolean calibrated) {}

  private static Uncertainty uncertainty(Section uncertainty, Objective objective) {
    boolean calibrated = uncertainty.read(ModelKeys.CALIBRATION).equals("beta");
    if (calibrated && objective.classes() == 0) {
      uncertainty.uselessFor(objective.name(), "calibration", "predicts no probabilities");
    }
    return new Uncertainty(uncertainty.shares(ModelKeys.COVERAGE), calibrated);
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

  private static Labels labels(Section labels) {
    String in = labels.read(ModelKeys.LABELS_IN);
    Duration wait = labels.read(ModelKeys.LABELS_WAIT);
    Duration maxSkew = labels.read(ModelKeys.MAX_SKEW);
    Correlation correlation = labels.group("correlation", Correlation::read);
    for (String key : List.of("wait", "correlation")) {
      if (in.equals("record") && labels.has(key)) {
        labels.problem(
            "%s has no meaning while %s is record: leave it out, or set %s to topic",
            labels.name(key), labels.name("in"), labels.name("in"));
      }
    }
    return in.equals("topic")
        ? new Labels.InTopic(wait, correlation, maxSkew)
        : new Labels.InRecord(maxSkew);
  }

  private static Features features(Section features) {
    Features read =
        new Features(
            features.fields(FeatureKeys.INCLUDE),
            features.fields(FeatureKeys.EXCLUDE),
            features.fields(FeatureKeys.CATEGORICAL),
            features.list(FeatureKeys.MISSING),
            features.fields(FeatureKeys.DATES),
            features.read(FeatureKeys.ABSENT).equals("serve") ? Absent.SERVE : Absent.REFUSE);
    apart(features, "include", read.include(), "exclude", read.exclude());
    apart(features, "categorical", read.categorical(), "exclude", read.exclude());
    apart(features, "dates", read.dates(), "exclude", read.exclude());
    apart(features, "categorical", read.categorical(), "dates", read.dates());
    return read;
  }

  /** Two keys that must not name one field. */
  private static void apart(
      Section section, String key, List<String> paths, String other, List<String> others) {
    for (String path : others) {
      if (paths.contains(path)) {
        section.problem(
            "%s and %s both name %s; keep it in one of them",
            section.name(key), section.name(other), path);
      }
    }
  }

  private static Window window(Section window, boolean auto) {
    int rows = window.read(UpdateKeys.ROWS, auto ? AUTO_ROWS : ROWS);
    int environments = window.read(UpdateKeys.ENVIRONMENTS);
    int maxRows = window.read(UpdateKeys.MAX_ROWS, Math.max(4 * rows, auto ? AUTO_MAX_ROWS : 0));
    if (maxRows < rows) {
      String least = Sentence.of("at least %s, which is %d", window.name(UpdateKeys.ROWS), rows);
      window.wrong(UpdateKeys.MAX_ROWS, least, "" + maxRows);
    }
    int leastMemory = auto ? AUTO_MEMORY_ROWS : 0;
    return new Window(
        rows,
        environments,
        maxRows,
        window.read(
            UpdateKeys.MEMORY_ROWS, Math.min(Math.max(10 * rows, leastMemory), MOST_MEMORY_ROWS)),
        window.read(UpdateKeys.MEMORY_WINDOWS),
        window.read(UpdateKeys.MIN_INTERVAL, auto ? AUTO_MIN_INTERVAL : Duration.ZERO),
        window.read(UpdateKeys.IDLE));
  }

  private static Drift drift(Section drift) {
    return new Drift(
        Drift.Action.valueOf(drift.read(UpdateKeys.DRIFT).toUpperCase(Locale.ROOT)),
        drift.read(UpdateKeys.FALSE_ALARMS));
  }

  private ModelTopics topics(Section topics) {
    return new ModelTopics(
        topic(topics, TopicKeys.RECORDS),
        topic(topics, TopicKeys.SCORES),
        topic(topics, TopicKeys.LABELS),
        topic(topics, TopicKeys.EXAMPLES),
        topic(topics, TopicKeys.DEAD_LETTERS),
        topic(topics, TopicKeys.SHADOW_SCORES),
        topic(topics, TopicKeys.JOIN),
        topics.read(TopicKeys.MAX_RECORD_BYTES),
        topics.group("framing", framing -> WireReader.framings(framing, folder)));
  }

  private String topic(Section topics, Key<String> key) {
    return topics.read(key, TopicKeys.usual(key, name));
  }

  private List<Path> schemas() {
    String right = "a list of readable Avro schema files";
    return model.list(ModelKeys.SCHEMAS).stream()
        .map(text -> model.file(ModelKeys.SCHEMAS, text, folder, right))
        .toList();
  }

  private void checkTogether(ModelSettings settings) {
    Update update = settings.update();
    if (!settings.strength().ladder().isEmpty() && update.policy().equals("auto")) {
      model.problem(
          "%s is auto, whose ensembles stand on bases and learned from rows of their own, so that"
              + " no gamma's leaf values go with all of them: leave %s out, or take another policy",
          model.name("update.policy"), model.name("ladder.gammas"));
    }
    if (settings.booster().adaBoost() != null
        && List.of("auto", "refit").contains(update.policy())) {
      model.wrong(
          "update.policy",
          "append, decay or replace where the booster is adaboost, whose votes are not refitted",
          update.policy());
    }
    int trees = settings.treesOfUpdate();
    int treesOfRound = ModelSettings.treesOfRound(settings.booster());
    String what =
        treesOfRound == 1
            ? model.name("trees.rounds")
            : Sentence.of("%s times the %d classes", model.name("trees.rounds"), treesOfRound);
    if (update.maxTrees() < trees) {
      model.problem(
          "%s must be at least %s, which is %d: %d",
          model.name("update.maxTrees"), what, trees, update.maxTrees());
    }
    if (update.maxTrees() > (long) MAX_SEGMENTS * trees) {
      model.problem(
          "%s must be at most %d times %s, which is %d: %d",
          model.name("update.maxTrees"), MAX_SEGMENTS, what, trees, update.maxTrees());
    }
    if (settings.anchors().contains(settings.label())) {
      model.problem(
          "%s names the label %s: an anchor is what may shift, not what is predicted, so take it"
              + " out",
          model.name("anchors"), settings.label());
    }
    if (settings.labels() instanceof Labels.InRecord
        && settings.features().include().contains(settings.label())) {
      model.problem(
          "%s names the label %s: a model must not see what it predicts, so take it out",
          model.name("features.include"), settings.label());
    }
  }
}
