package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.ledger.ModelFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Labels that are texts, truths and numbers of any values, from file to file. */
class ClassLabelsTest {
  private static final int ROWS = 400;

  @TempDir Path folder;

  /** A label's type in Avro, and the values that stand for the classes 0, 1, and so on. */
  private enum Labels {
    TEXT("\"string\"", "green", "red", "violet"),
    TEXT_LIKE_NUMBERS("\"string\"", "007", "010", "1e5"),
    NUMBERS_AS_TEXT("\"string\"", "1", "2", "7"),
    ENUM(
        "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"violet\",\"red\",\"green\"]}",
        "green",
        "red",
        "violet"),
    INT("\"int\"", "-1", "1", "7"),
    LONG("[\"null\",\"long\"]", "-9007199254740993", "2", "9007199254740993"),
    DOUBLE("\"double\"", "1", "2", "70"),
    BOOLEAN("\"boolean\"", "false", "true");

    private final String type;
    private final String names;

    Labels(String type, String... names) {
      this.type = type;
      this.names = String.join(",", names);
    }

    List<String> names() {
      return List.of(names.split(",", -1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--objective=logistic --gamma=3 --environment=env, 2",
    "--objective=exponential --booster=adaboost, 2",
    "--objective=softmax, 3",
    "--objective=softmax --booster=adaboost, 3",
  })
  void labelsOfAnyKind_areLearnedToTheBitsOfNumbersFrom0(String flags, int classes)
      throws Exception {
    Path plain = avro("plain", "\"int\"", classes, k -> k);
    List<JsonNode> expected =
        scores(plain, fit(plain, flags + (classes > 2 ? " --classes=" + classes : "")));

    for (Labels labels : Labels.values()) {
      if (labels.names().size() < classes) {
        continue;
      }
      List<String> names = labels.names().subList(0, classes);
      Schema type = new Schema.Parser().parse(labels.type);
      Path data = avro(labels.name(), labels.type, classes, k -> value(type, names.get(k)));
      Path model = fit(data, flags);
      List<JsonNode> scores = scores(data, model);

      assertThat(ModelFile.read(model).classes().names()).as("%s", labels).isEqualTo(names);
      for (int row = 0; row < ROWS; row++) {
        JsonNode score = scores.get(row);
        JsonNode numbered = expected.get(row);
        assertThat(score.get("prediction")).isEqualTo(numbered.get("prediction"));
        assertThat(score.get("rawScore")).isEqualTo(numbered.get("rawScore"));
        int likeliest = 0;
        for (int k = 0; k < classes; k++) {
          JsonNode probability = score.get("probabilities").get(names.get(k));
          assertThat(probability).isEqualTo(numbered.get("probabilities").get(k));
          likeliest =
              probability.asDouble() > numbered.get("probabilities").get(likeliest).asDouble()
                  ? k
                  : likeliest;
        }
        assertThat(score.get("label").asText()).isEqualTo(names.get(likeliest));
      }
      JsonNode evaluation = scores.getLast().get("evaluation");
      JsonNode numbered = expected.getLast().get("evaluation");
      assertThat(evaluation.get("loss")).isEqualTo(numbered.get("loss"));
      numbered
          .get("metrics")
          .properties()
          .forEach(
              metric ->
                  assertThat(evaluation.get("metrics").get(metric.getKey()))
                      .isEqualTo(metric.getValue()));
      for (String name : names) {
        assertThat(evaluation.at("/metrics/recall_" + name).asDouble()).isBetween(0.5, 1.0);
      }
    }
  }

  @Test
  void declaredOrder_decidesWhichClassIsPositive() throws Exception {
    Path data = csv("data.csv", k -> k == 0 ? "no" : "yes", 2);
    CliRun learned = CliRun.of("fit", "--data=" + data, "--label=y", "--objective=logistic");
    assertThat(learned.err())
        .contains(
            "column y: yes is taken for the positive class, whose probability is predicted, beside"
                + " no: --classes yes,no makes no the positive one");
    List<JsonNode> yes = scores(data, fit(data, "--objective=logistic --classes=no,yes"));
    Path reversed = fit(data, "--objective=logistic --classes=yes,no");
    List<JsonNode> no = scores(data, reversed);

    for (int row = 0; row < ROWS; row++) {
      assertThat(no.get(row).get("probabilities").get("yes").asDouble())
          .isEqualTo(1 - no.get(row).get("prediction").asDouble(), byUlp());
      assertThat(no.get(row).get("label")).isEqualTo(yes.get(row).get("label"));
    }
    CliRun csv = CliRun.of("score", data.toString(), "--model=" + reversed);
    assertThat(csv.out().lines().findFirst())
        .contains("row,prediction,label,probability_yes,probability_no,rawScore");
  }

  @Test
  void labelOfNoClass_isASentenceInTraining_andCountedInEvaluation() throws Exception {
    Path data = csv("data.csv", k -> List.of("a", "b", "c").get(k), 3);
    Path model = fit(data, "--objective=softmax");
    Path other = csv("other.csv", k -> List.of("a", "mauve", "").get(k), 3);

    CliRun scored = CliRun.of("score", other.toString(), "--model=" + model, "--label=y", "--json");
    JsonNode worth = new ObjectMapper().readTree(scored.out().lines().toList().getLast());
    assertThat(worth.at("/unknownLabels/mauve").asLong()).isPositive();
    assertThat(scored.err())
        .contains("rows are not evaluated, whose label is none of the classes a, b, c: mauve (");
    CliRun tested =
        CliRun.of(
            "fit",
            "--data=" + data,
            "--label=y",
            "--objective=softmax",
            "--test=" + other,
            "--json");
    JsonNode fit = new ObjectMapper().readTree(tested.out());
    assertThat(fit.at("/test/0/unknownLabels/mauve")).isEqualTo(worth.at("/unknownLabels/mauve"));

    CliRun trained =
        CliRun.of("fit", "--data=" + other, "--label=y", "--objective=softmax", "--classes=a,b,c");
    assertThat(trained.exitCode()).isEqualTo(1);
    assertThat(trained.err())
        .containsPattern(
            "other.csv, line \\d+: column y has the label mauve, which is none of the classes a, b,"
                + " c: correct it, or declare all classes with --classes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--objective=logistic | a b c | column y has [abc] beside [abc] and [abc], and objective"
            + " logistic takes 2 classes: correct it, or take --objective softmax",
        "--objective=ordinal | poor fair good | the classes in column y have no order of their own:"
            + " declare them in theirs with --classes fair,good,poor",
        "--objective=softmax | a a a | column y has one class alone, a: a model tells two or more"
            + " apart",
        "--objective=softmax | 0.5 1 2 | labels of objective softmax must be whole numbers .*column"
            + " y has 0.5",
      })
  void labelsThatMakeNoClasses_areRefusedInASentence(String flags, String labels, String sentence)
      throws Exception {
    Path data = csv("data.csv", k -> List.of(labels.split(" ", -1)).get(k), 3);

    CliRun run = CliRun.of("fit", "--data=" + data, "--label=y", flags);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).containsPattern(sentence);
  }

  @Test
  void refitExplainAndBacktest_knowClassesByName() throws Exception {
    Path data = csv("data.csv", k -> List.of("low", "mid", "high").get(k), 3);
    Path model = fit(data, "--objective=softmax --multiclass=perClass");
    Path moved = folder.resolve("moved.hf");
    CliRun refit =
        CliRun.of(
            "refit", "--data=" + data, "--model=" + model, "--out=" + moved, "--test=" + data);
    assertThat(refit.exitCode()).as(refit.err()).isZero();
    assertThat(names(moved)).containsExactly("high", "low", "mid");

    CliRun explained = CliRun.of("explain", data.toString(), "--model=" + moved);
    assertThat(explained.out().lines().skip(1).limit(3).map(line -> line.split(",", -1)[1]))
        .containsExactly("high", "low", "mid");
    CliRun curve =
        CliRun.of("explain", data.toString(), "--model=" + moved, "--partial-dependence=x");
    assertThat(curve.out().lines().skip(1).map(line -> line.split(",", -1)[1]).distinct())
        .containsExactly("high", "low", "mid");
    CliRun backtest =
        CliRun.of(
            "backtest",
            "--data=" + data,
            "--label=y",
            "--objective=softmax",
            "--window=100",
            "--json");
    JsonNode tested = new ObjectMapper().readTree(backtest.out());
    assertThat(tested.at("/settings/classes")).hasToString("[\"high\",\"low\",\"mid\"]");
    assertThat(tested.at("/windows/2/metrics/recall_high").asDouble()).isBetween(0.3, 1.0);
    assertThat(tested.at("/total/metrics/accuracy").asDouble()).isGreaterThan(0.5);
  }

  @Test
  void labelOfNoDeclaredClass_endsABacktest_whichNamesIt() throws IOException {
    Path data = folder.resolve("late.csv");
    Files.writeString(data, "x,y\n" + "1,red\n2,green\n".repeat(30) + "3,blue\n");
    CliRun.of(
            "backtest",
            "--data=" + data,
            "--label=y",
            "--objective=logistic",
            "--classes=red,green",
            "--window=20")
        .saysOneSentence(1, "line 62", "label blue", "none of the classes red, green", "--classes");
    CliRun learned =
        CliRun.of(
            "backtest",
            "--data=" + data,
            "--label=y",
            "--objective=softmax",
            "--window=20",
            "--json");
    assertThat(learned.json().get("rows").asInt()).isEqualTo(61);
  }

  @Test
  void quiet_leavesNotesOut_andNothingElse() throws IOException {
    Path data = folder.resolve("notes.csv");
    Files.writeString(data, "x,y\n" + "1,red\n2,green\n".repeat(30));
    String[] fit = {"fit", "--data=" + data, "--label=y", "--objective=logistic", "--rounds=2"};
    CliRun told = CliRun.of(fit);
    assertThat(told.err()).contains("note: column y: red is taken for the positive class");
    String[] quiet = Arrays.copyOf(fit, fit.length + 1);
    quiet[fit.length] = "--quiet";
    assertThat(CliRun.of(quiet)).isEqualTo(new CliRun(0, told.out(), ""));
    quiet[1] = "--data=none.csv";
    CliRun.of(quiet).saysOneSentence(1, "there is no file none.csv");
  }

  @Test
  void exportAndImport_keepNames_orTakeThemFromTheFlag() throws Exception {
    Path data = csv("data.csv", k -> List.of("low", "mid", "high").get(k), 3);
    Path model = fit(data, "--objective=softmax --multiclass=perClass");
    Path json = folder.resolve("m.json");
    Path back = folder.resolve("back.hf");
    assertThat(CliRun.of("export", "--model=" + model, "--to=json", "--out=" + json).exitCode())
        .isZero();
    assertThat(CliRun.of("import", json.toString(), "--out=" + back, "--label=y").exitCode())
        .isZero();
    assertThat(scores(data, back)).isEqualTo(scores(data, model));

    Path text = folder.resolve("m.txt");
    CliRun exported = CliRun.of("export", "--model=" + model, "--to=lightgbm", "--out=" + text);
    assertThat(exported.err()).contains("they are 0, 1 and so on for high, low, mid");
    CliRun named =
        CliRun.of(
            "import", text.toString(), "--out=" + back, "--label=y", "--classes=high,low,mid");
    assertThat(named.exitCode()).as(named.err()).isZero();
    assertThat(names(back)).containsExactly("high", "low", "mid");
    CliRun few =
        CliRun.of("import", text.toString(), "--out=" + back, "--label=y", "--classes=high,low");
    assertThat(few.err())
        .contains("--classes must name the 3 classes of objective softmax: high, low");
  }

  @Test
  void numbersFrom0_haveNoNames_andAreCountedIfNobodySays() throws Exception {
    Path data = csv("data.csv", String::valueOf, 3);
    Path counted = fit(data, "--objective=softmax");
    Path declared = fit(data, "--objective=softmax --classes=3");
    assertThat(Files.readAllBytes(counted)).isEqualTo(Files.readAllBytes(declared));
    assertThat(names(counted)).isEmpty();

    Path named = fit(data, "--objective=softmax --classes=red,green,blue");
    assertThat(names(named)).containsExactly("red", "green", "blue");
    assertThat(scores(data, named).getLast().at("/evaluation/loss"))
        .isEqualTo(scores(data, counted).getLast().at("/evaluation/loss"));
  }

  private static List<String> names(Path model) throws ModelFileException {
    return ModelFile.read(model).classes().names();
  }

  private static org.assertj.core.data.Offset<Double> byUlp() {
    return org.assertj.core.api.Assertions.within(1e-15);
  }

  private Path fit(Path data, String flags) {
    Path model = folder.resolve("m" + flags.hashCode() + data.getFileName() + ".hf");
    List<String> said = new ArrayList<>(List.of("fit", "--data=" + data, "--label=y"));
    said.addAll(List.of("--rounds=8", "--features=x,z", "--out=" + model));
    said.addAll(List.of(flags.split(" ", -1)));
    CliRun run = CliRun.of(said.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return model;
  }

  private static List<JsonNode> scores(Path data, Path model) throws IOException {
    CliRun run = CliRun.of("score", data.toString(), "--model=" + model, "--label=y", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<JsonNode> lines = new ArrayList<>();
    for (String line : run.out().lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }

  /** What a label is in Avro, by its text. */
  private static Object value(Schema type, String text) {
    return switch (type.getType()) {
      case ENUM -> new GenericData.EnumSymbol(type, text);
      case INT -> Integer.valueOf(text);
      case UNION -> Long.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case BOOLEAN -> Boolean.valueOf(text);
      default -> text;
    };
  }

  private record Drawn(double x, double z, String environment, int label) {}

  private static List<Drawn> rows(int classes) {
    var random = new SplittableRandom(5);
    List<Drawn> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      double x = random.nextDouble();
      double noisy = classes * Math.clamp(x + 0.2 * (random.nextDouble() - 0.5), 0, 0.999);
      rows.add(new Drawn(x, random.nextDouble(), "e" + row % 3, (int) noisy));
    }
    return rows;
  }

  private Path avro(String name, String type, int classes, IntFunction<Object> labels)
      throws IOException {
    Schema schema =
        new Schema.Parser()
            .parse(
                "{\"type\":\"record\",\"name\":\"Row\",\"fields\":[{\"name\":\"x\",\"type\":\"double\"},"
                    + "{\"name\":\"z\",\"type\":\"double\"},{\"name\":\"env\",\"type\":\"string\"},"
                    + "{\"name\":\"y\",\"type\":"
                    + type
                    + "}]}");
    Path file = folder.resolve(name + ".avro");
    try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, file.toFile());
      for (Drawn row : rows(classes)) {
        GenericRecord record = new GenericData.Record(schema);
        record.put("x", row.x());
        record.put("z", row.z());
        record.put("env", row.environment());
        record.put("y", labels.apply(row.label()));
        writer.append(record);
      }
    }
    return file;
  }

  private Path csv(String name, IntFunction<String> labels, int classes) throws IOException {
    StringBuilder csv = new StringBuilder("x,z,env,y\n");
    for (Drawn row : rows(classes)) {
      csv.append(
          String.format(
              Locale.ROOT,
              "%.6f,%.6f,%s,%s%n",
              row.x(),
              row.z(),
              row.environment(),
              labels.apply(row.label())));
    }
    return Files.writeString(folder.resolve(name), csv);
  }
}
