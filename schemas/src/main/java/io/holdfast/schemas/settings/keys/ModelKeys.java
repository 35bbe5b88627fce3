package io.holdfast.schemas.settings.keys;

import static io.holdfast.schemas.settings.keys.Key.Flag.Group.ANCHOR;
import static io.holdfast.schemas.settings.keys.Key.Flag.Group.COLUMNS;
import static io.holdfast.schemas.settings.keys.Key.Flag.Group.START;
import static io.holdfast.schemas.settings.keys.Kind.Length.ABOVE_0;
import static io.holdfast.schemas.settings.keys.Kind.Length.ANY;
import static io.holdfast.schemas.settings.keys.Kind.Real.FROM_0_TO_1;
import static io.holdfast.schemas.settings.keys.Kind.Real.NOT_NEGATIVE;
import static io.holdfast.schemas.settings.keys.Kind.Real.between;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.keys.Key.Flag;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The settings of a model, below {@code holdfast.models.NAME}: what it learns, from which fields,
 * and under which anchor. Those of trees are in {@link TreeKeys}, those of windows and updates in
 * {@link UpdateKeys}, features in {@link FeatureKeys}, topics in {@link TopicKeys}.
 */
public final class ModelKeys {
  private static final KeyTable KEYS = new KeyTable();

  public static final Key<String> OBJECTIVE =
      KEYS.of(
              "objective",
              new Kind.Choice(Objective.names()),
              "What is learned, and from which labels")
          .more("The table below")
          .flag(Flag.Group.OBJECTIVE, "--objective", "NAME")
          .help(
              "Of numbers: squared, absolute, huber, quantile; above 0: gamma; from 0:"
                  + " poisson, tweedie; from 0 to 1: beta; of two classes: logistic, probit,"
                  + " exponential; of more: softmax, or ordered: ordinal");
  public static final Key<String> LABEL =
      KEYS.text("label", "What to predict; a row where it is empty is not learned from")
          .more("A field of the record or of the label record")
          .flag(COLUMNS, "--label", Flag.COLUMN);
  public static final Key<String> LABELS_IN =
      KEYS.choice("labels.in", "Where labels are: in the record, or in a topic", "record", "topic")
          .more("[How they find their record](operations.md#labels-in-a-topic)");
  public static final Key<Duration> LABELS_WAIT =
      KEYS.of(
              "labels.wait",
              Duration.ofHours(1),
              ABOVE_0,
              "In a topic: how far the times of record and label may be apart, and how long each"
                  + " waits for the other")
          .more("`90s`, `15m`, `7d`, `PT1H`");
  public static final Key<String> CORRELATION_RECORD =
      KEYS.text("labels.correlation.record", "In a topic: the id that record and label share")
          .usual("key")
          .more(
              "The Kafka `key`, `header NAME` or `field PATH`; a field is compared as text and is"
                  + " no feature");
  public static final Key<String> CORRELATION_LABEL =
      KEYS.text("labels.correlation.label", "Where the label has it").usually("as `record`");
  public static final Key<Duration> MAX_SKEW =
      KEYS.of(
              "labels.maxSkew",
              Duration.ofSeconds(10),
              ANY,
              "How far a message's time may be ahead of the service's clock")
          .more("One further ahead counts as of now, and is a trouble, `clock-ahead`");
  public static final Key<String> ENVIRONMENT =
      KEYS.text("environment", "The environment of a row: a season, a site, a customer group")
          .usually("none: all rows share one")
          .more("A field of the record or of the label record")
          .flag(COLUMNS, "--environment", Flag.COLUMN);
  public static final Key<List<String>> ANCHORS =
      KEYS.texts("anchors", "Numbers that may shift, in place of an environment or beside it")
          .more("A row without one of them is scored but not learned from (`BAD_ANCHOR`)")
          .flag(ANCHOR, "--anchors", Flag.COLUMNS);
  public static final Key<String> WEIGHT =
      KEYS.text("weight", "What a row counts, above 0")
          .usually("none: all rows count 1")
          .flag(COLUMNS, "--weight", Flag.COLUMN)
          .help("What a row counts, above 0 (default: all rows count 1)");
  public static final Key<List<String>> CLASS_WEIGHTS =
      KEYS.texts("classWeights", "What classes count, in order")
          .usually("1 each")
          .more("`[1, 20]`")
          .flag(Flag.Group.OBJECTIVE, "--class-weights", "N,...")
          .help("What rows of each class count in training, in order (default: 1)");
  public static final Key<String> TIME =
      KEYS.text("time", "The time of a row; no feature")
          .usually("none")
          .flag(COLUMNS, "--time", Flag.COLUMN);
  public static final Key<String> ID =
      KEYS.text("id", "A row's identity; no feature")
          .usually("none")
          .flag(COLUMNS, "--id", Flag.COLUMN);

  public static final Key<String> GAMMA =
      KEYS.of(
              "gamma",
              "1",
              new Kind.RealOr(NOT_NEGATIVE, "auto"),
              "Against shifts of the anchor: 1 is plain, auto is chosen")
          .more(
              "([concepts](concepts.md)). `absolute` and `quantile` take 1 only. `auto`: the first"
                  + " version with trees and every tenth number are preceded by a choice among 1,"
                  + " 2, 4, 7 and 16, by leaving environments of the training rows out; the present"
                  + " gamma stays unless another loses 1% less, and the window's report and the"
                  + " manifest (`gammaWorst`, `gammaMean`, `gammaLeastMean`) say what was chosen"
                  + " and what it costs. `holdfast fit` chooses once, on a file, among 64 too")
          .flag(ANCHOR, "--gamma", "NUM");
  public static final Key<String> GAMMA_BY =
      KEYS.choice(
              "gammaBy", "Of auto: which loss of environments left out decides", "worst", "mean")
          .more("[What each is worth](learning-under-shift.md#gamma-chosen)")
          .flag(ANCHOR, "--gamma-by", "worst|mean");
  public static final Key<List<String>> LADDER =
      KEYS.texts("ladder.gammas", "Gammas that leaf values are found for beside gamma's, ascending")
          .more(
              "Up to eight, for the same trees: any of them can score without training again"
                  + " ([operations](operations.md)). With every `update.policy` but `auto`")
          .flag(ANCHOR, "--ladder", "NUMBER,...");
  public static final Key<String> LADDER_SERVE =
      KEYS.of(
              "ladder.serve",
              new Kind.RealOr(NOT_NEGATIVE, "adaptive"),
              "Whose leaf values score; in windows also adaptive")
          .usually("the gamma")
          .more("`adaptive`: whose lost least on late windows before they were trained on")
          .flag(ANCHOR, "--serve", "NUM")
          .help("Whose leaf values score; in windows also adaptive (default: --gamma's)");
  public static final Key<Boolean> ANCHOR_INTERCEPT =
      KEYS.truth(
              "anchorIntercept",
              true,
              "Whether anchors without environments are centred, so that a shift of all labels is"
                  + " no shift of an anchor")
          .switchedBy(ANCHOR, "--anchors-uncentred", "false")
          .help("Do not centre --anchors; only without --environment");
  public static final Key<Boolean> ANCHOR_SPLITS =
      KEYS.truth("anchorSplits", false, "Choose splits by what they gain under the anchor, too")
          .more("With an `environment` alone; not for `softmax` ([math.md](math.md))")
          .switchedBy(ANCHOR, "--anchor-splits", "true");

  public static final Key<String> BASE =
      KEYS.choice("base", "What trees are added to: constant or linear", "constant", "linear")
          .flag(START, "--base", "NAME");
  public static final Key<String> LINEAR_STRENGTH =
      KEYS.of(
              "linear.strength",
              "1",
              new Kind.RealOr(NOT_NEGATIVE, "auto"),
              "Penalty of the linear base, or auto to choose it")
          .more("`auto`: by cross-validation, from 0.0001 to 100, with each new base")
          .flag(START, "--linear-strength", "NUM");
  public static final Key<String> FOLDS =
      KEYS.choice(
              "linear.folds",
              "Of auto: tried on other rows, time or environment",
              "rows",
              "time",
              "environment")
          .more("`time`: on rows after those learned from, in their order")
          .flag(START, "--linear-folds", "NAME");
  public static final Key<Double> L1_RATIO =
      KEYS.of("linear.l1Ratio", 0.0, FROM_0_TO_1, "From 0, ridge, to 1, lasso")
          .flag(START, "--linear-l1-ratio", "NUM");
  public static final Key<String> BOOSTER =
      KEYS.choice("booster", "gradient boosting, or adaboost", "gradient", "adaboost")
          .more(
              "`adaboost`: trees that vote, AdaBoost.M1 for two classes (`exponential`), SAMME for"
                  + " more (`softmax`), without anchor, base or refit; `trees.maxDepth` is then"
                  + " `1` (stumps), up to 16, and `update.policy` `replace`")
          .flag(START, "--booster", "NAME");
  public static final Key<String> CRITERION =
      KEYS.choice("adaboost.criterion", "Of adaboost: splits by gini or error", "gini", "error")
          .more("`error` is for stumps")
          .flag(START, "--criterion", "NAME");
  public static final Key<Boolean> RESAMPLE =
      KEYS.truth("adaboost.resample", false, "Of adaboost: rounds learn from rows drawn by weight")
          .switchedBy(START, "--resample", "true");
  public static final Key<List<Double>> COVERAGE =
      KEYS.of(
              "uncertainty.coverage",
              new Kind.Shares(10),
              "How often labels are to be within scores' bounds or sets")
          .usually("none")
          .more("`[0.8, 0.95]` ([how](concepts.md#uncertainty))");
  public static final Key<String> CALIBRATION =
      KEYS.choice(
              "uncertainty.calibration",
              "Corrects probabilities of classes by labels that came",
              "none",
              "beta")
          .more("`beta`: [beta calibration](concepts.md#uncertainty), by version")
          .flag(Flag.Group.OBJECTIVE, "--calibration", "NAME");
  public static final Key<Integer> THREADS =
      KEYS.whole("threads", 1, 1, 256, "That train; they change no result")
          .flag(START, "--threads", "N");
  public static final Key<Long> SEED =
      KEYS.of(
              "seed",
              1L,
              new Kind.AnyWhole(),
              "Of everything random; equal seeds give equal models")
          .flag(START, "--seed", "N");

  public static final Key<Integer> RETAIN_VERSIONS =
      KEYS.whole(
              "retainVersions", 100, 1, 1_000, "How many of the newest versions the ledger keeps")
          .more("Beside those that serve, shadow or are the tip");
  public static final Key<Duration> MAX_MODEL_AGE =
      KEYS.of("maxModelAge", ABOVE_0, "How long a version may serve before readiness is DEGRADED")
          .usually("none")
          .more("`holdfast_model_stale` is then 1 (`6h`, `2d`)");
  public static final Key<List<String>> SCHEMAS =
      KEYS.texts("schemas", "Files of record schemas, relative to this file")
          .more("Schemas may also come from the schema topic");

  /** Those of the group without a name. */
  static final List<Key<?>> OWN = KEYS.all();

  // The parameters of objectives.
  public static final Key<Integer> CLASSES =
      KEYS.of(
              "classes",
              new Kind.CountOrNames(new Kind.Whole(2, 1_000)),
              "The classes as labels name them, in order, or how many there are")
          .flag(Flag.Group.OBJECTIVE, "--classes", "A,B,...")
          .help("Classes by name, of two the positive last, or how many (else found)");
  public static final Key<String> LINK =
      KEYS.choice("link", "Of ordinal: logit or probit", "logit", "probit")
          .flag(Flag.Group.OBJECTIVE, "--link", "NAME");
  public static final Key<Double> DELTA =
      KEYS.of(
              "delta",
              new Kind.Real(Map.of("exclusiveMinimum", 0.0), "above 0, in the unit of the label"),
              "Of huber: the error from which on errors count linearly")
          .flag(Flag.Group.OBJECTIVE, "--delta", "NUM");
  public static final Key<Double> ALPHA =
      KEYS.of("alpha", between(0, 1), "Of quantile: the share of labels that are to be below")
          .flag(Flag.Group.OBJECTIVE, "--alpha", "NUM");
  public static final Key<String> PRECISION =
      KEYS.of(
              "precision",
              "auto",
              new Kind.RealOr(new Kind.Real(Map.of("exclusiveMinimum", 0.0), "above 0"), "auto"),
              "Of beta: known, or auto to estimate it")
          .flag(Flag.Group.OBJECTIVE, "--precision", "NUM");
  public static final Key<Double> POWER =
      KEYS.of("power", 1.5, between(1, 2), "Of tweedie: above 1, below 2")
          .flag(Flag.Group.OBJECTIVE, "--power", "NUM");

  /** All settings of a model, in the order of the documentation. */
  public static final List<Key<?>> ALL =
      Stream.of(KEYS.all(), TreeKeys.ALL, UpdateKeys.ALL, FeatureKeys.ALL, TopicKeys.ALL)
          .<Key<?>>flatMap(List::stream)
          .toList();

  private ModelKeys() {}
}
