package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.learn.LastQuarter;
import io.holdfast.cli.stream.TopicTail;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk-through as a new user follows it: its commands, on the files that it names. */
class WalkThroughIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern FILE = Pattern.compile("docs/examples/[A-Za-z.-]+");
  private static final Pattern WRITTEN =
      Pattern.compile("(--out|--report|--write-config|--model) ([a-z-]+\\.[a-z]+)");
  private static final int ROWS = 8_000;

  @TempDir Path folder;

  /** The commands of a section, without their comments. */
  private static List<String> commands(String section) throws IOException {
    String page = Files.readString(ROOT.resolve("docs/walkthrough.md"));
    int start = page.indexOf("\n## " + section);
    int end = page.indexOf("\n## ", start + 1);
    List<String> commands = new ArrayList<>();
    page.substring(start, end)
        .replaceAll("\\\\\n *", "")
        .lines()
        .filter(line -> line.startsWith("    ./holdfast "))
        .map(line -> line.replaceFirst(" +#.*", "").strip().substring("./holdfast ".length()))
        .forEach(commands::add);
    return commands;
  }

  /** With the files that ship where they are, and those that it writes in the test's folder. */
  private String[] arguments(String command) {
    String placed = FILE.matcher(command).replaceAll(file -> ROOT.resolve(file.group()).toString());
    placed =
        WRITTEN
            .matcher(placed)
            .replaceAll(file -> file.group(1) + " " + folder.resolve(file.group(2)));
    return placed.split(" +");
  }

  @Test
  void commandsOnAFile_runAsTheyStand() throws IOException {
    List<String> commands = commands("2.");
    assertThat(commands).hasSizeGreaterThan(6);
    for (String command : commands) {
      CliRun run = CliRun.of(arguments(command));
      assertThat(run.exitCode()).as(command + ": " + run.err()).isZero();
    }
  }

  @Test
  void filesThatAreAskedFor_ship() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/walkthrough.md"));
    List<String> files = FILE.matcher(page).results().map(one -> one.group()).distinct().toList();
    assertThat(files).hasSize(3);
    assertThat(files).allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
    for (String command : commands("2.")) {
      assertThat(command.replaceAll(FILE.pattern(), ""))
          .as("reads no other data")
          .doesNotContainPattern("(--data|--test|score|explain) [a-z]+\\.csv");
    }
  }

  /**
   * At its rate, whatever the machine, versions that have learned serve most of the rows; then all
   * that the page asks of them, and does to them, and the record that is wrong.
   */
  @Test
  void stream_asItStands_showsLearning_andItsVersionsCanBeActedOn() throws Exception {
    String replay =
        commands("3.").stream().filter(one -> one.startsWith("replay")).findFirst().orElseThrow();
    assertThat(replay).contains("--rate 1000");
    String yaml = Files.readString(ROOT.resolve("docs/examples/deliveries.yml"));
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0)) {
      Path config = folder.resolve("deliveries.yml");
      Files.writeString(
          config,
          yaml.replace("localhost:9092", broker.bootstrapServers())
              .replace(
                  "holdfast:\n",
                  "holdfast:\n  service: { port: 0, stateDirectory: "
                      + folder.resolve("state")
                      + " }\n  trainer: { port: 0 }\n"));
      CliRun topics = CliRun.of("topics", "create", "--config=" + config);
      assertThat(topics.exitCode()).as(topics.err()).isZero();
      Settings settings = Settings.read(config, Map.of());
      try (var reports = TopicTail.fromEnd(settings.kafka(), settings.topics().reports());
          Service service = Service.start(settings);
          Trainer trainer = Trainer.start(settings)) {
        JsonNode sent =
            CliRun.of(
                    arguments(
                        replay.replace("docs/examples/deliveries.yml", config.toString())
                            + " --json"))
                .json();
        assertThat(sent.get("records").asInt()).isEqualTo(ROWS);
        List<WindowReport> windows = new ArrayList<>();
        await().atMost(PATIENCE).until(() -> windowsOf(reports, windows) >= ROWS - 500);
        await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());

        LastQuarter quarter = LastQuarter.of(windows);
        assertThat(quarter.margin()).as("less than the constant's loss").isGreaterThan(0.5);
        long untrained =
            windows.stream()
                .filter(window -> window.getServedVersions().stream().allMatch(one -> one < 4))
                .mapToLong(WindowReport::getRows)
                .sum();
        assertThat(untrained).as("rows of windows that constants served").isLessThan(ROWS / 2);
        for (String command : commands("3.")) {
          if (command.startsWith("models ")) {
            String placed = command.replace("docs/examples/deliveries.yml", config.toString());
            CliRun run = CliRun.of(words(placed));
            assertThat(run.exitCode()).as(command + ": " + run.err()).isZero();
          }
        }
        assertThat(CliRun.of("models", "history", "deliveries", "--config=" + config).out())
            .contains("trying it out");
        for (String answer : asked(service.url())) {
          assertThat(answer).containsIgnoringCase("version");
        }
        wrongRecord(broker.bootstrapServers());
      }
    }
  }

  /** As a shell would: quoted words are one. */
  private static String[] words(String command) {
    return Pattern.compile("\"([^\"]*)\"|(\\S+)")
        .matcher(command)
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .toArray(String[]::new);
  }

  /** What the page's requests are answered; a shell pastes them if it has curl. */
  private static List<String> asked(URI service) throws IOException, InterruptedException {
    String page = Files.readString(ROOT.resolve("docs/walkthrough.md"));
    List<String> answers = new ArrayList<>();
    List<MatchResult> requests =
        Pattern.compile("(?s)    curl .*?(?=\n    curl|\n\n)").matcher(page).results().toList();
    assertThat(requests).hasSize(4);
    for (MatchResult request : requests) {
      String line = request.group().strip().replace("localhost:8080", service.getAuthority());
      Process shell = new ProcessBuilder("sh", "-c", line.replace("curl", "curl --fail")).start();
      answers.add(new String(shell.getInputStream().readAllBytes(), UTF_8));
      assertThat(shell.waitFor()).as(line).isZero();
    }
    return answers;
  }

  private static void wrongRecord(String bootstrapServers) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", bootstrapServers),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(new ProducerRecord<>("deliveries.records", "not avro")).get();
    }
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                CommittedRecords.of(bootstrapServers, "deliveries.dead-letters").stream()
                    .map(letter -> letter.headers().lastHeader("holdfast.reason"))
                    .anyMatch(
                        reason -> new String(reason.value(), UTF_8).equals("UNKNOWN_FRAMING")));
  }

  private static long windowsOf(TopicTail reports, List<WindowReport> windows) throws Exception {
    for (ConsumerRecord<byte[], byte[]> record : reports.poll(Duration.ofMillis(200))) {
      windows.add(Contracts.REPORT.decode(record.value()));
    }
    return windows.stream().mapToLong(WindowReport::getRows).sum();
  }
}
