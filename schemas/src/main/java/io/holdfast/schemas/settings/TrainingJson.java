package io.holdfast.schemas.settings;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.MulticlassTrees;
import io.holdfast.boosting.ada.AdaBoost;
import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.tree.Sampling;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  private TrainingJson() {}

  static String of(ModelSettings settings) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      booster(json, settings);
      json.writeStringField("label", settings.label());
      optional(json, "environment", settings.environment());
      optional(json, "weight", settings.weight());
      optional(json, "time", settings.time());
      optional(json, "id", settings.id());
      json.writeObjectFieldStart("features");
      list(json, "include", settings.features().include());
      list(json, "exclude", settings.features().exclude());
      list(json, "categorical", settings.features().categorical());
      if (!settings.features().missing().isEmpty()) {
        list(json, "missing", settings.features().missing());
      }
      if (!settings.features().dates().isEmpty()) {
        list(json, "dates", settings.features().dates());
      }
      json.writeEndObject();
      json.writeObjectFieldStart("window");
      json.writeNumberField("rows", settings.window().rows());
      json.writeNumberField("environments", settings.window().environments());
      json.writeNumberField("maxRows", settings.window().maxRows());
      json.writeNumberField("memoryRows", settings.window().memoryRows());
      if (settings.window().memoryWindows() != ModelSettings.Window.MEMORY_WINDOWS) {
        json.writeNumberField("memoryWindows", settings.window().memoryWindows());
      }
      json.writeEndObject();
      json.writeObjectFieldStart("update");
      json.writeStringField("policy", settings.update().policy());
      json.writeNumberField("maxTrees", settings.update().maxTrees());
      gate(json, settings.update());
      upkeep(json, settings.update());
      json.writeEndObject();
      drift(json, settings.drift());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string takes all that is written", e);
    }
    return text.toString();
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
    YamlNode settings = text.contains("\"missing\"") ? parse(text) : new YamlNode.Empty(0);
    List<String> words = new ArrayList<>();
    if (settings instanceof YamlNode.Mapping(Map<String, YamlNode> groups, int _)
        && groups.get("features") instanceof YamlNode.Mapping(Map<String, YamlNode> keys, int _)
        && keys.get("missing") instanceof YamlNode.Sequence(List<YamlNode> items, int _)) {
      for (YamlNode item : items) {
        if (item instanceof YamlNode.Scalar(String word, int _)) {
          words.add(word);
        }
      }
    }
    return words;
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

  private static void booster(JsonGenerator json, ModelSettings settings) throws IOException {
    BoosterSettings booster = settings.booster();
    json.writeStringField("objective", booster.objective().name());
    for (Map.Entry<String, Object> parameter :
        ObjectiveReader.configured(booster.objective()).entrySet()) {
      if (parameter.getValue() instanceof Number number) {
        number(json, parameter.getKey(), number.doubleValue());
      } else {
        json.writeStringField(parameter.getKey(), parameter.getValue().toString());
      }
    }
    strength(json, settings);
    anchors(json, settings);
    json.writeObjectFieldStart("trees");
    json.writeNumberField("rounds", booster.rounds());
    number(json, "learningRate", booster.learningRate());
    json.writeNumberField("maxLeaves", booster.trees().maxLeaves());
    json.writeNumberField("maxDepth", booster.trees().maxDepth());
    json.writeNumberField("minRows", booster.trees().minRows());
    number(json, "minHessian", booster.trees().minHessian());
    number(json, "minGain", booster.trees().minGain());
    number(json, "lambda", booster.lambda());
    penaltiesAndShape(json, booster);
    json.writeNumberField("maxBins", booster.maxBins());
    json.writeEndObject();
    AdaBoost votes = booster.adaBoost();
    if (votes != null) {
      json.writeStringField("booster", "adaboost");
      json.writeObjectFieldStart("adaboost");
      json.writeStringField("criterion", votes.criterion().name().toLowerCase(Locale.ROOT));
      json.writeBooleanField("resample", votes.resample());
      json.writeEndObject();
    }
    LinearBase base = booster.linearBase();
    if (base != null) {
      json.writeStringField("base", "linear");
      json.writeObjectFieldStart("linear");
      number(json, "strength", base.strength());
      number(json, "l1Ratio", base.l1Ratio());
      json.writeEndObject();
    }
    json.writeNumberField("seed", booster.seed());
  }

  private static void gate(JsonGenerator json, ModelSettings.Update update) throws IOException {
    if (update.gate() != ModelSettings.Gate.ALWAYS) {
      json.writeStringField("gate", update.gate().name().toLowerCase(Locale.ROOT));
    }
    if (update.gate() == ModelSettings.Gate.BETTER) {
      number(json, "margin", update.margin());
      number(json, "holdOut", update.holdOut());
    }
  }

  private static void strength(JsonGenerator json, ModelSettings settings) throws IOException {
    Strength strength = settings.strength();
    if (strength.auto()) {
      json.writeStringField("gamma", "auto");
      json.writeStringField("gammaBy", StrengthReader.nameOf(strength.by()));
    } else {
      number(json, "gamma", settings.booster().gamma());
    }
    if (strength.ladder().isEmpty()) {
      return;
    }
    json.writeObjectFieldStart("ladder");
    json.writeArrayFieldStart("gammas");
    for (double gamma : strength.ladder()) {
      json.writeNumber(exact(gamma));
    }
    json.writeEndArray();
    Double serve = strength.serve();
    if (strength.adaptive()) {
      json.writeStringField("serve", "adaptive");
    } else if (serve != null) {
      number(json, "serve", serve);
    }
    json.writeEndObject();
  }

  /** What is looked for makes the training reference that versions name, if nothing else. */
  private static void drift(JsonGenerator json, ModelSettings.Drift drift) throws IOException {
    switch (drift.action()) {
      case NOTHING -> {}
      case REPORT, SHORTEN, REPLACE -> {
        json.writeObjectFieldStart("drift");
        json.writeStringField("action", drift.action().name().toLowerCase(Locale.ROOT));
        number(json, "falseAlarms", drift.falseAlarms());
        json.writeEndObject();
      }
    }
  }

  private static void upkeep(JsonGenerator json, ModelSettings.Update update) throws IOException {
    ModelSettings.Upkeep upkeep = update.upkeep();
    ModelSettings.Upkeep usual = ModelSettings.Upkeep.of(update.policy());
    if (upkeep.halfLife() != usual.halfLife()) {
      json.writeNumberField("halfLife", upkeep.halfLife());
    }
    if (upkeep.refitRate() != usual.refitRate()) {
      number(json, "refitRate", upkeep.refitRate());
    }
    if (upkeep.evict() != usual.evict()) {
      json.writeStringField("evict", UpdateReader.nameOf(upkeep.evict()));
    }
    if (upkeep.recentre() != usual.recentre()) {
      json.writeBooleanField("recentre", upkeep.recentre());
    }
    if (upkeep.keepBins() != usual.keepBins()) {
      json.writeBooleanField("keepBins", upkeep.keepBins());
    }
  }

  private static void anchors(JsonGenerator json, ModelSettings settings) throws IOException {
    if (!settings.anchors().isEmpty()) {
      list(json, "anchors", settings.anchors());
    }
    if (settings.booster().anchoring().design() instanceof AnchorDesign.Continuous continuous
        && !continuous.centred()) {
      json.writeBooleanField("anchorIntercept", false);
    }
    if (settings.booster().anchoring().splits()) {
      json.writeBooleanField("anchorSplits", true);
    }
  }

  private static void penaltiesAndShape(JsonGenerator json, BoosterSettings booster)
      throws IOException {
    if (booster.penalties().lambda1() != 0) {
      number(json, "lambda1", booster.penalties().lambda1());
    }
    if (booster.penalties().leafPrice() != 0) {
      number(json, "leafPrice", booster.penalties().leafPrice());
    }
    if (!booster.sampling().equals(Sampling.ALL)) {
      json.writeObjectFieldStart("sampling");
      number(json, "rows", booster.sampling().rows());
      number(json, "features", booster.sampling().features());
      json.writeEndObject();
    }
    if (!booster.monotone().isEmpty()) {
      json.writeObjectFieldStart("monotone");
      for (Map.Entry<String, Integer> feature : booster.monotone().entrySet()) {
        json.writeNumberField(feature.getKey(), feature.getValue());
      }
      json.writeEndObject();
    }
    if (booster.objective().outputs() > 1 && booster.multiclass() == MulticlassTrees.PER_CLASS) {
      json.writeStringField("multiclass", "perClass");
    }
  }

  /** 7 rather than 7.0, 0.001 rather than 0.0010 or 1.0E-3. */
  private static void number(JsonGenerator json, String key, double value) throws IOException {
    json.writeFieldName(key);
    json.writeNumber(exact(value));
  }

  private static String exact(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  private static void optional(JsonGenerator json, String key, @Nullable String value)
      throws IOException {
    if (value != null) {
      json.writeStringField(key, value);
    }
  }

  private static void list(JsonGenerator json, String key, List<String> items) throws IOException {
    json.writeArrayFieldStart(key);
    for (String item : items) {
      json.writeString(item);
    }
    json.writeEndArray();
  }
}
