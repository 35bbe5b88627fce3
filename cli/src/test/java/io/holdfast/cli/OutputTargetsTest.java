package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.file.OutputFile;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every output of every command that needs no broker, by every kind of target. */
class OutputTargetsTest {
  private static final PrintWriter NOWHERE =
      new PrintWriter(OutputStream.nullOutputStream(), false, UTF_8);

  private static final String FIT =
      "fit --data=TRAIN --label=y --objective=squared --exclude=id,yb --rounds=2";
  private static final String BACKTEST =
      "backtest --data=TRAIN --label=y --objective=squared --exclude=id,yb --window=30";
  private static final String TUNE =
      "tune --data=TRAIN --label=y --objective=squared --exclude=id,yb --rounds=3 --budget=2"
          + " --cv=time:2 --quiet";
  private static final String SHIFT =
      "shift --objective=squared --rows=60 --environments=2 --strengths=0,1 --rounds=1";

  /** Commands with the flag of a file that they write, and an input of theirs. */
  private static final List<List<String>> OUTPUTS =
      List.of(
          List.of("init TRAIN --label=y", "--out", "TRAIN"),
          List.of(FIT, "--out", "TRAIN"),
          List.of("refit --model=MODEL --data=TRAIN", "--out", "MODEL"),
          List.of("score TRAIN --model=MODEL", "--out", "TRAIN"),
          List.of("score TRAIN --model=MODEL --json", "--out", "MODEL"),
          List.of("explain --model=MODEL", "--out", "MODEL"),
          List.of("explain TRAIN --model=MODEL", "--out", "TRAIN"),
          List.of("explain TRAIN --model=MODEL --partial-dependence=x", "--out", "TRAIN"),
          List.of("show MODEL --data=TRAIN", "--html", "MODEL"),
          List.of("export --model=MODEL --to=json", "--out", "MODEL"),
          List.of("import FOREIGN", "--out", "FOREIGN"),
          List.of(BACKTEST, "--json", "TRAIN"),
          List.of(BACKTEST, "--report", "TRAIN"),
          List.of(BACKTEST, "--write-config", "TRAIN"),
          List.of(TUNE, "--write-config", "TRAIN"),
          List.of(SHIFT, "--json", ""),
          List.of(SHIFT, "--report", ""));

  /** Outputs of commands that need a broker, which other tests have: ModelsShownIT. */
  private static final Set<String> OF_A_BROKER = Set.of("models export --out", "audit --html");

  private static final Pattern MEASURED =
      Pattern.compile(
          "\"(trainingMillis|cpuSeconds|secondsOfTraining)\" ?: ?[0-9.E-]+|CPU"
              + " seconds(<td>[0-9.,]+)+");

  @TempDir static Path inputs;
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path train;

  @SuppressWarnings("NullAway.Init")
  private Path model;

  @SuppressWarnings("NullAway.Init")
  private Path foreign;

  @BeforeAll
  static void fit() throws IOException {
    Path rows = TestFiles.write(inputs.resolve("train.csv"), 60, 1);
    CliRun run = CliRun.of((FIT.replace("TRAIN", rows + "") + " --out=" + fitted()).split(" "));
    assertThat(run.exitCode()).as(run.err()).isZero();
    CliRun export =
        CliRun.of("export", "--model=" + fitted(), "--to=lightgbm", "--out=" + exported());
    assertThat(export.exitCode()).as(export.err()).isZero();
  }

  private static Path exported() {
    return inputs.resolve("foreign.txt");
  }

  private static Path fitted() {
    return inputs.resolve("model.hf");
  }

  @BeforeEach
  void copy() throws IOException {
    train = Files.copy(inputs.resolve("train.csv"), folder.resolve("train.csv"));
    model = Files.copy(fitted(), folder.resolve("model.hf"));
    foreign = Files.copy(exported(), folder.resolve("foreign.txt"));
  }

  static Stream<Arguments> outputs() {
    return OUTPUTS.stream().map(one -> Arguments.of(one.get(0), one.get(1)));
  }

  static Stream<Arguments> outputsAndInputs() {
    return OUTPUTS.stream()
        .filter(one -> !one.get(2).isEmpty())
        .map(one -> Arguments.of(one.get(0), one.get(1), one.get(2)));
  }

  /** An output that is added must be added to the table. */
  @Test
  void table_hasEveryOutputOfEveryCommand() {
    Set<String> tried = new TreeSet<>(OF_A_BROKER);
    OUTPUTS.forEach(one -> tried.add(one.getFirst().replaceFirst(" .*", "") + " " + one.get(1)));
    Set<String> there = new TreeSet<>();
    addOutputs(Holdfast.commandLine(NOWHERE, NOWHERE), "", there);
    assertThat(there).isNotEmpty().isEqualTo(tried);
  }

  private static void addOutputs(CommandLine command, String name, Set<String> outputs) {
    for (var option : command.getCommandSpec().options()) {
      if (option.type() == OutputFile.class) {
        outputs.add(name + " " + option.longestName());
      }
    }
    command
        .getSubcommands()
        .forEach((sub, one) -> addOutputs(one, (name + " " + sub).strip(), outputs));
  }

  @ParameterizedTest
  @MethodSource("outputs")
  void output_goesToNewAndOldFiles_andThroughLinks_withTheSameBytes(String command, String flag)
      throws IOException {
    Path fresh = folder.resolve("new folder/new");
    ok(command, flag, fresh);
    String content = comparable(fresh);
    assertThat(content).isNotEmpty();

    Path old = Files.writeString(folder.resolve("old"), "before".repeat(100_000));
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-r----x"));
    ok(command, flag, old);
    assertThat(comparable(old)).isEqualTo(content);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(old)))
        .isEqualTo("rw-r----x");

    Files.createDirectory(folder.resolve("deep"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("deep/target"));
    ok(command, flag, link);
    assertThat(link).isSymbolicLink();
    assertThat(comparable(folder.resolve("deep/target"))).isEqualTo(content);
    ok(command, flag, Path.of("/dev/null"));
    assertThat(hiddenFiles()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("outputs")
  void output_thatCannotBeWritten_isOneSentence(String command, String flag) throws IOException {
    fails(command, flag, Path.of("/dev/full"), "/dev/full cannot be written: No space left");
    fails(command, flag, folder, folder + " is a folder: name a file in it");
    Path below = train.resolve("out");
    fails(command, flag, below, below + " cannot be written: " + train + " is no folder");
    assertThat(hiddenFiles()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("outputsAndInputs")
  void output_overAnInput_isRefused_byWhateverName(String command, String flag, String input)
      throws IOException {
    Path file =
        switch (input) {
          case "TRAIN" -> train;
          case "FOREIGN" -> foreign;
          default -> model;
        };
    byte[] before = Files.readAllBytes(file);
    Path hard = Files.createLink(folder.resolve("hard"), file);
    Path link = Files.createSymbolicLink(folder.resolve("link"), file.getFileName());
    Path round = folder.resolve("../" + folder.getFileName() + "/./" + file.getFileName());
    Path relative = Path.of("").toAbsolutePath().relativize(file);
    for (Path name : List.of(file, hard, link, round, relative)) {
      CliRun run = run(command, flag, name);
      run.saysOneSentence(2, flag + " would write over what", "reads, " + file);
      assertThat(run.err()).doesNotContain("(by the name " + file + ")");
      assertThat(file).hasBinaryContent(before);
    }
  }

  @Test
  void output_overTheConfiguration_isRefused() {
    CliRun.of("backtest", "--data=" + train, "--config=" + model, "--write-config=" + model)
        .saysOneSentence(2, "--write-config would write over what --config reads, " + model);
    CliRun.of("tune", "--data=" + train, "--config=" + model, "--write-config=" + model)
        .saysOneSentence(2, "--write-config would write over what --config reads, " + model);
    CliRun.of("models", "export", "m", "--config=" + model, "--out=" + model)
        .saysOneSentence(2, "--out would write over what --config reads, " + model);
  }

  /** Commands that print a result, with its other form where they have one. */
  static Stream<String> printing() {
    return Stream.of(
        FIT,
        FIT + " --json",
        "refit --model=MODEL --data=TRAIN --out=/dev/null",
        "refit --model=MODEL --data=TRAIN --out=/dev/null --json",
        "score TRAIN --model=MODEL",
        "score TRAIN --model=MODEL --json --label=y",
        "explain --model=MODEL",
        "explain --model=MODEL --json",
        "show MODEL",
        "show MODEL --data=TRAIN --json",
        "explain TRAIN --model=MODEL",
        "explain TRAIN --model=MODEL --partial-dependence=x",
        BACKTEST,
        BACKTEST + " --json",
        TUNE,
        TUNE + " --json",
        SHIFT,
        SHIFT + " --json",
        "--version");
  }

  static Stream<String> helps() {
    List<String> names = new ArrayList<>();
    var root = Holdfast.commandLine(NOWHERE, NOWHERE);
    addNames(root, "", names);
    return names.stream().map(name -> (name + " --help").strip());
  }

  private static void addNames(CommandLine command, String name, List<String> names) {
    names.add(name);
    command
        .getSubcommands()
        .forEach((sub, one) -> addNames(one, (name + " " + sub).strip(), names));
  }

  @ParameterizedTest
  @MethodSource({"printing", "helps"})
  void standardOutput_thatIsFull_isOneSentenceAndCodeOne(String command) throws IOException {
    try (OutputStream full = new FileOutputStream("/dev/full")) {
      CliRun.to(full, arguments(command))
          .saysOneSentence(1, "standard output cannot be written: No space left on device");
    }
  }

  @ParameterizedTest
  @MethodSource({"printing", "helps"})
  void standardOutput_whoseReaderHasGone_endsQuietly(String command) {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    CliRun run = CliRun.to(closed, arguments(command));
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(141);
  }

  @Test
  void twoOutputs_inOneFile_areRefused() {
    Path one = folder.resolve("result");
    CliRun.of(arguments(BACKTEST + " --json=" + one + " --report=" + folder.resolve("RESULT")))
        .saysOneSentence(2, "--json and --report are to write to one file, ");
    assertThat(one).doesNotExist();
  }

  @Test
  void rowThatIsBad_leavesTheOldScores() throws IOException {
    Path scores = Files.writeString(folder.resolve("scores.csv"), "before");
    Files.writeString(train, "only,two\n", StandardOpenOption.APPEND);
    CliRun.of("score", train.toString(), "--model=" + model, "--out=" + scores)
        .saysOneSentence(1, "line 62");
    assertThat(scores).content().isEqualTo("before");
    assertThat(hiddenFiles()).isEmpty();
  }

  @Test
  void nameThatBeginsWithAnAt_isAName_andNoFileOfArguments() throws IOException {
    Path arguments = Files.writeString(folder.resolve("x"), "--rounds=7");
    String[] fit = {"fit", "--data", train.toString(), "--label", "y", "--objective", "squared"};
    String[] all = Arrays.copyOf(fit, fit.length + 2);
    all[fit.length] = "--exclude";
    all[fit.length + 1] = "@" + arguments;
    CliRun.of(all).saysOneSentence(2, "--exclude", "@" + arguments);
    assertThat(CliRun.of("@" + arguments).err()).contains("'@" + arguments + "'");
  }

  @Test
  void outputWithoutAName_isRefused() {
    CliRun.of(arguments(FIT + " --out=")).saysOneSentence(2, "--out", "is empty");
  }

  private void ok(String command, String flag, Path target) {
    CliRun run = run(command, flag, target);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private void fails(String command, String flag, Path target, String sentence) {
    run(command, flag, target).saysOneSentence(1, sentence);
  }

  private CliRun run(String command, String flag, Path target) {
    String[] arguments = arguments(command);
    arguments = Arrays.copyOf(arguments, arguments.length + 1);
    arguments[arguments.length - 1] = flag + "=" + target;
    return CliRun.of(arguments);
  }

  private String[] arguments(String command) {
    return Stream.of(command.split(" ", -1))
        .map(one -> one.replace("TRAIN", train.toString()).replace("MODEL", model.toString()))
        .map(one -> one.replace("FOREIGN", foreign.toString()))
        .toArray(String[]::new);
  }

  /** What a file holds, without how long training took. */
  private static String comparable(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    return MEASURED.matcher(new String(bytes, ISO_8859_1)).replaceAll("");
  }

  private List<Path> hiddenFiles() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> String.valueOf(file.getFileName()).startsWith(".")).toList();
    }
  }
}
