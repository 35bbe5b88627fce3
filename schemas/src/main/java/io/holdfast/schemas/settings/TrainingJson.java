package io.holdfast.schemas.settings;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.HoldOut;
import io.holdfast.boosting.ada.AdaBoost;
import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.leaf.StepSize;
import io.holdfast.boosting.linear.Folds;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.tree.Sampling;
import io.holdfast.schemas.settings.ModelSettings.Upkeep;
import io.holdfast.schemas.settings.keys.FeatureKeys;
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.ModelKeys;
import io.holdfast.schemas.settings.keys.TreeKeys;
import io.holdfast.schemas.settings.keys.UpdateKeys;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A model's training settings as JSON, keys in a fixed order. Part of the manifest's hash.
 *
 * <p>The keys of the first manifests are always there; every later one only where it is not at its
 * default. So settings that say nothing new have the bytes they always had, and what a version was
 * trained with can be compared with what the version before was. Threads are not there: they change
 * no result. Nor are times that windows wait for: the manifest says where they were cut.
 */
final class TrainingJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** In the order of the bytes; {@code s} are the model's settings. */
  private static final List<Entry> ENTRIES =
      List.of(
          always(ModelKeys.OBJECTIVE, s -> s.booster().objective().name()),
          parameter(ModelKeys.ALPHA),
          always(ModelKeys.CLASSES, s -> s.classes().isEmpty() ? count(s) : s.classes()),
          parameter(ModelKeys.DELTA),
          parameter(ModelKeys.LINK),
          parameter(ModelKeys.POWER),
          parameter(ModelKeys.PRECISION),
          always(ModelKeys.GAMMA, TrainingJson::gamma),
          always(
              ModelKeys.GAMMA_BY,
              s -> s.strength().auto() ? StrengthReader.nameOf(s.strength().by()) : null),
          changed(ModelKeys.CLASS_WEIGHTS, s -> s.booster().classWeights()),
          changed(ModelKeys.LADDER, s -> s.strength().ladder()),
          always(ModelKeys.LADDER_SERVE, TrainingJson::served),
          changed(ModelKeys.ANCHORS, ModelSettings::anchors),
          changed(
              ModelKeys.ANCHOR_INTERCEPT,
              s ->
                  !(s.booster().anchoring().design() instanceof AnchorDesign.Continuous continuous)
                      || continuous.centred()),
          changed(ModelKeys.ANCHOR_SPLITS, s -> s.booster().anchoring().splits()),
          always(TreeKeys.ROUNDS, s -> s.booster().rounds()),
          always(TreeKeys.LEARNING_RATE, s -> s.booster().learningRate()),
          always(TreeKeys.MAX_LEAVES, s -> s.booster().trees().maxLeaves()),
          always(TreeKeys.MAX_DEPTH, s -> s.booster().trees().maxDepth()),
          always(TreeKeys.MIN_ROWS, s -> s.booster().trees().minRows()),
          always(TreeKeys.MIN_HESSIAN, s -> s.booster().trees().minHessian()),
          always(TreeKeys.MIN_GAIN, s -> s.booster().trees().minGain()),
          always(TreeKeys.LAMBDA, s -> s.booster().lambda()),
          changed(TreeKeys.LAMBDA1, s -> s.booster().penalties().lambda1()),
          changed(TreeKeys.LEAF_PRICE, s -> s.booster().penalties().leafPrice()),
          always(TreeKeys.SAMPLE_ROWS, s -> sampling(s) ? s.booster().sampling().rows() : null),
          always(
              TreeKeys.SAMPLE_FEATURES,
              s -> sampling(s) ? s.booster().sampling().features() : null),
          always(
              TreeKeys.MONOTONE,
              s -> s.booster().monotone().isEmpty() ? null : s.booster().monotone()),
          always(
              TreeKeys.INTERACTIONS,
              s -> s.booster().interactions().isEmpty() ? null : s.booster().interactions()),
          changed(
              TreeKeys.MULTICLASS,
              s ->
                  s.booster().objective().outputs() > 1
                          && s.booster().multiclass() == MulticlassTrees.PER_CLASS
                      ? "perClass"
                      : null),
          changed(
              TreeKeys.STEP, s -> s.booster().step() == StepSize.LINE_SEARCH ? "lineSearch" : null),
          always(TreeKeys.STOP_AFTER, s -> heldOut(s, HoldOut::patience)),
          changed(TreeKeys.KEPT_OUT, s -> heldOut(s, HoldOut::share)),
          changed(TreeKeys.STOP_BY, s -> heldOut(s, TrainingJson::stopBy)),
          always(TreeKeys.MAX_BINS, s -> s.booster().maxBins()),
          changed(ModelKeys.BOOSTER, s -> s.booster().adaBoost() == null ? null : "adaboost"),
          always(
              ModelKeys.CRITERION,
              s -> votes(s, votes -> votes.criterion().name().toLowerCase(Locale.ROOT))),
          always(ModelKeys.RESAMPLE, s -> votes(s, AdaBoost::resample)),
          changed(ModelKeys.BASE, s -> s.booster().linearBase() == null ? null : "linear"),
          always(ModelKeys.LINEAR_STRENGTH, s -> base(s, TrainingJson::strength)),
          always(ModelKeys.FOLDS, s -> base(s, TrainingJson::folds)),
          always(ModelKeys.L1_RATIO, s -> base(s, LinearBase::l1Ratio)),
          always(ModelKeys.SEED, s -> s.booster().seed()),
          always(ModelKeys.LABEL, ModelSettings::label),
          always(ModelKeys.ENVIRONMENT, ModelSettings::environment),
          always(ModelKeys.WEIGHT, ModelSettings::weight),
          always(ModelKeys.TIME, ModelSettings::time),
          always(ModelKeys.ID, ModelSettings::id),
          always(FeatureKeys.INCLUDE, s -> s.features().include()),
          always(FeatureKeys.EXCLUDE, s -> s.features().exclude()),
          always(FeatureKeys.CATEGORICAL, s -> s.features().categorical()),
          changed(FeatureKeys.MISSING, s -> s.features().missing()),
          changed(FeatureKeys.DATES, s -> s.features().dates()),
          always(UpdateKeys.ROWS, s -> s.window().rows()),
          always(UpdateKeys.ENVIRONMENTS, s -> s.window().environments()),
          always(UpdateKeys.MAX_ROWS, s -> s.window().maxRows()),
          always(UpdateKeys.MEMORY_ROWS, s -> s.window().memoryRows()),
          changed(UpdateKeys.MEMORY_WINDOWS, s -> s.window().memoryWindows()),
          always(UpdateKeys.POLICY, s -> s.update().policy()),
          always(UpdateKeys.MAX_TREES, s -> s.update().maxTrees()),
          changed(UpdateKeys.GATE, s -> s.update().gate().name().toLowerCase(Locale.ROOT)),
          always(UpdateKeys.MARGIN, s -> gatedByLoss(s) ? s.update().margin() : null),
          always(UpdateKeys.HOLD_OUT, s -> gatedByLoss(s) ? s.update().holdOut() : null),
          always(UpdateKeys.ERROR, s -> gatedByEvidence(s) ? s.update().error() : null),
          changed(UpdateKeys.HALF_LIFE, s -> s.update().upkeep().halfLife()),
          changed(UpdateKeys.REFIT_RATE, s -> s.update().upkeep().refitRate()),
          changed(UpdateKeys.EVICT, s -> UpdateReader.nameOf(s.update().upkeep().evict())),
          always(UpdateKeys.RECENTRE, s -> unusual(s, Upkeep::recentre)),
          always(UpdateKeys.KEEP_BINS, s -> unusual(s, Upkeep::keepBins)),
          changed(UpdateKeys.DRIFT, s -> s.drift().action().name().toLowerCase(Locale.ROOT)),
          always(
              UpdateKeys.FALSE_ALARMS,
              s ->
                  s.drift().action() == ModelSettings.Drift.Action.NOTHING
                      ? null
                      : s.drift().falseAlarms()),
          always(ModelKeys.COVERAGE, s -> s.coverage().isEmpty() ? null : s.coverage()),
          changed(ModelKeys.CALIBRATION, s -> s.calibrated() ? "beta" : "none"));

  private TrainingJson() {}

  /**
   * A setting with the value that stands for it; null if it is left out.
   *
   * @param evenUsual whether it is written at its default
   */
  private record Entry(
      Key<?> key, boolean evenUsual, Function<ModelSettings, @Nullable Object> value) {}

  private static Entry always(Key<?> key, Function<ModelSettings, @Nullable Object> value) {
    return new Entry(key, true, value);
  }

  private static Entry changed(Key<?> key, Function<ModelSettings, @Nullable Object> value) {
    return new Entry(key, false, value);
  }

  private static Entry parameter(Key<?> key) {
    return always(
        key,
        settings -> ObjectiveReader.configured(settings.booster().objective()).get(key.name()));
  }

  private static @Nullable Object count(ModelSettings settings) {
    return ObjectiveReader.configured(settings.booster().objective()).get(ModelKeys.CLASSES.name());
  }

  private static @Nullable Object served(ModelSettings settings) {
    return settings.strength().adaptive() ? "adaptive" : settings.strength().serve();
  }

  private static @Nullable Object votes(ModelSettings settings, Function<AdaBoost, Object> of) {
    AdaBoost votes = settings.booster().adaBoost();
    return votes == null ? null : of.apply(votes);
  }

  private static Object strength(LinearBase base) {
    return base.chosenBy() == null ? (Object) base.strength() : "auto";
  }

  private static @Nullable Object folds(LinearBase base) {
    Folds folds = base.chosenBy();
    return folds == null ? null : folds.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Object heldOut(
      ModelSettings settings, Function<HoldOut, @Nullable Object> of) {
    HoldOut heldOut = settings.booster().holdOut();
    return heldOut == null ? null : of.apply(heldOut);
  }

  private static String stopBy(HoldOut heldOut) {
    return heldOut.criterion() instanceof Criterion.Worst ? "worst" : "mean";
  }

  private static @Nullable Object base(
      ModelSettings settings, Function<LinearBase, @Nullable Object> of) {
    LinearBase base = settings.booster().linearBase();
    return base == null ? null : of.apply(base);
  }

  private static Object gamma(ModelSettings settings) {
    return settings.strength().auto() ? "auto" : (Double) settings.booster().gamma();
  }

  private static boolean sampling(ModelSettings settings) {
    return !settings.booster().sampling().equals(Sampling.ALL);
  }

  private static boolean gatedByLoss(ModelSettings settings) {
    return settings.update().gate() == ModelSettings.Gate.BETTER;
  }

  private static boolean gatedByEvidence(ModelSettings settings) {
    return settings.update().gate() == ModelSettings.Gate.SHOWN;
  }

  /** What the policy does not do unless said otherwise. */
  private static @Nullable Object unusual(ModelSettings settings, Function<Upkeep, Boolean> of) {
    Boolean value = of.apply(settings.update().upkeep());
    return value.equals(of.apply(Upkeep.of(settings.update().policy()))) ? null : value;
  }

  static String of(ModelSettings settings) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      String group = "";
      for (Entry entry : ENTRIES) {
        Object value = entry.value().apply(settings);
        if (value == null || (!entry.evenUsual() && value.equals(entry.key().usual()))) {
          continue;
        }
        group = regroup(json, group, entry.key().group());
        json.writeFieldName(entry.key().name());
        write(json, value);
      }
      regroup(json, group, "");
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string takes all that is written", e);
    }
    return text.toString();
  }

  /** Ends groups and begins others until the next key is one of {@code to}. */
  private static String regroup(JsonGenerator json, String from, String to) throws IOException {
    String open = from;
    while (!open.isEmpty() && !(to + ".").startsWith(open + ".")) {
      json.writeEndObject();
      open = open.substring(0, Math.max(0, open.lastIndexOf('.')));
    }
    while (open.length() < to.length()) {
      int begin = open.isEmpty() ? 0 : open.length() + 1;
      int end = to.indexOf('.', begin);
      open = end < 0 ? to : to.substring(0, end);
      json.writeObjectFieldStart(open.substring(begin));
    }
    return to;
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case Double number -> json.writeNumber(exact(number));
      case Integer number -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case Boolean truth -> json.writeBoolean(truth);
      case List<?> items -> {
        json.writeStartArray();
        for (Object item : items) {
          write(json, item);
        }
        json.writeEndArray();
      }
      case Map<?, ?> entries -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
          json.writeFieldName(String.valueOf(entry.getKey()));
          write(json, entry.getValue());
        }
        json.writeEndObject();
      }
      default -> json.writeString(value.toString());
    }
  }

  /** 7 rather than 7.0, 0.001 rather than 0.0010 or 1.0E-3. */
  private static String exact(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /**
   * What was written, as keys to read.
   *
   * @throws IOException if it is no JSON object
   */
  static YamlNode parse(String text) throws IOException {
    try (JsonParser json = FACTORY.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("settings are an object");
      }
      return node(json);
    }
  }

  /**
   * The words for a missing value among what was written.
   *
   * @throws IOException if it is no JSON object
   */
  static List<String> missingWords(String text) throws IOException {
    return text.contains("\"missing\"")
        ? texts(below(below(parse(text), "features"), "missing"))
        : List.of();
  }

  /**
   * The field of the environment among what was written; null if there is none.
   *
   * @throws IOException if it is no JSON object
   */
  static @Nullable String environment(String text) throws IOException {
    return below(parse(text), ModelKeys.ENVIRONMENT.name())
            instanceof YamlNode.Scalar(String field, int _)
        ? field
        : null;
  }

  /**
   * The names of classes among what was written.
   *
   * @throws IOException if it is no JSON object
   */
  static List<String> classes(String text) throws IOException {
    return text.contains("\"classes\":[") ? texts(below(parse(text), "classes")) : List.of();
  }

  private static @Nullable YamlNode below(@Nullable YamlNode group, String key) {
    return group instanceof YamlNode.Mapping(Map<String, YamlNode> keys, int _)
        ? keys.get(key)
        : null;
  }

  private static List<String> texts(@Nullable YamlNode list) {
    List<String> texts = new ArrayList<>();
    if (list instanceof YamlNode.Sequence(List<YamlNode> items, int _)) {
      for (YamlNode item : items) {
        if (item instanceof YamlNode.Scalar(String text, int _)) {
          texts.add(text);
        }
      }
    }
    return texts;
  }

  private static YamlNode node(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> {
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String key = json.currentName();
          json.nextToken();
          entries.put(key, node(json));
        }
        yield new YamlNode.Mapping(entries, 0);
      }
      case START_ARRAY -> {
        List<YamlNode> items = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          items.add(node(json));
        }
        yield new YamlNode.Sequence(items, 0);
      }
      default -> new YamlNode.Scalar(json.getText(), 0);
    };
  }
}
