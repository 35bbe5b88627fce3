package io.holdfast.service.score;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.Bikes;
import io.holdfast.service.BikesLedger;
import io.holdfast.service.TopologyRun;
import io.holdfast.service.model.FeatureWatch;
import io.holdfast.service.model.ServedModels;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records whose schema lacks a feature of the model, or whose categories it has never seen. */
class ChangedRecordsTest {
  private static final Instant NOW = Instant.ofEpochSecond(5_000);

  private static final long BEYOND = (1L << 53) + 1;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Troubles troubles = new Troubles(InstantSource.fixed(NOW));

  /** How the temperature, which the model reads, may be called. */
  @ParameterizedTest
  @CsvSource({
    "temperature, '', 2.5, 0", // as in training
    "degrees, temperature, 2.5, 0", // an alias resolves
    "degrees, '', -0.5, 1", // renamed
    "'', '', -0.5, 1", // removed
  })
  void absentFeature_isCountedAndNamed(String field, String alias, double prediction, int absent)
      throws Exception {
    Schema schema = schema(field, alias);
    try (Stream stream = stream(Bikes.settings(), schema)) {
      stream.send(record(schema, 25.0, "SUMMER"));
      assertThat(stream.predictions()).containsExactly(prediction);
      assertThat(counted(FeatureWatch.ABSENT, "temperature")).isEqualTo(absent);
      assertThat(stream.troubles())
          .extracting(Trouble::kind)
          .containsExactlyElementsOf(absent == 0 ? List.of() : List.of(TroubleKind.FEATURE_ABSENT));
      if (absent > 0) {
        assertThat(stream.troubles().getFirst().sentence())
            .contains("are scored as if they had no value there: temperature (1 records)")
            .contains("as aliases");
      }
    }
  }

  @Test
  void absentFeature_thatConfigurationRefuses_isADeadLetterThatNamesIt() {
    Schema without = schema("", "");
    try (Stream stream = stream(Bikes.settings("features.absent", "refuse"), without)) {
      stream.send(record(without, 25.0, "SUMMER"));
      stream.send(record(without, 25.0, "SUMMER"));
      assertThat(stream.run.all("bikes.scores")).isEmpty();
      assertThat(stream.run.all("bikes.dead-letters"))
          .hasSize(2)
          .allSatisfy(
              letter -> {
                assertThat(TopologyRun.header(letter, DeadLetterMessage.REASON))
                    .isEqualTo("INCOMPATIBLE_SCHEMA");
                assertThat(TopologyRun.header(letter, DeadLetterMessage.MESSAGE))
                    .contains("lacks what the model reads (temperature)")
                    .contains("features.absent is refuse");
              });
      assertThat(stream.troubles().getFirst().sentence())
          .contains("are dead letters: temperature (2 records)");
      assertThat(counted(FeatureWatch.ABSENT, "temperature")).isEqualTo(2);
    }
  }

  @Test
  void absence_isOverAfterAHundredRecordsWithoutIt_andCountsAnew() {
    Schema without = schema("", "");
    Schema with = schema("temperature", "");
    try (Stream stream = stream(Bikes.settings(), without, with)) {
      stream.send(record(without, 25.0, "SUMMER"));
      assertThat(stream.troubles()).hasSize(1);
      for (int i = 0; i < 99; i++) {
        stream.send(record(with, 25.0, "SUMMER"));
      }
      assertThat(stream.troubles()).hasSize(1);
      stream.send(record(with, 25.0, "SUMMER"));
      assertThat(stream.troubles()).isEmpty();
      stream.send(record(without, 25.0, "SUMMER"));
      assertThat(stream.troubles().getFirst().sentence()).contains("temperature (1 records)");
      assertThat(counted(FeatureWatch.ABSENT, "temperature")).isEqualTo(2);
    }
  }

  @Test
  void missingValues_areCountedByFeature_apartFromUnseenOnes() {
    Schema with = schema("temperature", "");
    Schema without = schema("", "");
    try (Stream stream = stream(Bikes.settings(), with, without)) {
      stream.send(record(with, 25.0, "SUMMER"));
      stream.send(record(with, Double.NaN, "SUMMER"));
      stream.send(record(without, 25.0, "Winter"));
      assertThat(counted(FeatureWatch.MISSING, "temperature")).isEqualTo(2);
      assertThat(counted(FeatureWatch.MISSING, "season")).isZero();
      assertThat(counted(FeatureWatch.UNSEEN, "season")).isEqualTo(1);
    }
  }

  @Test
  void counters_areThereAtZeroOnceAVersionServes() {
    ModelSettings settings = Bikes.settings();
    try (Stream stream = stream(settings, schema("temperature", ""))) {
      for (String counter : List.of(FeatureWatch.MISSING, FeatureWatch.ABSENT)) {
        assertThat(meters.get(counter).tag("feature", "temperature").counter().count()).isZero();
        assertThat(meters.get(counter).tag("feature", "season").counter().count()).isZero();
      }
      assertThat(meters.get(FeatureWatch.ROUNDED).tag("feature", "temperature").counters())
          .hasSize(1);
      assertThat(meters.get(FeatureWatch.UNSEEN).tag("feature", "season").counters()).hasSize(1);
      assertThat(stream.troubles()).isEmpty();
    }
  }

  @Test
  void unseenCategories_areCountedByFeature_andATroubleWhereMostAre() {
    Schema schema = schema("temperature", "");
    try (Stream stream = stream(Bikes.settings(), schema)) {
      for (int i = 0; i < 20; i++) {
        stream.send(record(schema, 25.0, i < 10 ? "SUMMER" : "Winter"));
      }
      assertThat(counted(FeatureWatch.UNSEEN, "season")).isEqualTo(10);
      assertThat(stream.troubles()).as("half of them").isEmpty();
      for (int i = 0; i < 20; i++) {
        stream.send(record(schema, 25.0, i < 9 ? "SUMMER" : "Winter"));
      }
      assertThat(counted(FeatureWatch.UNSEEN, "season")).isEqualTo(21);
      Trouble trouble = stream.troubles().getFirst();
      assertThat(trouble.kind()).isEqualTo(TroubleKind.UNSEEN_CATEGORIES);
      assertThat(trouble.since()).isEqualTo(NOW);
      assertThat(trouble.sentence())
          .contains("most values of season (11 of the newest 20 values, such as Winter)");
      for (int i = 0; i < 20; i++) {
        stream.send(record(schema, 25.0, "SPRING"));
      }
      assertThat(stream.troubles()).isEmpty();
    }
  }

  @Test
  void numbersBeyondTwoToTheFiftyThird_areCountedByFeature_andATroubleWhereMostAre() {
    Schema schema = schema("temperature", "", "long");
    try (Stream stream = stream(Bikes.settings(), schema)) {
      for (int i = 0; i < 20; i++) {
        stream.send(record(schema, i < 10 ? 25L : -BEYOND, "SUMMER"));
      }
      assertThat(counted(FeatureWatch.ROUNDED, "temperature")).isEqualTo(10);
      assertThat(stream.troubles()).as("half of them").isEmpty();
      for (int i = 0; i < 20; i++) {
        stream.send(record(schema, i < 9 ? BEYOND - 1 : BEYOND, "SUMMER"));
      }
      assertThat(counted(FeatureWatch.ROUNDED, "temperature")).isEqualTo(21);
      Trouble trouble = stream.troubles().getFirst();
      assertThat(trouble.kind()).isEqualTo(TroubleKind.NUMBERS_ROUNDED);
      assertThat(trouble.sentence())
          .contains(
              "most records have a number beyond 2^53 in temperature (11 of the newest 20 records,"
                  + " such as 9007199254740992), which is rounded")
          .contains("features.categorical", "features.exclude");
      for (int i = 0; i < 20; i++) {
        stream.send(record(schema, 25L, "SUMMER"));
      }
      assertThat(stream.troubles()).isEmpty();
    }
  }

  /** The cells of the table in docs/values.md, for the stream. */
  @ParameterizedTest
  @CsvSource({"NaN, -0.5", "25, 2.5", "Infinity, 2.5", "9007199254740993, 2.5"})
  void valueOfARecord_isScoredAsTheTableSays(double temperature, double prediction)
      throws Exception {
    Schema schema = schema("temperature", "");
    try (Stream stream = stream(Bikes.settings(), schema)) {
      stream.send(record(schema, temperature, "SUMMER"));
      assertThat(stream.predictions()).containsExactly(prediction);
      assertThat(stream.troubles()).isEmpty();
      byte[] whole = record(schema, temperature, "SUMMER");
      stream.send(Arrays.copyOf(whole, whole.length - 3));
      assertThat(stream.predictions()).as("a record that is cut off").isEmpty();
      assertThat(stream.run.all("bikes.dead-letters")).hasSize(1);
    }
  }

  /** However a category that training had is written, it is none that was never seen. */
  @ParameterizedTest
  @ValueSource(strings = {"SUMMER", " SUMMER ", "SUMMER\u00A0"})
  void category_writtenOtherwise_isSeen(String season) {
    Schema schema = schema("temperature", "");
    try (Stream stream = stream(Bikes.settings(), schema)) {
      stream.send(record(schema, 25.0, season));
      assertThat(counted(FeatureWatch.UNSEEN, "season")).isZero();
    }
  }

  @Test
  void blocksOfRecords_countRoundedNumbers() {
    Schema schema = schema("temperature", "", "long");
    ModelSettings settings = Bikes.settings();
    ServedModels models = served(settings, Optional.of(schema));
    SingleObjectFraming framing = new SingleObjectFraming(SchemaSource.of(List.of(schema)));
    var ahead = new ScoreAhead(List.of(settings), RecordFraming.of(framing), models, meters, null);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      byte[] value = record(schema, i % 3 == 0 ? 25L : BEYOND, "SUMMER");
      records.add(new ConsumerRecord<>("bikes.records", 0, i, "k".getBytes(UTF_8), value));
    }
    TopicPartition partition = new TopicPartition("bikes.records", 0);
    ahead.score(new ConsumerRecords<>(Map.of(partition, records), Map.of()));
    assertThat(counted(FeatureWatch.ROUNDED, "temperature")).isEqualTo(20);
    models.judge(troubles);
    assertThat(troubles.of("bikes").getFirst().sentence())
        .contains("temperature (20 of the newest 30 records, such as 9007199254740992)");
  }

  /** What a poll brings is decoded in blocks, and counts the same. */
  @Test
  void blocksOfRecords_countAsSingleOnesDo() throws Exception {
    Schema without = schema("", "");
    Schema with = schema("temperature", "");
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      values.add(record(i % 3 == 0 ? without : with, 25.0, i % 2 == 0 ? "SUMMER" : "Winter"));
    }
    ModelSettings settings = Bikes.settings();
    ServedModels models = served(settings, Optional.of(with));
    SingleObjectFraming framing = new SingleObjectFraming(SchemaSource.of(List.of(with, without)));
    var ahead = new ScoreAhead(List.of(settings), RecordFraming.of(framing), models, meters, null);
    TopicPartition partition = new TopicPartition("bikes.records", 0);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      records.add(new ConsumerRecord<>("bikes.records", 0, i, "k".getBytes(UTF_8), values.get(i)));
    }
    ahead.score(new ConsumerRecords<>(Map.of(partition, records), Map.of()));
    assertThat(counted(FeatureWatch.ABSENT, "temperature")).isEqualTo(20);
    assertThat(counted(FeatureWatch.UNSEEN, "season")).isEqualTo(30);
    models.judge(troubles);
    assertThat(troubles.of("bikes").getFirst().sentence()).contains("temperature (20 records)");
  }

  private double counted(String name, String feature) {
    Counter counter = meters.find(name).tag("model", "bikes").tag("feature", feature).counter();
    return counter == null ? 0 : counter.count();
  }

  private ServedModels served(ModelSettings settings, Optional<Schema> latest) {
    var models =
        new ServedModels(
            List.of(settings),
            topic -> latest.stream().toList(),
            _ -> List.of(),
            meters,
            InstantSource.fixed(NOW));
    var ledger = new BikesLedger(models, settings);
    ledger.head(ledger.publish(0, null, -1, 2), HeadReason.INITIAL);
    return models;
  }

  /** A stream of records whose newest schema is the first of those. */
  private Stream stream(ModelSettings settings, Schema... schemas) {
    ServedModels models = served(settings, Optional.of(schemas[0]));
    return new Stream(
        models,
        new TopologyRun(
            ScoringTopology.of(
                List.of(settings),
                RecordFraming.of(new SingleObjectFraming(SchemaSource.of(List.of(schemas)))),
                WrittenFramings.SINGLE,
                models,
                meters,
                TopologyRun.troubles(),
                null)));
  }

  private final class Stream implements AutoCloseable {
    private final ServedModels models;
    private final TopologyRun run;

    Stream(ServedModels models, TopologyRun run) {
      this.models = models;
      this.run = run;
    }

    void send(byte[] value) {
      run.input("bikes.records").pipeInput("k".getBytes(UTF_8), value);
    }

    List<Double> predictions() throws Exception {
      List<Double> predictions = new ArrayList<>();
      for (var record : run.all("bikes.scores")) {
        predictions.add(Contracts.SCORE.decode(record.value()).getPrediction());
      }
      return predictions;
    }

    List<Trouble> troubles() {
      models.judge(troubles);
      return troubles.of("bikes");
    }

    @Override
    public void close() {
      run.close();
    }
  }

  /** A ride's schema; the temperature is a field of that name, and has been one of the other. */
  private static Schema schema(String field, String alias) {
    return schema(field, alias, "double");
  }

  private static Schema schema(String field, String alias, String type) {
    String temperature =
        String.format(
            Locale.ROOT,
            "{\"name\": \"%s\", \"type\": \"%s\", \"aliases\": [%s]},",
            field,
            type,
            alias.isEmpty() ? "" : '"' + alias + '"');
    return SchemaFile.parse(
        String.format(
            Locale.ROOT,
            """
            {"type": "record", "name": "Ride", "namespace": "test", "fields": [
              %s
              {"name": "weather", "type": {"type": "record", "name": "Weather", "fields": [
                {"name": "wind", "type": "int"}]}},
              {"name": "season", "type": "string"},
              {"name": "count", "type": ["null", "double"]}]}
            """,
            field.isEmpty() ? "" : temperature));
  }

  private static byte[] record(Schema schema, Object temperature, String season) {
    GenericRecord weather = new GenericData.Record(schema.getField("weather").schema());
    weather.put("wind", 3);
    GenericRecord record = new GenericData.Record(schema);
    record.put("weather", weather);
    record.put("season", season);
    for (String name : List.of("temperature", "degrees")) {
      if (schema.getField(name) != null) {
        record.put(name, temperature);
      }
    }
    return new RecordEncoder(schema).encode(record);
  }
}
