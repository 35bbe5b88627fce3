package io.holdfast.cli.registry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.framing.ContractFraming;
import io.holdfast.schemas.wire.Contracts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of the page on reading scores; {@link StrangersIT} runs the one for Node. */
class ReadScoresPageTest {
  private static final int SCORES = 200;
  private static final Path PAGE = Path.of("../docs/how-to/read-scores.md");

  @Test
  void node_ofThePage_isTheOneThatIsTested() throws IOException {
    try (var in = Objects.requireNonNull(getClass().getResourceAsStream("scores.js"))) {
      assertThat(code("js")).isEqualTo(new String(in.readAllBytes(), UTF_8));
    }
  }

  @Test
  void python_ofThePage_readsWhatIsInScores(@TempDir Path folder) throws Exception {
    assumeTrue(python("pass"), "python3 is not there");
    assertThat(code("python"))
        .contains(HexFormat.of().formatHex(encoded(score(new SplittableRandom(5), 0)), 0, 10));

    assertReads(folder, code("python"));
  }

  @Test
  void fastavro_asThePageCallsIt_readsWhatIsInScores(@TempDir Path folder) throws Exception {
    assumeTrue(python("import fastavro"), "fastavro is not there: pip install fastavro");
    Matcher call = Pattern.compile("`(fastavro\\.[^`]+)`").matcher(Files.readString(PAGE));
    assertThat(call.find()).isTrue();
    Path schema =
        Files.writeString(folder.resolve("score.avsc"), Contracts.SCORE.before().toString());

    assertReads(
        folder,
        "import fastavro, io, json\n\nschema = json.load(open('"
            + schema
            + "'))\n\n\ndef score(data):\n    return "
            + call.group(1));
  }

  /** Fails unless Python reads scores by its function {@code score} as they were written. */
  private static void assertReads(Path folder, String code) throws Exception {
    var random = new SplittableRandom(5);
    List<Score> scores = new ArrayList<>();
    for (int i = 0; i < SCORES; i++) {
      scores.add(score(random, i));
    }
    Path script =
        Files.writeString(
            folder.resolve("scores.py"),
            code
                + "\n\nimport json, sys\nfor line in sys.stdin:\n"
                + "    print(json.dumps(score(bytes.fromhex(line)), default=bytes.hex))\n");
    Path input = folder.resolve("scores.txt");
    Files.write(
        input, scores.stream().map(score -> HexFormat.of().formatHex(encoded(score))).toList());
    Process python =
        new ProcessBuilder("python3", script.toString())
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .start();
    List<String> lines = python.inputReader(UTF_8).lines().toList();

    assertThat(python.waitFor()).as(String.join("\n", lines)).isZero();
    assertThat(lines).hasSize(SCORES);
    var json = new ObjectMapper();
    for (int i = 0; i < SCORES; i++) {
      JsonNode read = json.readTree(lines.get(i));
      Score score = scores.get(i);
      assertThat(read.size()).isEqualTo(Contracts.SCORE.before().getFields().size());
      assertThat(read.get("model").asText()).isEqualTo(score.getModel());
      assertThat(read.get("version").asLong()).isEqualTo(score.getVersion());
      assertThat(read.get("modelHash").asText())
          .isEqualTo(HexFormat.of().formatHex(score.getModelHash().bytes()));
      assertThat(read.get("prediction").asDouble()).isEqualTo(score.getPrediction());
      assertThat(doubles(read.get("probabilities"))).isEqualTo(score.getProbabilities());
      assertThat(doubles(read.get("rawScores"))).isEqualTo(score.getRawScores());
      assertThat(read.get("sourceTopic").asText()).isEqualTo(score.getSourceTopic());
      assertThat(read.get("sourcePartition").asInt()).isEqualTo(score.getSourcePartition());
      assertThat(read.get("sourceOffset").asLong()).isEqualTo(score.getSourceOffset());
      assertThat(read.get("id").textValue()).isEqualTo(score.getId());
      assertThat(read.get("label").textValue()).isEqualTo(score.getLabel());
    }
  }

  /** As a model without the setting {@code uncertainty} has it written. */
  private static byte[] encoded(Score score) {
    byte[] body = Contracts.SCORE.encodeBody(score);
    return ContractFraming.single(Contracts.SCORE.before())
        .frame(Arrays.copyOf(body, body.length - 1)); // null, the last field's
  }

  private static Score score(SplittableRandom random, int number) {
    byte[] hash = new byte[32];
    random.nextBytes(hash);
    return Score.newBuilder()
        .setModel("räder")
        .setVersion(random.nextLong())
        .setModelHash(new Sha256Digest(hash))
        .setPrediction(random.nextGaussian())
        .setProbabilities(random.doubles(number % 5).boxed().toList())
        .setRawScores(random.doubles(1 + number % 300, -1e300, 1e300).boxed().toList())
        .setSourceTopic("rides.records")
        .setSourcePartition(number)
        .setSourceOffset(random.nextLong() >>> number % 64)
        .setId(number % 3 == 0 ? null : "ключ" + number)
        .setLabel(number % 2 == 0 ? null : "x".repeat(number))
        .build();
  }

  private static List<Double> doubles(JsonNode values) {
    return values.valueStream().map(JsonNode::asDouble).toList();
  }

  private static String code(String language) throws IOException {
    Matcher block =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  private static boolean python(String code) throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "-c", code).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
