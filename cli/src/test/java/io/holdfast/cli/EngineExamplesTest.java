package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.scorer.ScoringModel;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.score.RecordScorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scores that the examples for other engines are compared with are the command's. */
class EngineExamplesTest {
  private static final Path DATA = Path.of("../examples/data");

  @Test
  void scores_areWhatTheCommandWrites() throws Exception {
    CliRun run = CliRun.of("score", DATA + "/orders.csv", "--model=" + DATA + "/orders.hf");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(Files.readString(DATA.resolve("scores.csv")));
  }

  @Test
  void records_scoredByTheServiceAndElsewhere_haveTheSameBits() throws Exception {
    Schema schema = SchemaFile.parse(Files.readString(DATA.resolve("order.avsc")));
    var service = new ActiveModel(ModelFile.read(DATA.resolve("orders.hf")));
    ScoringModel elsewhere = ScoringModel.read(DATA.resolve("orders.hf"));
    var scorer = new RecordScorer();
    List<String> scores = Files.readAllLines(DATA.resolve("scores.csv"));
    List<String> orders = Files.readAllLines(DATA.resolve("orders.csv"));
    for (int i = 1; i < orders.size(); i++) {
      byte[] body = body(schema, orders.get(i).split(",", -1));

      double raw = scorer.score(service, schema, body, 0)[0];

      assertThat(scores.get(i)).endsWith("," + raw);
      assertThat(elsewhere.score(schema, body, 0).rawScores()).containsExactly(raw);
    }
    assertThat(elsewhere.hash()).isEqualTo(service.version().hash().toString());
  }

  /** Pages show what the examples hold, but for their own layout. */
  @ParameterizedTest
  @ValueSource(strings = {"score-inside-your-engine", "score-history-with-spark"})
  void pages_showTheCodeOfTheExamples(String page) throws IOException {
    StringBuilder code = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("../examples"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
        code.append(Files.readString(file));
      }
    }
    List<String> blocks =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("../docs/how-to/" + page + ".md")))
            .results()
            .map(block -> plain(block.group(1)))
            .toList();
    assertThat(blocks)
        .isNotEmpty()
        .allSatisfy(block -> assertThat(plain(code.toString())).contains(block));
  }

  private static String plain(String code) {
    return code.replaceAll("//.*", "").replaceAll("\\s+", "");
  }

  private static byte[] body(Schema schema, String[] cells) {
    GenericRecord order = new GenericData.Record(schema);
    order.put("order", Long.parseLong(cells[0]));
    order.put("amount", cells[1].isEmpty() ? null : Double.parseDouble(cells[1]));
    order.put("items", cells[2].isEmpty() ? null : Integer.parseInt(cells[2]));
    order.put("country", cells[3].isEmpty() ? null : cells[3]);
    order.put("channel", cells[4].isEmpty() ? null : cells[4]);
    order.put("express", cells[5].isEmpty() ? null : Boolean.parseBoolean(cells[5]));
    var writer = new GenericDatumWriter<GenericRecord>(schema);
    return ContractCodec.body(out -> writer.write(order, out));
  }
}
