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
import org.junit.jupiter.params.provider.CsvSource;
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

  @ParameterizedTest
  @CsvSource({
    "topic://bikes.records, needs the configuration that names its broker",
    "topic://a/b, names no topic",
    "topic://bikes?form=latest, did you mean from",
    "topic://bikes?from=yesterday, must be a time such as",
    "topic://bikes?from=offset:x, must be a time such as",
    "topic://bikes?from=2026-03-02&to=2026-03-01, from must be before to",
    "topic://bikes?from=offset:5&to=offset:5, from must be before to",
    "topic://bikes?to=offset:5&to=offset:6, says to twice",
  })
  void topicThatCannotBeRead_saysWhy(String data, String sentence) {
    fit(data, "--label=y").saysOneSentence(2, sentence);
  }

  @Test
  void topicForACommandOnFiles_isRefused() {
    CliRun.of("refit", "--data=topic://bikes", "--model=m.hf", "--out=n.hf")
        .saysOneSentence(2, "refit reads files, and no topic such as bikes");
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
  void labelThatIsNoNumber_namesLineColumnAndRule() throws IOException {
    Files.writeString(Path.of(train), Files.readString(Path.of(train)) + "r,e0,a,1,1,high,1\n");
    fit(train, "--label=y")
        .saysOneSentence(1, train + ", line 102", "must be finite numbers, and column y has high");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fit", "backtest"})
  void numbersButForOneCell_areNoCategories(String command) throws IOException {
    Files.writeString(Path.of(train), Files.readString(Path.of(train)) + "r,e0,a,oops,1,1,1\n");
    CliRun.of(command, "--data=" + train, "--label=y", "--objective=squared")
        .saysOneSentence(
            1,
            train + ", line 102: column x has oops, which is no number",
            "--missing oops",
            "--categorical x");
    CliRun declared =
        CliRun.of(command, "--data=" + train, "--label=y", "--objective=squared", "--missing=oops");
    assertThat(declared.exitCode()).as(declared.err()).isZero();
  }

  @Test
  void weightThatIsNoNumber_namesLineAndColumn() {
    fit(train, "--label=y", "--weight=kind")
        .saysOneSentence(1, train + ", line 2: weights must be numbers, and column kind has");
  }

  @Test
  void labelThatTheObjectiveDoesNotTake_namesLineAndRule() {
    CliRun.of("fit", "--data=" + train, "--label=y", "--objective=logistic")
        .saysOneSentence(1, train + ", line 2", "must be 0 or 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--gamma=2 --gamma=4", "--patience=2 --hold-out=a --patience=3"})
  void flagTwice_isRefused_ratherThanForgotten(String flags) {
    String line =
        "fit --data=rows.csv --label=y --objective=squared --environment=e " + flags + " --json";
    CliRun run = CliRun.of(line.split(" "));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("option '" + flags.substring(0, flags.indexOf('=')))
        .contains("should be specified only once");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--gamma=-1", "--rounds=ten", "--max-bins=1", "--learning-rate=1.5"})
  void wrongValue_namesTheFlag(String flag) {
    fit(train, "--label=y", flag).saysOneSentence(2, flag.substring(0, flag.indexOf('=')));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--hold-out=e1 | 2 | --hold-out needs environments",
        "--environment=env --hold-out=e7 | 1 | no labelled row of the environment to hold out e7",
        "--environment=env --hold-out=e0,e1 | 1 | no row with a label in column y that is not held"
            + " out",
        "--environment=env --hold-out=e1 --stop-by=best | 2 | --stop-by must be mean, worst, or"
            + " quantile:",
        "--environment=env --hold-out=e1 --stop-by=quantile:2 | 2 | --stop-by must be",
        "--environment=env --hold-out=e1 --patience=0 | 2 | --patience must be 1 or more: 0",
        "--stop-by=worst | 2 | --stop-by has no meaning without rows to validate on",
        "--stop-after=3 --stop-by=best | 2 | trees.stopBy must be one of mean, worst: best",
        "--stop-after=3 --stop-by=worst --patience=3 | 2 | --patience has no meaning without",
        "--interactions=x | 2 | --interactions must be a group for each feature: x is ''",
        "--interactions=id=a | 2 | id, which is in a group of interactions, must be a feature",
        "--class-weights=1,2 | 2 | --class-weights has no meaning for the objective squared",
        "--patience=3 | 2 | --patience has no meaning without rows to validate on",
        "--validation=/none/such.csv | 1 | there is no file /none/such.csv",
        "--gamma=auto | 2 | --gamma is auto, which leaves environments out to choose",
        "--gamma=strong | 2 | --gamma must be a number of 0 or more, or auto: strong",
        "--classes=3 | 2 | --classes has no meaning for the objective squared",
        "--monotone=x=up | 2 | --monotone must be increasing or decreasing",
        "--monotone=kind=increasing | 2 | the monotone feature kind must be a numeric feature",
        "--anchors=kind | 2 | the anchor field kind is",
      })
  void fit_flagsThatMakeNoSense_areSaidInASentence(String flags, int code, String sentence) {
    String[] all = ("--label=y --exclude=id,yb " + flags).split(" ", -1);
    fit(train, all).saysOneSentence(code, sentence);
  }

  @Test
  void gammaAuto_whereNothingChooses_isRefusedWithARemedy() throws IOException {
    CliRun.of("trainer", "--config=" + config("objective: squared", "gamma: auto"))
        .saysOneSentence(2, "gamma is auto, which leaves environments out to choose");
    CliRun.of(
            "fit",
            "--data=" + train,
            "--label=y",
            "--environment=env",
            "--objective=absolute",
            "--gamma=auto")
        .saysOneSentence(2, "--gamma must be 1 for the objective absolute");
  }

  @Test
  void fit_heldOutTwice_saysToLeaveOneOut() {
    fit(train, "--label=y", "--environment=env", "--hold-out=e1", "--validation=" + train)
        .saysOneSentence(2, "--validation and --hold-out");
  }

  @Test
  void refit_ofWhatIsNoModelOrOutOfRange_saysSo() {
    String[] refit = {"refit", "--data=" + train, "--out=" + folder.resolve("m"), ""};
    refit[3] = "--model=" + train;
    CliRun.of(refit).saysOneSentence(1, "no readable model file");
    String[] decay = {refit[0], refit[1], refit[2], refit[3], "--decay=1.5"};
    CliRun.of(decay).saysOneSentence(2, "--decay must be from 0 to 1: 1.5");
    String[] gamma = {refit[0], refit[1], refit[2], refit[3], "--gamma=-1"};
    CliRun.of(gamma).saysOneSentence(2, "--gamma must be 0 or more, and finite: -1");
  }

  @Test
  void modelFileThatIsNone_saysSo() {
    CliRun.of("score", train, "--model=" + train).saysOneSentence(1, "no readable model file");
    CliRun.of("score", train, "--model=/none/m").saysOneSentence(1, "there is no model file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"service", "trainer", "topics create", "doctor"})
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
  @ValueSource(strings = {"service", "trainer", "topics create", "doctor"})
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
        "refit",
        "score",
        "explain",
        "backtest",
        "replay",
        "topics",
        "topics create",
        "doctor",
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

  @Test
  void help_ofFit_isTwoScreensAtMost() {
    assertThat(CliRun.of("fit", "--help").out().lines().count()).isLessThan(100);
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
