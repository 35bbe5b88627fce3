package io.holdfast.cli.operate;

import static io.holdfast.cli.print.Table.figure;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.print.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * How the models of a service are, the worst first, from what it said of them at two times.
 * Immutable.
 */
record TopTable(List<Row> models) {

  /**
   * A model; null where the service knows nothing of it yet.
   *
   * @param level of its state: good, warn or bad
   * @param version that serves
   * @param recordsPerSecond scored by the service between the two times
   * @param scoreLag records that wait to be scored
   * @param trainLag examples that wait to be learned from
   * @param worstEnvironment the environment that loses most; empty if it has no name
   */
  record Row(
      String model,
      String state,
      String level,
      String reason,
      @Nullable Long version,
      @Nullable Double recordsPerSecond,
      @Nullable Long scoreLag,
      @Nullable Double scoreLagSeconds,
      @Nullable Long trainLag,
      @Nullable Double loss,
      @Nullable Double constantLoss,
      @Nullable String worstEnvironment,
      @Nullable Double worstLoss) {}

  /** From {@code /api/v1/models} before and now, and {@code /api/v1/status}. */
  static TopTable of(JsonNode before, JsonNode now, JsonNode status, double seconds) {
    List<JsonNode> worstFirst = new ArrayList<>(stream(now));
    worstFirst.sort(Comparator.comparingInt(model -> model.at("/state/rank").asInt()));
    List<Row> rows = new ArrayList<>();
    for (JsonNode model : worstFirst) {
      String name = model.path("name").asText();
      JsonNode score = lag(status, name, "score");
      rows.add(
          new Row(
              name,
              model.at("/state/word").asText(),
              model.at("/state/level").asText(),
              model.at("/state/reason").asText(),
              whole(model.at("/serving/version")),
              rate(named(before, name), model, seconds),
              whole(score.path("rows")),
              number(score.path("seconds")),
              whole(lag(status, name, "train").path("rows")),
              number(model.at("/recent/all/loss")),
              number(model.at("/recent/all/constantLoss")),
              text(model.at("/recent/worst/environment")),
              number(model.at("/recent/worst/loss"))));
    }
    return new TopTable(rows);
  }

  private static List<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  private static @Nullable JsonNode named(JsonNode models, String name) {
    return stream(models).stream()
        .filter(model -> model.path("name").asText().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static JsonNode lag(JsonNode status, String model, String stage) {
    return stream(status.path("lags")).stream()
        .filter(lag -> lag.path("model").asText().equals(model))
        .filter(lag -> lag.path("stage").asText().equals(stage))
        .findFirst()
        .orElse(status.at("/none"));
  }

  /** Null after a restart of the service, which counts anew. */
  private static @Nullable Double rate(@Nullable JsonNode before, JsonNode now, double seconds) {
    if (before == null) {
      return null;
    }
    long scored = now.at("/counts/scored").asLong() - before.at("/counts/scored").asLong();
    return scored < 0 ? null : (Double) (scored / seconds);
  }

  private static @Nullable Long whole(JsonNode value) {
    return value.isNumber() ? (Long) value.asLong() : null;
  }

  private static @Nullable Double number(JsonNode value) {
    return value.isNumber() ? (Double) value.asDouble() : null;
  }

  private static @Nullable String text(JsonNode value) {
    return value.isTextual() ? value.asText() : null;
  }

  /** For people; the states of models that are not well in colour, if there is to be any. */
  String text(boolean colours) {
    Table table =
        new Table(
            "model",
            "version",
            "records/s",
            "lag",
            "lag s",
            "to learn",
            "loss",
            "constant",
            "worst environment",
            "its loss",
            "state");
    for (Row row : models) {
      table.line(
          row.model(),
          shown(row.version()),
          decimal(row.recordsPerSecond()),
          shown(row.scoreLag()),
          decimal(row.scoreLagSeconds()),
          shown(row.trainLag()),
          loss(row.loss()),
          loss(row.constantLoss()),
          row.worstEnvironment() == null
              ? "-"
              : row.worstEnvironment().isEmpty() ? "(none)" : row.worstEnvironment(),
          loss(row.worstLoss()),
          row.state());
    }
    StringBuilder text = new StringBuilder();
    List<String> lines = table.toString().lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String colour = i == 0 || !colours ? "" : colour(models.get(i - 1).level());
      text.append(colour).append(lines.get(i)).append(colour.isEmpty() ? "" : "\033[0m");
      text.append(System.lineSeparator());
    }
    for (Row row : models) {
      if (!row.level().equals("good")) {
        text.append(row.model()).append(": ").append(row.reason());
        text.append(System.lineSeparator());
      }
    }
    return text.toString();
  }

  private static String colour(String level) {
    return switch (level) {
      case "bad" -> "\033[31m";
      case "warn" -> "\033[33m";
      default -> "";
    };
  }

  private static String shown(@Nullable Object value) {
    return value == null ? "-" : value.toString();
  }

  private static String decimal(@Nullable Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%.1f", value);
  }

  private static String loss(@Nullable Double value) {
    return value == null ? "-" : figure(value);
  }
}
