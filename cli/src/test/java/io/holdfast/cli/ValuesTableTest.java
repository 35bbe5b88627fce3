package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cells of the table in docs/values.md, for CSV and Avro files. */
class ValuesTableTest {
  private static final Path CASES =
      Path.of(System.getProperty("holdfast.shared", "../shared"), "cases", "categories");

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path model;

  /** y depends on the shop (1 to 4) and x. */
  @BeforeEach
  void fit() throws IOException {
    var random = new SplittableRandom(3);
    List<String> lines = new ArrayList<>(List.of("shop,x,y"));
    for (int row = 0; row < 300; row++) {
      int shop = random.nextInt(1, 5);
      int x = random.nextInt(100);
      boolean gap = row % 7 == 3;
      lines.add(shop + "," + (gap ? "" : x) + "," + (10 * (shop % 3) + (gap ? 7 : x / 9.0)));
    }
    model = folder.resolve("m.model");
    fit(Files.write(folder.resolve("train.csv"), lines), "shop");
  }

  private void fit(Path data, String categorical) {
    CliRun run =
        CliRun.of(
            "fit",
            "--data=" + data,
            "--label=y",
            "--categorical=" + categorical,
            "--objective=squared",
            "--rounds=30",
            "--out=" + model);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "NA", "N/A", "NaN", "nan", "null", "None", "?", "-"})
  void missing_inCsv_isTheMissingValueOfAnAvroFile(String cell) throws IOException {
    String expected = scores(avro("2", null));
    assertThat(scores(csv("shop,x", "2," + cell))).isEqualTo(expected);
    assertThat(scores(avro("2", Double.NaN))).isEqualTo(expected);
    assertThat(scores(avro("2", 50.0))).isNotEqualTo(expected);
  }

  @Test
  void missingCategory_isTheSameInBoth() throws IOException {
    String expected = scores(avro(null, 50.0));
    assertThat(scores(avro(" ", 50.0))).isEqualTo(expected);
    assertThat(scores(csv("shop,x", ",50"))).isEqualTo(expected);
  }

  @Test
  void unseen_countsAsMissing_andIsSaidInBoth() throws IOException {
    String expected = scores(avro(null, 50.0));
    for (Path file : List.of(csv("shop,x", "99,50"), avro("99", 50.0))) {
      CliRun run = score(file);
      assertThat(run.out()).isEqualTo(expected);
      assertThat(run.err())
          .contains("1 of the 1 values of column shop are categories that the model has never seen")
          .contains("the first is 99 in ");
    }
  }

  @Test
  void outOfRange_isRefusedInCsv_andInfinityIsTheSameInBoth() throws IOException {
    score(csv("shop,x", "2,1e400"))
        .saysOneSentence(1, "line 2: column x has 1e400", "beyond all numbers of 64 bits");
    assertThat(scores(csv("shop,x", "2,inf")))
        .isEqualTo(scores(avro("2", Double.POSITIVE_INFINITY)));
    assertThat(scores(csv("shop,x", "2,9007199254740993")))
        .isEqualTo(scores(avro("2", 9007199254740992.0)));
  }

  @Test
  void malformed_isRefusedByPlace_orByType() throws IOException {
    score(csv("shop,x", "2,5", "2,oops"))
        .saysOneSentence(1, "line 3: column x has oops, which is no number");
    score(avro("{\"name\": \"x\", \"type\": \"string\"}", "2", "oops"))
        .saysOneSentence(1, "x", "string");
  }

  @Test
  void absent_isRefusedWithTheNearestName_orMissingWhereThatIsAllowed() throws IOException {
    String expected = scores(avro("2", null));
    Path bare = avro("{\"name\": \"X\", \"type\": \"double\"}", "2", 50.0);
    for (Path file : List.of(csv("shop,X", "2,50"), bare)) {
      score(file).saysOneSentence(1, "lacks 1 of the 2 columns", "x (did you mean X?)");
      assertThat(CliRun.of("score", file.toString(), "--model=" + model, "--allow-missing=x").out())
          .isEqualTo(expected);
    }
  }

  /** 1.0 is 1; 01 is another name, as spaces around are not. */
  @ParameterizedTest
  @CsvSource({"new_float.csv", "new_floatmiss.csv", "new_pad.csv"})
  void casesOfCategories_areThoseOfTraining(String name) throws IOException {
    assumeTrue(Files.isDirectory(CASES), "no " + CASES);
    fit(CASES.resolve("train.csv"), "store");
    CliRun run = score(CASES.resolve(name));
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(CASES.resolve(name))) {
      lines.add(line.replaceFirst("^ *([0-9]+)(\\.0)? *,", "$1,"));
    }
    CliRun plain = score(Files.write(folder.resolve("plain.csv"), lines));
    assertThat(run.out()).isEqualTo(plain.out());
    assertThat(run.err().contains("never seen"))
        .isEqualTo(lines.stream().anyMatch(line -> line.startsWith("0")));
  }

  private String scores(Path file) {
    CliRun run = score(file);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    return run.out();
  }

  private CliRun score(Path file) {
    return CliRun.of("score", file.toString(), "--model=" + model);
  }

  private Path csv(String... lines) throws IOException {
    return Files.write(folder.resolve("rows.csv"), List.of(lines));
  }

  private Path avro(@Nullable String shop, @Nullable Object x) throws IOException {
    return avro("{\"name\": \"x\", \"type\": [\"null\", \"double\"]}", shop, x);
  }

  private Path avro(String field, @Nullable String shop, @Nullable Object x) throws IOException {
    Schema schema =
        new Schema.Parser()
            .parse(
                "{\"type\": \"record\", \"name\": \"Row\", \"fields\": ["
                    + "{\"name\": \"shop\", \"type\": [\"null\", \"string\"]}, "
                    + field
                    + "]}");
    GenericRecord record = new GenericData.Record(schema);
    record.put(0, shop);
    record.put(1, x);
    Path file = folder.resolve("rows.avro");
    try (var writer = new DataFileWriter<>(new GenericDatumWriter<GenericRecord>(schema))) {
      writer.create(schema, file.toFile());
      writer.append(record);
    }
    return file;
  }
}
