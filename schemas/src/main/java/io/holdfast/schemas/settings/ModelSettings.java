package io.holdfast.schemas.settings;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.keys.ModelKeys;
import io.holdfast.schemas.settings.keys.TopicKeys;
import io.holdfast.schemas.settings.keys.UpdateKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One model of the configuration, {@code holdfast.models.NAME}. Immutable. Fields of records are
 * named by path: {@code station.id} is the field {@code id} of the record in field {@code station}.
 *
 * @param label the label's field, in the record or in the label record
 * @param classes the names of the classes in their order, as labels say them; none if labels are
 *     numbers that the objective takes
 * @param environment likewise the environment's; null if there are no environments
 * @param anchors likewise those of the continuous anchors
 * @param weight the field of a row's weight; null if all rows weigh 1
 * @param schemas files of writer schemas, absolute paths
 * @param retainVersions how many of the newest versions the model topic keeps
 * @param maxModelAge how old what serves may become before readiness says so; null for any age
 * @param coverage how often labels are to be within the bounds of scores, ascending; none if scores
 *     carry none
 * @param calibrated whether the probabilities of classes are corrected by labels that came
 */
public record ModelSettings(
    String name,
    BoosterSettings booster,
    String label,
    List<String> classes,
    Labels labels,
    @Nullable String environment,
    List<String> anchors,
    @Nullable String weight,
    @Nullable String time,
    @Nullable String id,
    Features features,
    Window window,
    Update update,
    Drift drift,
    ModelTopics topics,
    List<Path> schemas,
    int retainVersions,
    @Nullable Duration maxModelAge,
    Strength strength,
    List<Double> coverage,
    boolean calibrated) {
  private static final Duration MAX_SKEW = ModelKeys.MAX_SKEW.byDefault();

  public ModelSettings {
    classes = List.copyOf(classes);
    anchors = List.copyOf(anchors);
    schemas = List.copyOf(schemas);
    coverage = List.copyOf(coverage);
  }

  /** Where labels come from: inside the record, or in a topic of their own. */
  public sealed interface Labels {
    /** How far an event may be ahead of the clock; one further ahead counts as of now. */
    Duration maxSkew();

    /** Every record carries its label in the field {@code label}. */
    record InRecord(Duration maxSkew) implements Labels {}

    /**
     * Labels arrive in the labels topic.
     *
     * @param maxWait how long a record waits for its label, and a label for its record
     * @param correlation what they are joined by
     */
    record InTopic(Duration maxWait, Correlation correlation, Duration maxSkew) implements Labels {}
  }

  /**
   * Which fields are features. A path of a record stands for all fields in it.
   *
   * @param include the fields that are; empty means every field that has no other role
   * @param categorical numbers and booleans whose values are categories; strings and enums are
   *     without saying
   * @param missing words that say that there is no value, beside the usual ones
   * @param dates dates and times whose parts are features: hour, weekday and month
   */
  public record Features(
      List<String> include,
      List<String> exclude,
      List<String> categorical,
      List<String> missing,
      List<String> dates,
      Absent absent) {
    public Features {
      include = List.copyOf(include);
      exclude = List.copyOf(exclude);
      categorical = List.copyOf(categorical);
      missing = List.copyOf(missing);
      dates = List.copyOf(dates);
    }
  }

  /** What becomes of records whose schema lacks a feature of the model. */
  public enum Absent {
    /** They are scored, and it counts as missing. */
    SERVE,
    /** They are dead letters. */
    REFUSE
  }

  /**
   * When a window closes: at {@code rows} rows once {@code environments} environments are in it, or
   * at {@code maxRows} whatever is in it. Up to {@code memoryRows} rows of the {@code
   * memoryWindows} windows before are trained on beside it.
   *
   * @param minInterval the least time between the ends of two windows, and so of two versions
   * @param idle how long a row waits for partitions that have none; one that is later than that may
   *     come out of turn
   */
  public record Window(
      int rows,
      int environments,
      int maxRows,
      int memoryRows,
      int memoryWindows,
      Duration minInterval,
      Duration idle) {}

  /** What lets a new version serve. */
  public enum Gate {
    /** Nothing more than that training came to something. */
    ALWAYS,
    /** Rows kept out of training, on which it must not be worse than what it would replace. */
    BETTER,
    /** Evidence that what is trained loses less than what serves. */
    SHOWN,
    /** Somebody who promotes it. */
    MANUAL;

    /** Whether new versions wait for a promotion. */
    public boolean waits() {
      return this == SHOWN || this == MANUAL;
    }
  }

  /** Which segments leave when trees are over budget. */
  public enum Evict {
    /** Those that were appended first. */
    OLDEST,
    /** Those without which the newest window's loss would rise least. */
    LEAST_USEFUL,
    /** Those whose weight has fallen furthest; and all that have fallen below a hundredth. */
    DECAYED
  }

  /**
   * What becomes of the trees that are there already.
   *
   * @param halfLife the rows after which a tree weighs half, under the policy {@code decay}
   * @param refitRate the share of a new leaf value that a window puts in, under {@code refit}
   * @param recentre whether each window moves the base's constants to where its loss is least
   * @param keepBins whether new trees are grown on the bins of those before, feature by feature,
   *     until its distribution has moved
   */
  public record Upkeep(
      int halfLife, double refitRate, Evict evict, boolean recentre, boolean keepBins) {
    /** The policies that go on with an ensemble, so that there are bins to keep. */
    static final List<String> KEEPING_BINS = List.of("append", "decay", "refit");

    /** What a policy does unless said otherwise: {@code append} alone leaves the base alone. */
    public static Upkeep of(String policy) {
      return new Upkeep(
          UpdateKeys.HALF_LIFE.byDefault(),
          UpdateKeys.REFIT_RATE.byDefault(),
          Evict.OLDEST,
          !policy.equals("append"),
          KEEPING_BINS.contains(policy));
    }
  }

  /**
   * The update policy: {@code append}, {@code decay}, {@code refit}, {@code replace} or {@code
   * auto}. Over budget trees leave as {@code upkeep} says.
   *
   * @param margin by which share of the present loss a new version may be worse, under the gate
   *     {@code better}
   * @param holdOut the share of each window's rows that are kept out of training under that gate
   * @param error the rate of errors of the gate {@code shown}
   */
  public record Update(
      String policy,
      int maxTrees,
      Gate gate,
      double margin,
      double holdOut,
      double error,
      Upkeep upkeep) {
    public static final List<String> POLICIES = UpdateKeys.POLICIES;
  }

  /**
   * Whether windows are compared with what came before, and what becomes of it.
   *
   * @param falseAlarms 1 over how many comparisons go by, on average at least, until the first
   *     false alarm of features and labels; of the loss the chance that its window sees a change
   */
  public record Drift(Action action, double falseAlarms) {
    /** What becomes of it. */
    public enum Action {
      /** Nothing is compared. */
      NOTHING,
      /** It stands in the window's report. */
      REPORT,
      /** After a rise of the loss, rows from before it are not trained on again. */
      SHORTEN,
      /** And a model begun anew on those after it may take over. */
      REPLACE
    }
  }

  /**
   * The model's own topics.
   *
   * @param join where scored records and labels meet, with labels in a topic
   * @param maxRecordBytes the most that key, value and headers of a record or label may have
   */
  public record ModelTopics(
      String records,
      String scores,
      String labels,
      String examples,
      String deadLetters,
      String shadowScores,
      String join,
      int maxRecordBytes,
      Framings framings) {
    /** Unless said otherwise: with what is written beside it, a message of 1 MiB. */
    public static final int MAX_RECORD_BYTES = TopicKeys.MAX_RECORD_BYTES.byDefault();

    /** What is written beside a record: its score, the join's bookkeeping, headers, the batch. */
    private static final int BESIDE_BYTES = 148_588;

    /** How large a message may get that carries a record or label. */
    public int maxMessageBytes() {
      return maxRecordBytes + BESIDE_BYTES;
    }
  }

  /**
   * A model from flat keys as below {@code holdfast.models.NAME}, for example {@code
   * trees.maxLeaves}; lists are separated by commas. What is not there has its default, and all
   * checks are those of the file.
   *
   * @param spelling what a key is called in messages, for example the flag that set it
   * @throws SettingsException with a sentence for each mistake
   */
  public static ModelSettings of(
      String name, Map<String, String> values, UnaryOperator<String> spelling) {
    return read(name, Section.nested(values), spelling);
  }

  private static ModelSettings read(String name, YamlNode node, UnaryOperator<String> spelling) {
    Problems problems = new Problems("");
    Section section = new Section("", node, spelling, problems);
    ModelSettings settings = new ModelReader(name, section, Path.of("").toAbsolutePath()).read();
    problems.raise();
    return settings;
  }

  /** The words for a missing value that a manifest's {@link #trainingJson} tells of. */
  public static List<String> missingWords(String trainingJson) {
    try {
      return TrainingJson.missingWords(trainingJson);
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The field of the environment that a manifest's {@link #trainingJson} names; null if none. */
  public static @Nullable String environment(String trainingJson) {
    try {
      return TrainingJson.environment(trainingJson);
    } catch (IOException e) {
      return null;
    }
  }

  /** The names of classes that a manifest's {@link #trainingJson} tells of, in their order. */
  public static List<String> classes(String trainingJson) {
    try {
      return TrainingJson.classes(trainingJson);
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * The model that a manifest's {@link #trainingJson} tells of. Labels are in the record, and
   * topics and schemas, which training does not depend on, are the default ones.
   *
   * @throws SettingsException with a sentence for each mistake
   */
  public static ModelSettings ofTrainingJson(String name, String json) {
    try {
      return read(name, TrainingJson.parse(json), key -> key);
    } catch (IOException e) {
      throw new SettingsException(
          Sentence.of("the training settings of %s are not JSON: %s", name, e.getMessage()));
    }
  }

  /** These, trained otherwise. */
  public ModelSettings with(BoosterSettings otherBooster) {
    return with(otherBooster, labels, anchors, update, topics, strength);
  }

  /** These, with a gamma that was chosen once and for all. */
  public ModelSettings withChosen(BoosterSettings chosen) {
    Double serve = strength.serve();
    boolean own = serve != null && serve == chosen.gamma();
    Strength given =
        new Strength(
            false, strength.by(), strength.ladder(), own ? null : serve, strength.adaptive());
    return with(chosen, labels, anchors, update, topics, given);
  }

  /** These, with another gate. */
  public ModelSettings withGate(Gate gate) {
    Update u = update;
    var gated = new Update(u.policy, u.maxTrees, gate, u.margin, u.holdOut, u.error, u.upkeep);
    return with(booster, labels, anchors, gated, topics, strength);
  }

  /** These, for examples in that topic. */
  public ModelSettings withExamplesIn(String topic) {
    ModelTopics t = topics;
    var others =
        new ModelTopics(
            t.records,
            t.scores,
            t.labels,
            topic,
            t.deadLetters,
            t.shadowScores,
            t.join,
            t.maxRecordBytes,
            t.framings);
    return with(booster, labels, anchors, update, others, strength);
  }

  /** These, with labels in the record. */
  public ModelSettings withLabelsInRecord() {
    return with(booster, new Labels.InRecord(MAX_SKEW), anchors, update, topics, strength);
  }

  /** These, for rows whose labels come by themselves, with their environment. */
  public ModelSettings withLabelsInTopic(Duration wait) {
    var inTopic = new Labels.InTopic(wait, Correlation.BY_KEY, MAX_SKEW);
    return with(booster, inTopic, anchors, update, topics, strength);
  }

  /** These, for rows whose anchors are of no interest. */
  public ModelSettings withoutAnchors() {
    return with(booster, labels, List.of(), update, topics, strength);
  }

  private ModelSettings with(
      BoosterSettings otherBooster,
      List<String> otherClasses,
      Labels otherLabels,
      List<String> otherAnchors,
      Update otherUpdate,
      ModelTopics otherTopics,
      Strength otherStrength) {
    return new ModelSettings(
        name,
        otherBooster,
        label,
        otherClasses,
        otherLabels,
        environment,
        otherAnchors,
        weight,
        time,
        id,
        features,
        window,
        otherUpdate,
        drift,
        otherTopics,
        schemas,
        retainVersions,
        maxModelAge,
        otherStrength,
        coverage,
        calibrated);
  }

  /** These, with names for as many classes as there are. */
  public ModelSettings withClasses(List<String> names) {
    return with(booster, names, labels, anchors, update, topics, strength);
  }

  private ModelSettings with(
      BoosterSettings otherBooster,
      Labels otherLabels,
      List<String> otherAnchors,
      Update otherUpdate,
      ModelTopics otherTopics,
      Strength otherStrength) {
    return with(
        otherBooster, classes, otherLabels, otherAnchors, otherUpdate, otherTopics, otherStrength);
  }

  /** How many trees a round appends: one, or one a class. */
  static int treesOfRound(BoosterSettings booster) {
    return switch (booster.multiclass()) {
      case PER_CLASS -> booster.objective().outputs();
      case VECTOR -> 1;
    };
  }

  /** How many trees an update appends. */
  public int treesOfUpdate() {
    return booster.rounds() * treesOfRound(booster); // 10,000 rounds of 1,000 classes at most
  }

  /** The objective and its configured parameters, as a user would say them. */
  public static String described(Objective objective) {
    return ObjectiveReader.configured(objective).entrySet().stream()
        .map(parameter -> " " + parameter.getKey() + " " + parameter.getValue())
        .collect(Collectors.joining("", objective.name(), ""));
  }

  /**
   * All that determines training beside the rows, as canonical JSON: equal settings give equal
   * bytes, and numbers are as short as their exact decimal value allows. The manifest keeps it.
   */
  public String trainingJson() {
    return TrainingJson.of(this);
  }
}
