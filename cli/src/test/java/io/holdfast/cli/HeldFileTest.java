package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A file is held against the model that it is meant for, by every command that takes one. */
class HeldFileTest {
  private static final Path CASES =
      Path.of(System.getProperty("holdfast.shared", "../shared"), "cases");

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path train;

  @SuppressWarnings("NullAway.Init")
  private Path model;

  /** y depends on the shop (1 to 4), x and the flag. */
  @BeforeEach
  void fit() throws IOException {
    train = write("train.csv", line -> line);
    model = folder.resolve("m.model");
    CliRun run = fit("--out=" + model);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  /** A mistake in the file, and what is to be said of it. */
  enum Mistake {
    OTHER_CASE("lacks all 5 columns", "shop (did you mean SHOP?)", "--allow-missing shop,x"),
    MISSPELT("lacks 1 of the 5 columns", "flag (did you mean falg?)", "--allow-missing flag"),
    LACKING("lacks 2 of the 5 columns", ": shop, x;", "--allow-missing shop,x"),
    ODD_CELL("line 4: column x has oops, which is no number, as the model needs", "leave it empty"),
    DATE_CELL("line 4: column x has 2024-01-31, which is no number", "as the model needs"),
    BEYOND("line 4: column x has 1e400, which is beyond all numbers of 64 bits", "correct it"),
    UNSEEN(
        "60 of the 60 values of column shop", "the first is s3 in line 2", "--allow-unseen shop");

    @SuppressWarnings("ImmutableEnumChecker") // nobody changes them
    private final String[] parts;

    Mistake(String... parts) {
      this.parts = parts;
    }

    String line(String line, int number) {
      String[] cells = line.split(",", -1); // shop,x,flag,y,env
      switch (this) {
        case OTHER_CASE -> {
          return number == 1 ? "SHOP,X,FLAG,Y,ENV" : line;
        }
        case MISSPELT -> {
          return line.replace("flag", "falg");
        }
        case LACKING -> {
          return cells[2] + "," + cells[3] + "," + cells[4];
        }
        case ODD_CELL, DATE_CELL, BEYOND ->
            cells[1] =
                number != 4
                    ? cells[1]
                    : this == ODD_CELL ? "oops" : this == BEYOND ? "1e400" : "2024-01-31";
        case UNSEEN -> cells[0] = number == 1 ? cells[0] : "s" + cells[0];
      }
      return String.join(",", cells);
    }
  }

  static Stream<Arguments> commandsByMistake() {
    return Stream.of("score", "refit", "refit --test", "explain", "fit --test", "fit --validation")
        .flatMap(
            command -> Stream.of(Mistake.values()).map(mistake -> Arguments.of(command, mistake)));
  }

  @ParameterizedTest
  @MethodSource("commandsByMistake")
  void fileThatDoesNotFit_isRefusedBeforeAnythingIsPrinted(String command, Mistake mistake)
      throws IOException {
    int[] number = {0};
    Path file = write("other.csv", line -> mistake.line(line, ++number[0]), 60);
    run(command, file).saysOneSentence(1, file.toString());
    String said = run(command, file).err();
    if (!command.startsWith("score") && !command.startsWith("explain")) {
      assertThat(said).contains(List.of(mistake.parts).subList(1, mistake.parts.length));
      return; // they read label and environment, too
    }
    List<String> parts = new ArrayList<>(List.of(mistake.parts));
    parts.replaceAll(part -> part.replace("5 columns", "3 columns"));
    assertThat(said).contains(parts);
  }

  private CliRun run(String command, Path file) {
    String out = "--out=" + folder.resolve("none");
    return switch (command) {
      case "score", "explain" -> CliRun.of(command, file.toString(), "--model=" + model);
      case "refit" -> CliRun.of("refit", "--model=" + model, "--data=" + file, out);
      case "refit --test" ->
          CliRun.of("refit", "--model=" + model, "--data=" + train, "--test=" + file, out);
      case "fit --test" -> fit("--test=" + file);
      default -> fit("--validation=" + file);
    };
  }

  private CliRun fit(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "fit",
                "--data=" + train,
                "--label=y",
                "--environment=env",
                "--categorical=shop",
                "--objective=squared",
                "--rounds=20"));
    all.addAll(List.of(more));
    return CliRun.of(all.toArray(String[]::new));
  }

  @Test
  void allowMissing_takesColumnsForMissingValues_andNoOthers() throws IOException {
    Path file = write("other.csv", line -> line.substring(line.indexOf(',') + 1), 60);
    CliRun without =
        CliRun.of("score", file.toString(), "--model=" + model, "--allow-missing=shop");
    assertThat(without.exitCode()).as(without.err()).isZero();
    Path empty = write("empty.csv", line -> line.startsWith("shop") ? line : line.substring(1), 60);
    assertThat(without.out())
        .isEqualTo(CliRun.of("score", empty.toString(), "--model=" + model).out());
    CliRun.of("score", file.toString(), "--model=" + model, "--allow-missing=shopp")
        .saysOneSentence(1, "--allow-missing names shopp", "did you mean shop?");
    CliRun.of("score", file.toString(), "--model=" + model, "--allow-missing=x")
        .saysOneSentence(1, "lacks 1 of the 3 columns", "shop");
  }

  @Test
  void unseenCategories_areCountedAloud_whereTheyAreFew() throws IOException {
    int[] number = {0};
    Path file = write("other.csv", line -> ++number[0] % 3 == 2 ? "9" + line : line, 60);
    CliRun score = CliRun.of("score", file.toString(), "--model=" + model, "--label=y", "--json");
    assertThat(score.exitCode()).isZero();
    assertThat(score.err())
        .contains("20 of the 60 values of column shop are categories that the model has never seen")
        .contains("in line 2) and count as missing");
    String last = score.out().lines().toList().getLast();
    assertThat(last).contains("\"unseenCategories\":{\"shop\":20}").contains("\"evaluation\"");
    JsonNode fit = fit("--test=" + file, "--json").json();
    assertThat(fit.at("/test/0/unseenCategories/shop").asInt()).isEqualTo(20);
    assertThat(fit.get("notes").toString()).contains("20 of the 60 values of column shop");
  }

  /** However the categories of training are written, they are the same ones. */
  @ParameterizedTest
  @CsvSource({"%s.0", "' %s '", "+%s", "%s.", "\u00A0%s"})
  void category_writtenOtherwise_scoresTheSame(String spelling) throws IOException {
    Path plain = write("plain.csv", line -> line, 60);
    Path other =
        write(
            "other.csv",
            line ->
                line.startsWith("shop")
                    ? line
                    : String.format(Locale.ROOT, spelling, line.substring(0, 1))
                        + line.substring(1),
            60);
    CliRun scores = CliRun.of("score", other.toString(), "--model=" + model);
    assertThat(scores.err()).isEmpty();
    assertThat(scores.out())
        .isEqualTo(CliRun.of("score", plain.toString(), "--model=" + model).out());
    assertThat(refitLoss(other)).isEqualTo(refitLoss(plain));
  }

  private String refitLoss(Path data) {
    String out = "--out=" + folder.resolve("refitted.model");
    return CliRun.of("refit", "--model=" + model, "--data=" + data, out, "--json")
        .json()
        .at("/after/loss")
        .toString();
  }

  @Test
  void typesOfTraining_areThoseOfTrainingDataAlone() throws IOException {
    String alone = loss(fit("--json"));
    Path whole = write("whole.csv", line -> line.replaceFirst("true|false", "1"), 60);
    assertThat(loss(fit("--json", "--test=" + whole))).isEqualTo(alone);
    int[] number = {0};
    Path gaps = write("gaps.csv", line -> ++number[0] == 9 ? ",NA,,1.5,e0" : line, 60);
    assertThat(loss(fit("--json", "--test=" + gaps, "--validation=" + gaps, "--patience=99")))
        .isEqualTo(alone);
  }

  private static String loss(CliRun fit) {
    return fit.json().get("anchorLoss").toString();
  }

  @Test
  void casesOfTypesAndMissing_learnNumbers() {
    assumeTrue(Files.isDirectory(CASES), "no " + CASES);
    String types = "--data=" + CASES.resolve("types/train.csv");
    String test = "--test=" + CASES.resolve("types/test.csv");
    assertThat(loss(CliRun.of("fit", types, "--label=y", "--objective=squared", "--json", test)))
        .isEqualTo(loss(CliRun.of("fit", types, "--label=y", "--objective=squared", "--json")));
    for (String name : List.of("plain", "na5", "na25", "empty25", "space")) {
      JsonNode fit =
          CliRun.of(
                  "fit",
                  "--data=" + CASES.resolve("missing/" + name + ".csv"),
                  "--label=y",
                  "--objective=squared",
                  "--test=" + CASES.resolve("missing/test.csv"),
                  "--test=" + CASES.resolve("missing/test_space.csv"),
                  "--json")
              .json();
      assertThat(fit.at("/test/0/loss").asDouble()).as(name).isLessThan(0.6);
      assertThat(fit.at("/test/1/loss")).as(name).isEqualTo(fit.at("/test/0/loss"));
    }
  }

  private Path write(String name, UnaryOperator<String> each) throws IOException {
    return write(name, each, 200);
  }

  private Path write(String name, UnaryOperator<String> each, int rows) throws IOException {
    var random = new SplittableRandom(3);
    List<String> lines = new ArrayList<>(List.of(each.apply("shop,x,flag,y,env")));
    for (int row = 0; row < rows; row++) {
      int shop = row == 0 ? 3 : random.nextInt(1, 5);
      double x = random.nextInt(1000) / 1e3;
      boolean flag = random.nextInt(2) == 0;
      double y = 10 * (shop % 3) + x + (flag ? 3 : 0);
      lines.add(each.apply(shop + "," + x + "," + flag + "," + y + ",e" + row % 2));
    }
    return Files.write(folder.resolve(name), lines);
  }
}
