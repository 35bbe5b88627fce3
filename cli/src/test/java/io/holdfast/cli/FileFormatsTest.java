package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.Reading;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same rows in every format, packing and way give the same models and scores. */
class FileFormatsTest {
  private static final int ROWS = 90;
  private static final String[] FIT = {
    "--label=y", "--environment=env", "--objective=squared", "--exclude=id,yb", "--rounds=5"
  };

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static String fitted;

  @SuppressWarnings("NullAway.Init")
  private static String scores;

  @BeforeAll
  static void fit() throws IOException {
    Path csv = TestFiles.write(folder.resolve("rows.csv"), ROWS, 1);
    Path model = folder.resolve("rows.hf");
    CliRun run = CliRun.of(fit(csv.toString(), "--out=" + model));
    assertThat(run.exitCode()).as(run.err()).isZero();
    fitted = CliRun.of(fit(csv.toString())).out();
    scores = CliRun.of("score", csv.toString(), "--model=" + model).out();
    assertThat(scores.lines()).hasSize(ROWS + 1);
  }

  private static String[] fit(String data, String... more) {
    return Stream.of(Stream.of("fit", "--data=" + data, "--json"), Stream.of(FIT), Stream.of(more))
        .flatMap(part -> part)
        .toArray(String[]::new);
  }

  static Stream<Arguments> formats() {
    return Stream.of("csv", "jsonl", "avro", "parquet")
        .flatMap(
            format -> Stream.of("", ".gz", ".zst").map(packing -> Arguments.of(format, packing)));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void rows_inAnyFormat_areTheSame(String format, String packing) throws IOException {
    Path file = write("whole", 0, ROWS, format, packing);
    assertSame(CliRun.of(fit(file.toString())), fitted);
    assertSame(CliRun.of("score", file.toString(), "--model=" + folder.resolve("rows.hf")), scores);

    byte[] bytes = Files.readAllBytes(file);
    assertSame(CliRun.from(new ByteArrayInputStream(bytes), fit("-")), fitted);
    assertSame(
        CliRun.from(
            new ByteArrayInputStream(bytes), "score", "-", "--model=" + folder.resolve("rows.hf")),
        scores);

    List<String> parts = new ArrayList<>();
    for (int part = 0; part < 3; part++) {
      parts.add(write("part" + part, 30 * part, 30 * part + 30, format, packing).toString());
    }
    String pattern = folder.resolve("part*." + format + packing).toString();
    assertSame(CliRun.of(fit(pattern)), fitted);
    List<String> score = new ArrayList<>(List.of("score"));
    score.addAll(parts);
    score.add("--model=" + folder.resolve("rows.hf"));
    assertSame(CliRun.of(score.toArray(String[]::new)), scores);
  }

  private static void assertSame(CliRun run, String out) {
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(out);
  }

  /** Rows of the CSV file in another format. */
  private static Path write(String name, int from, int to, String format, String packing)
      throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("rows.csv"));
    List<String> rows = new ArrayList<>(List.of(lines.getFirst()));
    rows.addAll(lines.subList(1 + from, 1 + to));
    byte[] bytes =
        switch (format) {
          case "csv" -> String.join("\n", rows).getBytes(StandardCharsets.UTF_8);
          case "jsonl" -> json(rows).getBytes(StandardCharsets.UTF_8);
          case "avro" -> avro(Files.write(folder.resolve("some.csv"), rows));
          default -> resource(from == 0 && to == ROWS ? "rows" : "rows" + from);
        };
    Path file = folder.resolve(name + "." + format + packing);
    return Files.write(file, packed(bytes, packing));
  }

  /** Made of the same CSV by pyarrow. */
  private static byte[] resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(FileFormatsTest.class.getResourceAsStream(name + ".parquet"))) {
      return in.readAllBytes();
    }
  }

  private static byte[] packed(byte[] bytes, String packing) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (OutputStream out =
        switch (packing) {
          case ".gz" -> new GZIPOutputStream(packed);
          case ".zst" -> new ZstdOutputStreamNoFinalizer(packed);
          default -> packed;
        }) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static String json(List<String> csv) {
    String[] names = csv.getFirst().split(",", -1);
    StringBuilder json = new StringBuilder();
    for (String line : csv.subList(1, csv.size())) {
      String[] cells = line.split(",", -1);
      List<String> values = new ArrayList<>();
      for (int i = 0; i < cells.length; i++) {
        String value = i < 3 ? '"' + cells[i] + '"' : cells[i].isEmpty() ? "null" : cells[i];
        values.add('"' + names[i] + "\": " + value);
      }
      json.append('{').append(String.join(", ", values)).append("}\n");
    }
    return json.toString();
  }

  private static byte[] avro(Path csv) throws IOException {
    DataFile file = DataFile.open(DataSource.of(csv), Reading.PLAIN);
    var bytes = new ByteArrayOutputStream();
    try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>());
        RowCursor rows = file.open()) {
      writer.create(file.schema(), bytes);
      for (byte[] row = rows.next(); row != null; row = rows.next()) {
        writer.appendEncoded(ByteBuffer.wrap(row));
      }
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @MethodSource("formats")
  void fileThatWasCut_isOneSentence(String format, String packing) throws IOException {
    Path whole = write("uncut", 0, ROWS, format, packing);
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = folder.resolve("cut." + format + packing);
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    CliRun.of(fit(cut.toString())).saysOneSentence(1, cut.toString());
  }

  @Test
  void bombOfZstd_isOneSentence_inBoundedMemory() throws IOException {
    Path bomb = folder.resolve("bomb.csv.zst");
    var packed = new ByteArrayOutputStream();
    try (OutputStream out = new ZstdOutputStreamNoFinalizer(packed)) {
      out.write("x,y\n".getBytes(StandardCharsets.UTF_8));
      byte[] zeros = new byte[1 << 20];
      Arrays.fill(zeros, (byte) '0');
      for (int i = 0; i < 256; i++) {
        out.write(zeros);
      }
    }
    Files.write(bomb, packed.toByteArray());
    plain(bomb).saysOneSentence(1, bomb + " has a line of more than 16,777,216");
  }

  @Test
  void keptColumns_goBeforeTheScores_asTheyAreWritten() throws IOException {
    Path file = folder.resolve("kept.csv");
    List<String> rows = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("rows.csv"))) {
      rows.add((rows.isEmpty() ? "row" : rows.size() + ".50") + "," + line);
    }
    Files.write(file, rows);
    String model = "--model=" + folder.resolve("rows.hf");
    List<String> lines =
        CliRun.of("score", file.toString(), model, "--keep=id,row").out().lines().toList();
    assertThat(lines).hasSize(ROWS + 1).first().asString().startsWith("id,kept row,row,prediction");
    assertThat(lines.get(3)).isEqualTo("r2,3.50," + scores.lines().toList().get(3));
    assertThat(CliRun.of("score", file.toString(), model, "--keep=row", "--json").out())
        .startsWith("{\"kept\":{\"row\":\"1.50\"},\"row\":1,\"prediction\":");
    CliRun.of("score", file.toString(), model, "--keep=idd")
        .saysOneSentence(2, "--keep names column idd");
  }

  @Test
  void dashAsOutput_isStandardOutput() {
    String model = "--model=" + folder.resolve("rows.hf");
    assertSame(CliRun.of("score", folder.resolve("rows.csv").toString(), model, "--out=-"), scores);
  }

  @Test
  void namesThatLie_areSaid() throws IOException {
    Path file = Files.writeString(folder.resolve("plain.csv.zst"), "x,y\n1,2\n");
    CliRun.of(fit(file.toString())).saysOneSentence(1, file + " is not compressed by zstd");
  }

  @Test
  void filesOfOtherColumns_areNamed() throws IOException {
    Path first = Files.writeString(folder.resolve("first.csv"), "x,y,env\n1,2,a\n");
    Path second = Files.writeString(folder.resolve("second.csv"), "x,y\n1,2\n");
    Path third = Files.writeString(folder.resolve("third.csv"), "y,x,env\n1,2,a\n");
    plain(first, second).saysOneSentence(1, second + " lacks column env, which " + first + " has");
    plain(first, third).saysOneSentence(1, third + " has column y where " + first + " has x");
    Path json = Files.writeString(folder.resolve("fourth.jsonl"), "{\"x\":1}\n");
    plain(first, json).saysOneSentence(1, first + " is csv and " + json + " is jsonl");
    CliRun.of(fit(folder.resolve("none*.csv").toString()))
        .saysOneSentence(1, "there is no file " + folder.resolve("none*.csv"));
  }

  @Test
  void placesInSeveralFiles_nameTheFile() throws IOException {
    Path first = Files.writeString(folder.resolve("one.csv"), "x,y,env\n1,2,a\n2,3,b");
    Path second = Files.writeString(folder.resolve("two.csv"), "x,y,env\n3,4,a\n5,high,b\n");
    plain(first, second).saysOneSentence(1, second + ", line 3", "column y has high");
  }

  @Test
  void severalFilesOfTwoBytesACharacter_areRefused() throws IOException {
    Path first = Files.writeString(folder.resolve("one.csv"), "x,y\n1,2\n", UTF_16LE);
    Path second = Files.writeString(folder.resolve("two.csv"), "x,y\n3,4\n", UTF_16LE);
    CliRun.of(
            "fit",
            "--label=y",
            "--objective=squared",
            "--encoding=UTF-16LE",
            "--data",
            first.toString(),
            second.toString())
        .saysOneSentence(1, "several files", "not in UTF-16LE");
  }

  private static CliRun plain(Path... files) {
    List<String> run =
        new ArrayList<>(List.of("fit", "--label=y", "--objective=squared", "--data"));
    Stream.of(files).map(Path::toString).forEach(run::add);
    return CliRun.of(run.toArray(String[]::new));
  }
}
