package io.holdfast.scorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.ledger.ModelFileException;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files, rows and records, by the only class that other programs need. */
class ScoringModelTest {
  @TempDir Path folder;

  @Test
  void records_valuesAndBlocks_haveTheBitsOfTheCommand() throws Exception {
    ScoringModel model = ScoringModel.read(Orders.MODEL);
    Schema schema = Orders.schema();
    List<Map<String, Object>> orders = Orders.values();
    double[] predictions = Orders.predictions();
    double[] rawScores = Orders.rawScores();
    int width = model.features().size();
    double[] block = new double[orders.size() * width];

    for (int i = 0; i < orders.size(); i++) {
      GenericRecord record = Orders.record(schema, orders.get(i));
      RowScore score = model.score(record);
      assertThat(score.prediction()).isEqualTo(predictions[i]);
      assertThat(score.rawScores()).containsExactly(rawScores[i]);
      assertThat(score.probabilities()).hasSize(2).endsWith(predictions[i]);
      assertThat(model.score(orders.get(i)).rawScores()).containsExactly(rawScores[i]);
      System.arraycopy(model.row(record), 0, block, i * width, width);
    }
    double[] scores = new double[orders.size()];
    model.scorer().scores(block, orders.size(), scores);

    assertThat(orders).hasSize(200);
    assertThat(scores).isEqualTo(rawScores);
    assertThat(model.version()).isEqualTo(1);
    assertThat(model.hash()).isEqualTo(ModelFile.read(Orders.MODEL).hash().toString());
    assertThat(model.features())
        .extracting(Feature::name)
        .containsExactly("amount", "items", "country", "channel", "express");
  }

  @Test
  void model_sentAsBytes_isTheSame_andSharedByThreads() throws Exception {
    PortableModel sent = sent(PortableModel.of(Orders.MODEL));
    List<Map<String, Object>> orders = Orders.values();
    double[] predictions = Orders.predictions();
    Callable<double[]> all =
        () -> {
          double[] scores = new double[orders.size()];
          for (int i = 0; i < scores.length; i++) {
            scores[i] = sent.model().score(orders.get(i)).prediction();
          }
          return scores;
        };

    try (var threads = Executors.newFixedThreadPool(4)) {
      for (Future<double[]> scores : threads.invokeAll(List.of(all, all, all, all))) {
        assertThat(scores.get()).isEqualTo(predictions);
      }
    }
    assertThat(sent.model()).as("read once").isSameAs(sent.model());
    byte[] file = Files.readAllBytes(Orders.MODEL);
    assertThat(ScoringModel.read(new ByteArrayInputStream(file)).hash())
        .isEqualTo(sent.model().hash());
  }

  private static PortableModel sent(PortableModel model) throws Exception {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(model);
    }
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (PortableModel) in.readObject();
    }
  }

  @Test
  void fileThatIsDamaged_isOneSentence() throws IOException {
    byte[] file = Files.readAllBytes(Orders.MODEL);
    byte[] cut = Arrays.copyOf(file, file.length / 2);
    assertThatThrownBy(() -> ScoringModel.of(cut))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("the model file is no readable model file: it ends within block");
    assertThatThrownBy(() -> ScoringModel.of(new byte[0])).isInstanceOf(ModelFileException.class);
    file[file.length - 40] ^= 1;
    assertThatThrownBy(() -> ScoringModel.of(file)).isInstanceOf(ModelFileException.class);
    assertThatThrownBy(() -> ScoringModel.read(folder.resolve("none")))
        .hasMessageContaining("there is no model file");
  }

  @Test
  void values_ofEveryType_areWhatRecordsHave() throws Exception {
    UUID id = UUID.fromString("0b2f5c8e-58a1-4d5e-9d6b-3f1f0a3b9c11");
    ScoringModel model =
        model(
            new Feature.Numeric("x"),
            new Feature.Categorical("kind", List.of("1", "true", "1.5", "0.1", id.toString())),
            new Feature.Numeric("at"),
            new Feature.Numeric("weekday(at)"),
            new Feature.Numeric("hour(at)"),
            new Feature.Numeric("Gr_x00F6__x00DF_e"),
            new Feature.Numeric("deep.er"));
    Instant at = Instant.parse("2024-03-05T23:59:59.123456Z");

    assertThat(model.row(Map.of("x", 3, "kind", 1L, "at", at, "Größe", true, "deep.er", 2.5f)))
        .containsExactly(3, 0, 1709683199123.456, 2, 23, 1, 2.5);
    assertThat(model.row(Map.of("x", new BigDecimal("0.1"), "kind", true)))
        .startsWith(0.1, 1, Double.NaN);
    assertThat(model.row(Map.of("kind", 0.1f, "x", (short) 2))).startsWith(2, 3);
    assertThat(model.row(Map.of("kind", new BigDecimal("1.50")))).startsWith(Double.NaN, 2);
    assertThat(model.row(Map.of("kind", id, "at", LocalDate.of(2024, 3, 5))))
        .startsWith(Double.NaN, 4, 1709596800000.0, 2, 0);
    assertThat(model.row(Map.of("kind", " 1.0 ", "at", LocalDateTime.of(2024, 3, 5, 7, 0))))
        .startsWith(Double.NaN, 0, 1709622000000.0, 2, 7);
    assertThat(model.row(Map.of("kind", "unseen", "other", "passed over")))
        .containsOnly(Double.NaN);

    assertThatThrownBy(() -> model.row(Map.of("x", "3")))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining("the value of x is a String, and must be a number");
    assertThatThrownBy(() -> model.row(Map.of("kind", at)))
        .hasMessageContaining("the value of kind is a Instant, and must be a text");
    assertThatThrownBy(() -> model.row(Map.of("at", 5)))
        .hasMessageContaining("the value of at is a Integer, and must be an Instant");
  }

  @Test
  void records_thatLackFeatures_areToldOf_andBadOnesAreOneSentence() throws Exception {
    ScoringModel model = model(new Feature.Numeric("x"), new Feature.Numeric("y"));
    Schema schema = SchemaBuilder.record("R").fields().requiredDouble("x").endRecord();
    Schema text = SchemaBuilder.record("T").fields().requiredString("x").endRecord();
    GenericRecord record = new GenericData.Record(schema);

    assertThat(model.absent(schema)).containsExactly("y");
    assertThatThrownBy(() -> model.score(record))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining("the record does not fit its own schema R");
    assertThatThrownBy(() -> model.absent(text)).hasMessageContaining("field x is string");
    assertThatThrownBy(() -> model.score(schema, new byte[3], 0))
        .isInstanceOf(MalformedRecordException.class);
  }

  @Test
  void classes_haveAProbabilityEach() throws Exception {
    Path file = folder.resolve("classes.hf");
    Base base = Base.constant(1, 2, 3);
    Model three = new Model(new Softmax(3), List.of(new Feature.Numeric("x")), base, List.of());
    ModelFile.save(file, "m", three, 1, 1, Instant.EPOCH);

    RowScore score = ScoringModel.read(file).score(Map.of("x", 1));

    assertThat(score.prediction()).isEqualTo(2);
    assertThat(score.rawScores()).containsExactly(1, 2, 3);
    assertThat(score.probabilities()).hasSize(3).isSorted();
    assertThat(score.label()).isNull();
  }

  @Test
  void likeliestClass_hasItsName() throws Exception {
    Map<String, String> keys =
        Map.of("objective", "softmax", "classes", "cold,mild,hot", "label", "weather");
    Model three =
        new Model(
            new Softmax(3), List.of(new Feature.Numeric("x")), Base.constant(1, 4, 3), List.of());
    String settings = ModelSettings.of("m", keys, key -> key).trainingJson();
    LedgerCodec.Draft draft = LedgerCodec.Draft.first("m", three, 1, 1, settings, "test");
    ScoringModel model = ScoringModel.of(LedgerCodec.encode(draft).version());

    assertThat(model.classes()).containsExactly("cold", "mild", "hot");
    assertThat(model.score(new double[] {0}).label()).isEqualTo("mild");
  }

  private ScoringModel model(Feature... features) throws Exception {
    Path file = folder.resolve("model.hf");
    Model model = new Model(new Squared(), List.of(features), 1, List.of());
    ModelFile.save(file, "m", model, 1, 1, Instant.EPOCH);
    return ScoringModel.read(file);
  }
}
