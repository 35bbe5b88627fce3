package io.holdfast.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.service.ValueRows.Refused;
import io.holdfast.cli.service.ValueRows.Row;
import io.holdfast.cli.service.ValueRows.Same;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.service.Service;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of docs/values.md: one model, and every kind of value in a CSV file, an Avro file, a
 * record of a stream and a request, with one outcome in all four, or the one that the page gives.
 */
class ValuesTableIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String MODEL = "values";

  /** What came of a row in one place: a prediction or none, and what was said. */
  private record Outcome(@Nullable Double prediction, String said) {}

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path model;

  @SuppressWarnings("NullAway.Init")
  private ServedTopics at;

  @SuppressWarnings("NullAway.Init")
  private Service service;

  private final Map<String, Outcome> streamed = new HashMap<>();

  @Test
  @SuppressWarnings("try") // the broker is closed while the service runs
  void everyKindOfValue_hasOneOutcomeInAllFour() throws Exception {
    fit();
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
        ServedTopics topics =
            new ServedTopics(
                folder,
                broker.bootstrapServers(),
                "table",
                "",
                "values: { objective: squared, label: y,"
                    + " features: { categorical: [shop, flag, id] } }\n")) {
      at = topics;
      TopicCheck.create(at.settings(), 1);
      for (Schema schema :
          List.of(ValueRows.TEXT_X, ValueRows.WITHOUT_X, ValueRows.ROW)) { // the newest is the last
        at.register(MODEL + ".records", schema);
      }
      CliRun imported =
          CliRun.of("models", "import", MODEL, "--file=" + model, "--config=" + at.config());
      assertThat(imported.exitCode()).as(imported.err()).isZero();
      try (Service running = Service.start(at.settings())) {
        service = running;
        stream();
        SoftAssertions all = new SoftAssertions();
        for (Same same : ValueRows.sames()) {
          check(all, same);
        }
        for (Refused refused : ValueRows.refusals()) {
          check(all, refused);
        }
        checkWhereTheyDiffer(all);
        all.assertAll();
      }
    }
  }

  private void check(SoftAssertions all, Same same) throws Exception {
    Outcome as = avro(same.as());
    assertThat(as.prediction()).as(same.name() + ": " + as.said()).isNotNull();
    Outcome csv = csv(same.row());
    Outcome avro = avro(same.row());
    Outcome json = rest(same.row());
    for (var place :
        Map.of("CSV", csv, "Avro", avro, "stream", streamed(same.name()), "REST", json)
            .entrySet()) {
      all.assertThat(place.getValue().prediction())
          .as("%s, %s: %s", same.name(), place.getKey(), place.getValue().said())
          .isEqualTo(as.prediction());
    }
    said(all, same.name() + ", CSV", csv.said(), same.said().csv());
    said(all, same.name() + ", Avro", avro.said(), same.said().avro());
    all.assertThat(json.said()).as("%s, REST", same.name()).isEqualTo(same.said().json());
  }

  private static void said(SoftAssertions all, String name, String said, String expected) {
    if (expected.isEmpty()) {
      all.assertThat(said).as(name).isEmpty();
    } else {
      all.assertThat(said).as(name).contains(expected);
    }
  }

  private void check(SoftAssertions all, Refused refused) throws Exception {
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    Map<String, String> expected = new LinkedHashMap<>();
    if (refused.csv() != null) {
      outcomes.put("CSV", csv(refused.row()));
      expected.put("CSV", refused.csv());
    }
    if (refused.avro() != null) {
      outcomes.put("Avro", avro(refused.row()));
      expected.put("Avro", refused.avro());
    }
    if (refused.stream() != null) {
      outcomes.put("stream", streamed(refused.name()));
      expected.put("stream", refused.stream());
    }
    if (refused.json() != null) {
      outcomes.put("REST", rest(refused.row()));
      expected.put("REST", refused.json());
    }
    outcomes.forEach(
        (place, outcome) -> {
          all.assertThat(outcome.prediction()).as("%s, %s", refused.name(), place).isNull();
          all.assertThat(outcome.said())
              .as("%s, %s", refused.name(), place)
              .contains(expected.getOrDefault(place, ""));
        });
  }

  /** Where the page says that one place differs from the others, and that values count at all. */
  private void checkWhereTheyDiffer(SoftAssertions all) throws Exception {
    Outcome usual = avro(Row.USUAL);
    for (String field : List.of("shop", "flag", "id", "x", "open", "n", "at", "price")) {
      all.assertThat(avro(Row.of(field, "", null, null)).prediction())
          .as("a model that reads " + field)
          .isNotEqualTo(usual.prediction());
    }
    Outcome infinite = avro(Row.of("x", null, Double.POSITIVE_INFINITY, null));
    all.assertThat(csv(Row.of("x", "inf", null, null))).isEqualTo(infinite);
    all.assertThat(streamed("infinity").prediction()).isEqualTo(infinite.prediction());

    Outcome noX = avro(Row.of("x", "", null, null));
    all.assertThat(streamed("absent").prediction()).as("absent").isEqualTo(noX.prediction());
    all.assertThat(rest(Row.of("x", null, null, Row.class)).prediction())
        .as("left out of a request")
        .isEqualTo(noX.prediction());
    all.assertThat(avro(Row.of("id", null, ValueRows.EVEN + 1, null)).prediction())
        .as("neighbours beyond 2^53 as categories")
        .isNotEqualTo(avro(Row.of("id", null, ValueRows.EVEN, null)).prediction());
    String metrics = get("/prometheus");
    all.assertThat(metrics)
        .contains("holdfast_category_unseen_total{feature=\"shop\",model=\"values\"} 1.0")
        .contains("holdfast_feature_absent_total{feature=\"x\",model=\"values\"} 1.0")
        .contains("holdfast_number_rounded_total{feature=\"n\",model=\"values\"} 1.0");
  }

  /** Each feature changes the label, as a value and as a missing one. */
  private void fit() throws IOException {
    var random = new SplittableRandom(3);
    List<String> lines = new ArrayList<>(List.of("shop,flag,id,x,open,n,at,price,y"));
    for (int row = 0; row < 3_000; row++) {
      int shop = random.nextInt(1, 5);
      boolean flag = random.nextBoolean();
      long id = ValueRows.EVEN + random.nextInt(3);
      int x = random.nextInt(100);
      boolean open = random.nextBoolean();
      int n = random.nextInt(100);
      long time = ValueRows.MILLIS + (random.nextInt(200) - 100) * 86_400_000L;
      int cents = random.nextInt(3_000);
      List<String> cells =
          new ArrayList<>(
              List.of(
                  "" + shop,
                  "" + flag,
                  "" + id,
                  "" + x,
                  "" + open,
                  "" + n,
                  Instant.ofEpochMilli(time).toString(),
                  BigDecimal.valueOf(cents, 2).toPlainString()));
      double[] parts = {
        10 * (shop % 3),
        flag ? 20 : 0,
        30 * (id - ValueRows.EVEN),
        x,
        open ? 40 : 0,
        n,
        time > ValueRows.MILLIS ? 50 : 0,
        cents / 30.0
      };
      int gap = random.nextInt(24);
      if (gap < parts.length) {
        cells.set(gap, "");
        parts[gap] = -200;
      }
      double y = 0;
      for (double part : parts) {
        y += part;
      }
      lines.add(String.join(",", cells) + "," + y);
    }
    model = folder.resolve("m.hf");
    Path data = Files.write(folder.resolve("train.csv"), lines);
    CliRun run =
        CliRun.of(
            "fit",
            "--data=" + data,
            "--label=y",
            "--categorical=shop,flag,id",
            "--objective=squared",
            "--rounds=100",
            "--out=" + model);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  /** Sends all rows that a stream can have, and reads what came of each. */
  private void stream() throws Exception {
    Map<String, byte[]> rows = new LinkedHashMap<>();
    ValueRows.sames().forEach(same -> rows.put(same.name(), record(same.row())));
    for (Refused refused : ValueRows.refusals()) {
      if (refused.stream() != null || refused.row().schema().equals(ValueRows.WITHOUT_X)) {
        rows.put(refused.name(), record(refused.row()));
      }
    }
    rows.put("infinity", record(Row.of("x", null, Double.POSITIVE_INFINITY, null)));
    rows.forEach((name, bytes) -> at.send(MODEL + ".records", name, bytes));
    at.flush();
    long refused = ValueRows.refusals().stream().filter(one -> one.stream() != null).count();
    var codec = Contracts.SCORE;
    for (var score :
        CommittedRecords.of(
            at.bootstrapServers(), MODEL + ".scores", (int) (rows.size() - refused))) {
      double prediction = codec.decode(score.value()).getPrediction();
      streamed.put(score.key(), new Outcome(prediction, ""));
    }
    for (var letter :
        CommittedRecords.of(at.bootstrapServers(), MODEL + ".dead-letters", (int) refused)) {
      byte[] message = letter.headers().lastHeader(DeadLetterMessage.MESSAGE).value();
      streamed.put(letter.key(), new Outcome(null, new String(message, StandardCharsets.UTF_8)));
    }
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> get("/prometheus").contains("holdfast_category_unseen_total"));
  }

  private Outcome streamed(String name) {
    return streamed.getOrDefault(name, new Outcome(null, "neither a score nor a dead letter"));
  }

  private Outcome csv(Row row) throws IOException {
    Map<String, @Nullable Object> cells = ValueRows.cells();
    cells.put("at", ValueRows.DAY);
    cells.put("price", "12.50");
    if (row.field() != null) {
      cells.put(row.field(), row.csv());
    }
    if (row.schema().equals(ValueRows.WITHOUT_X)) {
      cells.remove("x");
    }
    return scored(
        Files.write(
            folder.resolve("rows.csv"),
            List.of(
                String.join(",", cells.keySet()),
                cells.values().stream().map(String::valueOf).collect(Collectors.joining(",")))));
  }

  private Outcome avro(Row row) throws IOException {
    Path file = folder.resolve("rows.avro");
    Schema schema = row.schema();
    try (var writer = new DataFileWriter<>(new GenericDatumWriter<GenericRecord>(schema))) {
      writer.create(schema, file.toFile());
      writer.append(generic(row));
    }
    return scored(file);
  }

  private Outcome scored(Path file) {
    CliRun run = CliRun.of("score", file.toString(), "--model=" + model);
    if (run.exitCode() != 0) {
      return new Outcome(null, run.err());
    }
    List<String> lines = run.out().lines().toList();
    String[] last = lines.getLast().split(",", -1);
    return new Outcome(Double.valueOf(last[1]), run.err());
  }

  private static byte[] record(Row row) {
    return new RecordEncoder(row.schema()).encode(generic(row));
  }

  private static GenericRecord generic(Row row) {
    GenericRecord record = new GenericData.Record(row.schema());
    ValueRows.cells()
        .forEach(
            (field, value) -> {
              if (row.schema().getField(field) != null) {
                record.put(field, field.equals(row.field()) ? row.avro() : value);
              }
            });
    return record;
  }

  /** With a class for a value the field is left out. */
  private Outcome rest(Row row) throws Exception {
    List<String> members = new ArrayList<>();
    ValueRows.cells()
        .forEach(
            (field, usual) -> {
              Object value = field.equals(row.field()) ? row.json() : usual;
              if (!(value instanceof Class<?>)) {
                members.add("\"" + field + "\": " + json(value));
              }
            });
    HttpResponse<String> answer =
        HTTP.send(
            HttpRequest.newBuilder(service.url().resolve("/api/v1/models/values/score"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{" + String.join(",", members) + "}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      return new Outcome(null, answer.body().replace("\\\"", "\""));
    }
    JsonNode prediction = new ObjectMapper().readTree(answer.body()).at("/predictions/0");
    return new Outcome(
        prediction.get("prediction").asDouble(),
        "" + prediction.get("absent") + prediction.get("unseen") + prediction.get("rounded"));
  }

  private static String json(@Nullable Object value) {
    return switch (value) {
      case String text -> '"' + text + '"';
      case ByteBuffer decimal -> ValueRows.text(decimal);
      case null, default -> String.valueOf(value);
    };
  }

  private String get(String path) throws Exception {
    return HTTP.send(
            HttpRequest.newBuilder(service.url().resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
