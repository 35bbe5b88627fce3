package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user may get wrong without a broker: one sentence, the right exit code, no trace. */
class BadInputTest {
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private String train;

  @BeforeEach
  void writeFiles() throws IOException {
    train = TestFiles.write(folder.resolve("train.csv"), 100, 1).toString();
  }

  @Test
  void noCommand_saysWhichThereAre() {
    CliRun.of().saysOneSentence(2, "name a command", "demo");
  }

  @Test
  void unknownCommand_isUsage() {
    assertThat(CliRun.of("fti").exitCode()).isEqualTo(2);
  }

  @Test
  void unknownFlag_isUsage() {
    CliRun run = CliRun.of("fit", "--data=" + train, "--label=y", "--round=3");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--round=3").contains("--rounds").doesNotContain("\tat ");
  }

  @Test
  void missingFile_namesIt() {
    fit("/none/such.csv", "--label=y").saysOneSentence(1, "there is no file /none/such.csv");
  }

  @Test
  void folderForAFile_namesIt() {
    fit(folder.toString(), "--label=y").saysOneSentence(1, folder + " is no file");
  }

  @Test
  void unknownColumn_namesThoseThereAre() {
    fit(train, "--label=z").saysOneSentence(2, "--label names column z", "it has id, env, kind, x");
  }

  @Test
  void unreadableLine_namesItsNumber() throws IOException {
    Files.writeString(Path.of(train), Files.readString(Path.of(train)) + "only,two\n");
    fit(train, "--label=y").saysOneSentence(1, train + ", line 102", "2 fields");
  }

  @Test
  void labelThatIsNoNumber_namesItsLine() throws IOException {
    Files.writeString(Path.of(train), Files.readString(Path.of(train)) + "r,e0,a,1,1,high,1\n");
    fit(train, "--label=y").saysOneSentence(1, train + ", line 102", "high");
  }

  @Test
  void labelThatTheObjectiveDoesNotTake_namesLineAndRule() {
    CliRun.of("fit", "--data=" + train, "--label=y", "--objective=logistic")
        .saysOneSentence(1, train + ", line 2", "must be 0 or 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--gamma=-1", "--rounds=ten", "--max-bins=1", "--learning-rate=1.5"})
  void wrongValue_namesTheFlag(String flag) {
    fit(train, "--label=y", flag).saysOneSentence(2, flag.substring(0, flag.indexOf('=')));
  }

  @Test
  void modelFileThatIsNone_saysSo() {
    CliRun.of("score", train, "--model=" + train).saysOneSentence(1, "no readable model file");
    CliRun.of("score", train, "--model=/none/m").saysOneSentence(1, "there is no model file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"service", "trainer", "topics create"})
  void noConfiguration_saysHowToNameOne(String command) {
    CliRun.of(command.split(" ", -1)).saysOneSentence(2, "--config", "HOLDFAST_CONFIG");
  }

  @Test
  void unknownConfigurationKey_isNamed() throws IOException {
    Path config = config("objectiv: squared", "objective: squared");
    CliRun.of("service", "--config=" + config).saysOneSentence(2, "objectiv");
  }

  @Test
  void wrongTypeInTheConfiguration_isNamed() throws IOException {
    Path config = config("gamma: strong", "objective: squared");
    CliRun.of("trainer", "--config=" + config).saysOneSentence(2, "gamma", "strong");
  }

  @Test
  void unknownModel_namesThoseThereAre() throws IOException {
    Path config = config("objective: squared");
    CliRun.of("replay", train, "--config=" + config, "--model=bike")
        .saysOneSentence(2, "no model bike", "did you mean bikes?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"service", "trainer", "topics create"})
  void unreachableBroker_isNamed(String command) throws IOException {
    Path config = config("objective: squared");
    String[] arguments = (command + " --config=" + config).split(" ", -1);
    CliRun.of(arguments).saysOneSentence(1, "127.0.0.1:1", "broker");
  }

  @Test
  void replay_unreachableBroker_isNamed() {
    CliRun.of("replay", train, "--topic=t", "--bootstrap=127.0.0.1:1")
        .saysOneSentence(1, "127.0.0.1:1", "broker");
  }

  @Test
  void replay_withoutTarget_asksForOne() {
    CliRun.of("replay", train).saysOneSentence(2, "--topic", "--config");
  }

  @Test
  void broker_portTaken_isNamed() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = socket.getLocalPort();
      CliRun.of("broker", "--dir=" + folder.resolve("data"), "--port=" + port)
          .saysOneSentence(1, "port " + port, "is taken");
    }
  }

  @Test
  void broker_folderNotUsable_isNamed() {
    CliRun.of("broker", "--dir=" + train, "--port=0").saysOneSentence(1, train);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "demo",
        "fit",
        "score",
        "backtest",
        "replay",
        "topics",
        "topics create",
        "service",
        "trainer",
        "broker"
      })
  void help_ofEveryCommand_isThere(String command) {
    CliRun run = CliRun.of((command + " --help").strip().split(" ", -1));
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("Usage: holdfast");
    if (!command.isEmpty() && !command.equals("topics")) {
      assertThat(run.out()).containsPattern("Examples?:\n  holdfast " + command);
    }
  }

  private static CliRun fit(String data, String... flags) {
    String[] all = new String[flags.length + 3];
    all[0] = "fit";
    all[1] = "--data=" + data;
    all[2] = "--objective=squared";
    System.arraycopy(flags, 0, all, 3, flags.length);
    return CliRun.of(all);
  }

  private Path config(String... keys) throws IOException {
    return Files.writeString(
        folder.resolve("holdfast.yml"),
        """
        kafka: { bootstrap.servers: "127.0.0.1:1" }
        holdfast:
          models:
            bikes:
              label: y
              %s
        """
            .replace("%s", String.join("\n      ", keys)));
  }
}
