package io.holdfast.examples.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.scorer.RowScore;
import io.holdfast.scorer.ScoringModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.DoubleDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topology of the example gives the bits that the command gives, and takes new versions. */
class ScoredOrdersTest {
  private static final Path DATA =
      Path.of(System.getProperty("holdfast.root", "../..")).resolve("examples/data");

  @TempDir Path folder;

  @Test
  void orders_areScoredAsByTheCommand_eachByTheVersionOfTheMoment() throws Exception {
    Schema schema = new Schema.Parser().parse(Files.readString(DATA.resolve("order.avsc")));
    List<ScoringModel> serving = new ArrayList<>();
    serving.add(ScoringModel.read(DATA.resolve("orders.hf")));
    var topology = ScoredOrders.topology(serving::getLast, schema);
    List<String> expected = column("scores.csv", 1);
    try (var driver = new TopologyTestDriver(topology, new Properties())) {
      var orders =
          driver.createInputTopic("orders", new StringSerializer(), new ByteArraySerializer());
      var returns =
          driver.createOutputTopic("returns", new StringDeserializer(), new DoubleDeserializer());
      List<String> keys = column("orders.csv", 0);
      List<byte[]> bodies = bodies(schema);
      for (int i = 0; i < bodies.size(); i++) {
        orders.pipeInput(keys.get(i), bodies.get(i));
        TestRecord<String, Double> scored = returns.readRecord();
        assertThat(scored.key()).isEqualTo(keys.get(i));
        assertThat(scored.value().toString()).isEqualTo(expected.get(i));
        assertThat(scored.headers().lastHeader("model-version").value()).asString().isEqualTo("1");
      }

      serving.add(constant());
      orders.pipeInput("swapped", bodies.getFirst());
      TestRecord<String, Double> swapped = returns.readRecord();
      assertThat(swapped.value()).isEqualTo(0.5);
      assertThat(swapped.headers().lastHeader("model-version").value()).asString().isEqualTo("0");

      assertThatThrownBy(() -> orders.pipeInput("bad", new byte[] {1}))
          .isInstanceOf(StreamsException.class)
          .hasRootCauseMessage("the bytes end at 1 where 1 more are needed from 1");
    }
    assertThat(expected).hasSize(200);
  }

  @Test
  void values_areScoredByName() throws Exception {
    Path file = DATA.resolve("orders.hf");
    ScoringModel model = ScoringModel.read(file);
    RowScore score = model.score(Map.of("amount", 114.81, "items", 2, "country", "DE"));
    assertThat(score.prediction()).isBetween(0.0, 1.0);
  }

  /** A model that says 0.5 of everything. */
  private ScoringModel constant() throws Exception {
    Path file = folder.resolve("constant.hf");
    var model = new Model(new Logistic(), List.of(new Feature.Numeric("amount")), 0, List.of());
    ModelFile.save(file, "constant", model, 1, 1, Instant.EPOCH);
    return ScoringModel.read(file);
  }

  private static List<byte[]> bodies(Schema schema) throws Exception {
    var writer = new GenericDatumWriter<GenericRecord>(schema);
    List<byte[]> bodies = new ArrayList<>();
    for (String line : Files.readAllLines(DATA.resolve("orders.csv")).subList(1, 201)) {
      String[] cells = line.split(",", -1);
      GenericRecord order = new GenericData.Record(schema);
      order.put("order", Long.parseLong(cells[0]));
      order.put("amount", cells[1].isEmpty() ? null : Double.parseDouble(cells[1]));
      order.put("items", cells[2].isEmpty() ? null : Integer.parseInt(cells[2]));
      order.put("country", cells[3].isEmpty() ? null : cells[3]);
      order.put("channel", cells[4].isEmpty() ? null : cells[4]);
      order.put("express", cells[5].isEmpty() ? null : Boolean.parseBoolean(cells[5]));
      bodies.add(ContractCodec.body(out -> writer.write(order, out)));
    }
    return bodies;
  }

  private static List<String> column(String file, int column) throws Exception {
    return Files.readAllLines(DATA.resolve(file)).stream()
        .skip(1)
        .map(line -> line.split(",", -1)[column])
        .toList();
  }
}
