package io.holdfast.schemas.settings;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.holdfast.boosting.BoosterSettings;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A model's training settings as JSON, keys in a fixed order. Part of the manifest's hash. */
final class TrainingJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private TrainingJson() {}

  static String of(ModelSettings settings) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      booster(json, settings.booster());
      json.writeStringField("label", settings.label());
      optional(json, "environment", settings.environment());
      optional(json, "weight", settings.weight());
      optional(json, "time", settings.time());
      optional(json, "id", settings.id());
      json.writeObjectFieldStart("features");
      list(json, "include", settings.features().include());
      list(json, "exclude", settings.features().exclude());
      list(json, "categorical", settings.features().categorical());
      json.writeEndObject();
      json.writeObjectFieldStart("window");
      json.writeNumberField("rows", settings.window().rows());
      json.writeNumberField("environments", settings.window().environments());
      json.writeNumberField("maxRows", settings.window().maxRows());
      json.writeNumberField("memoryRows", settings.window().memoryRows());
      json.writeEndObject();
      json.writeObjectFieldStart("update");
      json.writeStringField("policy", settings.update().policy());
      json.writeNumberField("maxTrees", settings.update().maxTrees());
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string takes all that is written", e);
    }
    return text.toString();
  }

  private static void booster(JsonGenerator json, BoosterSettings booster) throws IOException {
    json.writeStringField("objective", booster.objective().name());
    for (Map.Entry<String, Double> parameter :
        new TreeMap<>(booster.objective().parameters()).entrySet()) {
      number(json, parameter.getKey(), parameter.getValue());
    }
    number(json, "gamma", booster.gamma());
    json.writeObjectFieldStart("trees");
    json.writeNumberField("rounds", booster.rounds());
    number(json, "learningRate", booster.learningRate());
    json.writeNumberField("maxLeaves", booster.trees().maxLeaves());
    json.writeNumberField("maxDepth", booster.trees().maxDepth());
    json.writeNumberField("minRows", booster.trees().minRows());
    number(json, "minHessian", booster.trees().minHessian());
    number(json, "minGain", booster.trees().minGain());
    number(json, "lambda", booster.lambda());
    json.writeNumberField("maxBins", booster.maxBins());
    json.writeEndObject();
    json.writeNumberField("seed", booster.seed());
  }

  /** 7 rather than 7.0, 0.001 rather than 0.0010 or 1.0E-3. */
  private static void number(JsonGenerator json, String key, double value) throws IOException {
    json.writeFieldName(key);
    json.writeNumber(BigDecimal.valueOf(value).stripTrailingZeros().toPlainString());
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
