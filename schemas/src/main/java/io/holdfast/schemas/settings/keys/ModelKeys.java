package io.holdfast.schemas.settings.keys;

import io.holdfast.schemas.settings.keys.Key.Flag;
import io.holdfast.schemas.settings.keys.Key.Flag.Group;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The settings of a model, below {@code holdfast.models.NAME}: what it learns, from which fields,
 * and under which anchor. Those of trees are in {@link TreeKeys}, those of windows and updates in
 * {@link UpdateKeys}, topics in {@link TopicKeys}.
 */
public final class ModelKeys {
  public static final Key<String> OBJECTIVE =
      Key.of(
              "objective",
              new Kind.Choice(
                  List.of(
                      "squared",
                      "absolute",
                      "huber",
                      "quantile",
                      "logistic",
                      "probit",
                      "exponential",
                      "softmax",
                      "ordinal",
                      "beta",
                      "gamma",
                      "poisson",
                      "tweedie")),
              "What is learned, and from which labels")
          .more("The table below")
          .flag(
              Group.OBJECTIVE,
              "--objective",
              "NAME",
              "Of a number: squared, absolute, huber, quantile; above 0: gamma, or from 0 on:"
                  + " poisson, tweedie; from 0 to 1: beta; of 0 or 1: logistic, probit, exponential;"
                  + " of classes 0, 1, ...: softmax, or in order ordinal");
  public static final Key<Integer> CLASSES =
      Key.of("classes", new Kind.Whole(2, 1_000), "How many classes softmax and ordinal have")
          .flag(Group.OBJECTIVE, "--classes", "N");
  public static final Key<String> LINK =
      Key.choice("link", "Of ordinal: logit or probit", "logit", "probit")
          .flag(Group.OBJECTIVE, "--link", "NAME");
  public static final Key<Double> DELTA =
      Key.of(
              "delta",
              new Kind.Real(Map.of("exclusiveMinimum", 0.0), "above 0, in the unit of the label"),
              "Of huber: the error from which on errors count linearly")
          .flag(Group.OBJECTIVE, "--delta", "NUM");
  public static final Key<Double> ALPHA =
      Key.of(
              "alpha",
              Kind.Real.between(0, 1),
              "Of quantile: the share of labels that are to be below")
          .flag(Group.OBJECTIVE, "--alpha", "NUM");
  public static final Key<String> PRECISION =
      Key.of(
              "precision",
              new Kind.RealOr(new Kind.Real(Map.of("exclusiveMinimum", 0.0), "above 0"), "auto"),
              "Of beta: known, or auto to estimate it")
          .usual("auto")
          .flag(Group.OBJECTIVE, "--precision", "NUM");
  public static final Key<Double> POWER =
      Key.of("power", Kind.Real.between(1, 2), "Of tweedie: above 1, below 2")
          .usual(1.5)
          .flag(Group.OBJECTIVE, "--power", "NUM");

  public static final Key<String> LABEL =
      Key.text("label", "What to predict; a row where it is empty is not learned from")
          .more("A field of the record or of the label record")
          .flag(Group.COLUMNS, "--label", Flag.COLUMN);
  public static final Key<String> LABELS_IN =
      Key.choice("labels.in", "Where labels are: in the record, or in a topic", "record", "topic")
          .more("[How they find their record](operations.md#labels-in-a-topic)");
  public static final Key<Duration> LABELS_WAIT =
      Key.of(
              "labels.wait",
              Kind.Length.ABOVE_0,
              "In a topic: how far the times of record and label may be apart, and how long each"
                  + " waits for the other")
          .usual(Duration.ofHours(1))
          .more("`90s`, `15m`, `7d`, `PT1H`");
  public static final Key<String> CORRELATION_RECORD =
      Key.text("labels.correlation.record", "In a topic: the id that record and label share")
          .usual("key")
          .more(
              "The Kafka `key`, `header NAME` or `field PATH`; a field is compared as text and is"
                  + " no feature");
  public static final Key<String> CORRELATION_LABEL =
      Key.text("labels.correlation.label", "Where the label has it").usually("as `record`");
  public static final Key<Duration> MAX_SKEW =
      Key.of(
              "labels.maxSkew",
              Kind.Length.ANY,
              "How far a message's time may be ahead of the service's clock")
          .usual(Duration.ofSeconds(10))
          .more("One further ahead counts as of now, and is a trouble, `clock-ahead`");
  public static final Key<String> ENVIRONMENT =
      Key.text("environment", "The environment of a row: a season, a site, a customer group")
          .usually("none: all rows share one")
          .more("A field of the record or of the label record")
          .flag(Group.COLUMNS, "--environment", Flag.COLUMN);
  public static final Key<List<String>> ANCHORS =
      Key.texts("anchors", "Numbers that may shift, in place of an environment or beside it")
          .more("A row without one of them is scored but not learned from (`BAD_ANCHOR`)")
          .flag(Group.ANCHOR, "--anchors", Flag.COLUMNS);
  public static final Key<String> WEIGHT =
      Key.text("weight", "What a row counts, above 0")
          .usually("none: all rows count 1")
          .flag(
              Group.COLUMNS,
              "--weight",
              Flag.COLUMN,
              "What a row counts, above 0 (default: all rows count 1)");
  public static final Key<String> TIME =
      Key.text("time", "The time of a row; no feature")
          .usually("none")
          .flag(Group.COLUMNS, "--time", Flag.COLUMN);
  public static final Key<String> ID =
      Key.text("id", "A row's identity; no feature")
          .usually("none")
          .flag(Group.COLUMNS, "--id", Flag.COLUMN);

  public static final Key<String> GAMMA =
      Key.of(
              "gamma",
              new Kind.RealOr(Kind.Real.NOT_NEGATIVE, "auto"),
              "Against shifts of the anchor: 1 is plain, auto is chosen")
          .usual("1")
          .more(
              "([concepts](concepts.md)). `absolute` and `quantile` take 1 only. `auto`: the first"
                  + " version with trees and every tenth number are preceded by a choice among 1,"
                  + " 2, 4, 7 and 16, by leaving environments of the training rows out; the present"
                  + " gamma stays unless another loses 1% less, and the window's report and the"
                  + " manifest (`gammaWorst`, `gammaMean`, `gammaLeastMean`) say what was chosen"
                  + " and what it costs. `holdfast fit` chooses once, on a file, among 64 too")
          .flag(Group.ANCHOR, "--gamma", "NUM");
  public static final Key<String> GAMMA_BY =
      Key.choice("gammaBy", "Of auto: which loss of environments left out decides", "worst", "mean")
          .more("[What each is worth](learning-under-shift.md#gamma-chosen)")
          .flag(Group.ANCHOR, "--gamma-by", "worst|mean");
  public static final Key<List<String>> LADDER =
      Key.texts("ladder.gammas", "Gammas that leaf values are found for beside gamma's, ascending")
          .more(
              "Up to eight, for the same trees: any of them can score without training again"
                  + " ([operations](operations.md)). With every `update.policy` but `auto`")
          .flag(Group.ANCHOR, "--ladder", "NUMBER,...");
  public static final Key<String> LADDER_SERVE =
      Key.of(
              "ladder.serve",
              new Kind.RealOr(Kind.Real.NOT_NEGATIVE, "adaptive"),
              "Whose leaf values score; in windows also adaptive")
          .usually("the gamma")
          .more("`adaptive`: whose lost least on late windows before they were trained on")
          .flag(
              Group.ANCHOR,
              "--serve",
              "NUM",
              "Whose leaf values score; in windows also adaptive (default: --gamma's)");
  public static final Key<Boolean> ANCHOR_INTERCEPT =
      Key.truth(
              "anchorIntercept",
              true,
              "Whether anchors without environments are centred, so that a shift of all labels is"
                  + " no shift of an anchor")
          .switchedBy(
              Group.ANCHOR,
              "--anchors-uncentred",
              "false",
              "Do not centre --anchors; only without --environment");
  public static final Key<Boolean> ANCHOR_SPLITS =
      Key.truth("anchorSplits", false, "Choose splits by what they gain under the anchor, too")
          .more("With an `environment` alone; not for `softmax` ([math.md](math.md))")
          .switchedBy(Group.ANCHOR, "--anchor-splits", "true", "");

  public static final Key<String> BOOSTER =
      Key.choice("booster", "gradient boosting, or adaboost", "gradient", "adaboost")
          .more(
              "`adaboost`: trees that vote, AdaBoost.M1 for two classes (`exponential`), SAMME for"
                  + " more (`softmax`), without anchor, base or refit; `trees.maxDepth` is then"
                  + " `1` (stumps), up to 16, and `update.policy` `replace`")
          .flag(Group.START, "--booster", "NAME");
  public static final Key<String> CRITERION =
      Key.choice("adaboost.criterion", "Of adaboost: splits by gini or error", "gini", "error")
          .more("`error` is for stumps")
          .flag(Group.START, "--criterion", "NAME");
  public static final Key<Boolean> RESAMPLE =
      Key.truth("adaboost.resample", false, "Of adaboost: rounds learn from rows drawn by weight")
          .switchedBy(Group.START, "--resample", "true", "");
  public static final Key<String> BASE =
      Key.choice("base", "What trees are added to: constant or linear", "constant", "linear")
          .flag(Group.START, "--base", "NAME");
  public static final Key<String> LINEAR_STRENGTH =
      Key.of(
              "linear.strength",
              new Kind.RealOr(Kind.Real.NOT_NEGATIVE, "auto"),
              "Penalty of the linear base, or auto to choose it")
          .usual("1")
          .more("`auto`: by cross-validation, from 0.0001 to 100, with each new base")
          .flag(Group.START, "--linear-strength", "NUM");
  public static final Key<String> FOLDS =
      Key.choice(
              "linear.folds",
              "Of auto: tried on other rows, time or environment",
              "rows",
              "time",
              "environment")
          .more("`time`: on rows after those learned from, in their order")
          .flag(Group.START, "--linear-folds", "NAME");
  public static final Key<Double> L1_RATIO =
      Key.of("linear.l1Ratio", Kind.Real.FROM_0_TO_1, "From 0, ridge, to 1, lasso")
          .usual(0.0)
          .flag(Group.START, "--linear-l1-ratio", "NUM");
  public static final Key<Integer> THREADS =
      Key.whole("threads", 1, 1, 256, "That train; they change no result")
          .flag(Group.START, "--threads", "N");
  public static final Key<Long> SEED =
      Key.of("seed", new Kind.AnyWhole(), "Of everything random; equal seeds give equal models")
          .usual(1L)
          .flag(Group.START, "--seed", "N");

  public static final Key<Integer> RETAIN_VERSIONS =
      Key.whole("retainVersions", 100, 1, 1_000, "How many of the newest versions the ledger keeps")
          .more("Beside those that serve, shadow or are the tip");
  public static final Key<Duration> MAX_MODEL_AGE =
      Key.of(
              "maxModelAge",
              Kind.Length.ABOVE_0,
              "How long a version may serve before readiness is DEGRADED")
          .usually("none")
          .more("`holdfast_model_stale` is then 1 (`6h`, `2d`)");
  public static final Key<List<String>> SCHEMAS =
      Key.texts("schemas", "Files of record schemas, relative to this file")
          .more("Schemas may also come from the schema topic");

  public static final Key<List<String>> INCLUDE =
      Key.texts("features.include", "The features")
          .usually("every field that is nothing else and has a type a feature can have")
          .flag(
              Group.COLUMNS,
              "--features",
              Flag.COLUMNS,
              "The features (default: every column that is nothing else)");
  public static final Key<List<String>> EXCLUDE =
      Key.texts("features.exclude", "Fields that are no features")
          .flag(Group.COLUMNS, "--exclude", Flag.COLUMNS);
  public static final Key<List<String>> CATEGORICAL =
      Key.texts("features.categorical", "Numbers that are names; text is without saying")
          .flag(Group.COLUMNS, "--categorical", Flag.COLUMNS);
  public static final Key<List<String>> MISSING =
      Key.texts(
              "features.missing",
              "Words that say that there is no value, beside NA, null, ? and the like")
          .more("([values](values.md))")
          .flag(Group.COLUMNS, "--missing", "WORD,...");
  public static final Key<List<String>> DATES =
      Key.texts("features.dates", "Dates: take hour, weekday and month")
          .more("In UTC, in place of the date itself")
          .flag(Group.COLUMNS, "--dates", Flag.COLUMNS);
  public static final Key<String> ABSENT =
      Key.choice(
              "features.absent",
              "What becomes of records whose schema lacks a feature: serve or refuse",
              "serve",
              "refuse")
          .more(
              "`serve`: it counts as missing; `refuse`: they are [dead"
                  + " letters](operations.md#health)");

  /** Those of the group without a name. */
  static final List<Key<?>> OWN =
      List.of(
          OBJECTIVE,
          LABEL,
          LABELS_IN,
          LABELS_WAIT,
          CORRELATION_RECORD,
          CORRELATION_LABEL,
          MAX_SKEW,
          ENVIRONMENT,
          ANCHORS,
          WEIGHT,
          TIME,
          ID,
          GAMMA,
          GAMMA_BY,
          LADDER,
          LADDER_SERVE,
          ANCHOR_INTERCEPT,
          ANCHOR_SPLITS,
          BASE,
          LINEAR_STRENGTH,
          FOLDS,
          L1_RATIO,
          BOOSTER,
          CRITERION,
          RESAMPLE,
          THREADS,
          SEED,
          RETAIN_VERSIONS,
          MAX_MODEL_AGE,
          SCHEMAS);

  /** The parameters of objectives. */
  public static final List<Key<?>> PARAMETERS =
      List.of(CLASSES, LINK, DELTA, ALPHA, PRECISION, POWER);

  private static final List<Key<?>> FEATURES =
      List.of(INCLUDE, EXCLUDE, CATEGORICAL, MISSING, DATES, ABSENT);

  /** All settings of a model, in the order of the documentation. */
  public static final List<Key<?>> ALL =
      Stream.of(OWN, PARAMETERS, TreeKeys.ALL, UpdateKeys.ALL, FEATURES, TopicKeys.ALL)
          .<Key<?>>flatMap(List::stream)
          .toList();

  private ModelKeys() {}
}
