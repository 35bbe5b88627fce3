package io.holdfast.cli.registry;

import static io.holdfast.cli.registry.RegistryWorld.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.Sentence;
import io.holdfast.scorer.RowScore;
import io.holdfast.scorer.ScoringModel;
import io.holdfast.service.Service;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Programs that know nothing of Holdfast write records for it and read its scores. */
class StrangersIT {
  private static final String RECORDS = "rides.records";
  private static final String SCORES = "rides.scores";
  private static final List<String> STATIONS = List.of("north", "south", "east", "elsewhere");
  private static final int RIDES = 60;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  /** The values that a score must have, by the record's key. */
  private final Map<String, RowScore> expected = new TreeMap<>();

  private @Nullable ScoringModel model;
  private boolean kcat;

  @Test
  void nodeAndKcat_writeRecordsAndReadScores(TestReporter reporter) throws Exception {
    Path node = node();
    kcat = runs("kcat", "-V");
    if (!kcat) {
      reporter.publishEntry("kcat is not installed: it reads and writes nothing");
    }
    String models =
        """
        rides:
          objective: softmax
          classes: [green, red, violet]
          label: kind
          labels: { in: topic, wait: 1h }
          topics: { framing: { recordSchema: ride.avsc, scores: confluent } }
        """;
    try (RegistryWorld world = new RegistryWorld(folder, models)) {
      importModel(world);
      try (Service _ = Service.start(world.settings())) {
        String[] at = {world.bootstrapServers(), "" + world.registry().url()};
        List<String> rides = new ArrayList<>();
        for (int i = 0; i < RIDES; i++) {
          rides.add(ride("node" + i, i));
        }
        Process writer = start(node, "node", "rides.js", at[0], at[1], RECORDS);
        tell(writer, rides);
        kcatWrites(at[0]);

        await().atMost(PATIENCE).until(() -> world.committed(SCORES).size() >= expected.size());
        nodeReads(start(node, "node", "scores.js", at[0], at[1], SCORES));
        kcatReads(at[0], world.committed(SCORES));
        assertThat(world.committed("rides.dead-letters")).isEmpty();
      }
    }
  }

  /** Fits a model whose classes have names, and publishes it. */
  private void importModel(RegistryWorld world) throws Exception {
    StringBuilder data = new StringBuilder("temperature,station,kind\n");
    for (int i = 0; i < 400; i++) {
      int station = i % 3;
      double temperature = i * 7 % 40 / 2.0;
      String kind = station == 1 ? "violet" : temperature > 11 ? "red" : "green";
      data.append(temperature + "," + STATIONS.get(station) + "," + kind + "\n");
    }
    Path csv = Files.writeString(folder.resolve("rides.csv"), data);
    Path file = folder.resolve("rides.hf");
    CliRun fit =
        CliRun.of("fit", "--data=" + csv, "--label=kind", "--objective=softmax", "--out=" + file);
    assertThat(fit.exitCode()).as(fit.err()).isZero();
    CliRun imported =
        CliRun.of("models", "import", "rides", "--file=" + file, "--config=" + world.config());
    assertThat(imported.exitCode()).as(imported.err()).isZero();
    ScoringModel read = ScoringModel.read(file);
    model = read;
    assertThat(read.classes()).containsExactly("green", "red", "violet");
  }

  /** A record as JSON, whose score is expected from now on. */
  private String ride(String key, int number) throws Exception {
    String station = STATIONS.get(number % STATIONS.size());
    double temperature = number * 3 % 50 / 2.0;
    expected.put(
        key,
        Objects.requireNonNull(model)
            .score(Map.of("station", station, "temperature", temperature)));
    return Sentence.of(
        "{\"key\": \"%s\", \"station\": \"%s\", \"temperature\": %.1f}", key, station, temperature);
  }

  /** Records in JSON, which the model's topic takes beside those of the registry. */
  private void kcatWrites(String broker) throws Exception {
    if (!kcat) {
      return;
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < RIDES; i++) {
      lines.add("kcat" + i + "|" + ride("kcat" + i, i));
    }
    tell(start(folder, "kcat", "-P", "-b", broker, "-t", RECORDS, "-K", "|"), lines);
  }

  private void nodeReads(Process reader) throws IOException {
    Map<String, JsonNode> read = new TreeMap<>();
    try (BufferedReader out = reader.inputReader(UTF_8)) {
      while (read.size() < expected.size()) {
        String line = out.readLine();
        assertThat(line).as("the reader ended after %d scores", read.size()).isNotNull();
        JsonNode score = JSON.readTree(line);
        read.put(score.get("key").asText(), score);
      }
    } finally {
      reader.destroyForcibly();
    }
    assertThat(read.keySet()).isEqualTo(expected.keySet());
    read.forEach((key, score) -> same(key, score, Objects.requireNonNull(expected.get(key))));
  }

  /** Doubles are written so that they are read to the same bits. */
  private static void same(String key, JsonNode score, RowScore expected) {
    assertThat(score.get("model").asText()).isEqualTo("rides");
    assertThat(score.get("version").asLong()).isZero();
    assertThat(score.get("sourceTopic").asText()).isEqualTo(RECORDS);
    assertThat(score.get("id").asText()).isEqualTo(key);
    assertThat(score.get("prediction").asDouble()).isEqualTo(expected.prediction());
    assertThat(score.get("label").asText()).isEqualTo(expected.label());
    assertThat(doubles(score.get("probabilities"))).containsExactly(expected.probabilities());
    assertThat(doubles(score.get("rawScores"))).containsExactly(expected.rawScores());
  }

  private static double[] doubles(JsonNode values) {
    return values.valueStream().mapToDouble(JsonNode::asDouble).toArray();
  }

  /** It sees the bytes alone: Debian's knows no Avro. */
  private void kcatReads(String broker, List<ConsumerRecord<byte[], byte[]>> scores)
      throws Exception {
    if (!kcat) {
      return;
    }
    Process reader =
        start(
            folder,
            "kcat",
            "-C",
            "-q",
            "-b",
            broker,
            "-t",
            SCORES,
            "-o",
            "beginning",
            "-e",
            "-f",
            "%k %p %o %S\\n");
    List<String> lines = reader.inputReader(UTF_8).lines().toList();
    assertThat(reader.waitFor()).isZero();
    assertThat(lines)
        .containsExactlyInAnyOrderElementsOf(
            scores.stream()
                .map(
                    score ->
                        Sentence.of(
                            "%s %d %d %d",
                            new String(score.key(), UTF_8),
                            score.partition(),
                            score.offset(),
                            score.value().length))
                .toList());
  }

  /** The programs, with what they need beside them. */
  private Path node() throws Exception {
    assumeTrue(runs("node", "--version") && runs("npm", "--version"), "Node is not installed");
    Path programs = Files.createDirectories(Path.of("target", "strangers").toAbsolutePath());
    for (String name : List.of("package.json", "rides.js", "scores.js")) {
      try (var in = Objects.requireNonNull(StrangersIT.class.getResourceAsStream(name))) {
        Files.write(programs.resolve(name), in.readAllBytes());
      }
    }
    Process npm =
        start(
            programs,
            "npm",
            "install",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--ignore-scripts",
            "--prefer-offline",
            "--fetch-retries=1");
    String said = new String(npm.getInputStream().readAllBytes(), UTF_8);
    assumeTrue(npm.waitFor() == 0, "npm cannot install what the programs need: " + said);
    return programs;
  }

  private static Process start(Path folder, String... command) throws IOException {
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Gives a program lines, and waits for its good end. */
  private static void tell(Process program, List<String> lines) throws Exception {
    try (var in = program.outputWriter(UTF_8)) {
      in.write(String.join("\n", lines) + "\n");
    }
    assertThat(program.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(program.exitValue()).isZero();
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
