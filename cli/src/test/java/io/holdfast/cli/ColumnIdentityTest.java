package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.Reading;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A column is its text in the file: where it stands, and what else there is, changes nothing. */
class ColumnIdentityTest {
  private static final Path CASES =
      Path.of(System.getProperty("holdfast.shared", "../shared"), "cases", "names");

  @TempDir Path folder;

  /** Label first, then three features that count differently. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "标签,年龄,收入,身高",
        "y,unit price,unit_price,unit-price",
        "y,a.b,a b,a_b",
        "1,2,3,4",
        "y,x_x0020_y,x y,x_y",
        "y,prix d'été,prix d été,prix_d_été",
        "\"the, label\",\"a \"\"quoted\"\" one\",😀,😁",
        "y, padded ,x,X",
      })
  void score_anyOrderWithOrWithoutLabel_csvOrAvro_isTheSame(String header) throws IOException {
    List<String> columns = List.of(header.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1));
    Path train = write("train.csv", columns, List.of(0, 1, 2, 3), 200, 1);
    Path model = folder.resolve("m.model");
    String label = columns.getFirst().replaceAll("^\"|\"$", "");
    CliRun fit =
        CliRun.of(
            "fit",
            "--data=" + train,
            "--label=" + label,
            "--objective=squared",
            "--rounds=20",
            "--out=" + model,
            "--json");
    assertThat(fit.json().get("features")).hasSize(3);
    assertThat(fit.json().at("/features/0").asText())
        .isEqualTo(columns.get(1).strip().replaceAll("^\"|\"$", "").replace("\"\"", "\""));

    List<String> expected = scores(model, write("same.csv", columns, List.of(0, 1, 2, 3), 20, 2));
    assertThat(scores(model, write("other.csv", columns, List.of(3, 0, 2, 1), 20, 2)))
        .isEqualTo(expected);
    Path bare = write("bare.csv", columns, List.of(2, 1, 3), 20, 2);
    assertThat(scores(model, bare)).isEqualTo(expected);
    assertThat(scores(model, avro(bare))).isEqualTo(expected);
    Path moved = write("moved.csv", columns, List.of(1, 2, 3, 0), 200, 1);
    assertThat(lossAfterRefit(model, moved)).isEqualTo(lossAfterRefit(model, train));
  }

  @Test
  void casesOfNames_areScoredByName() throws IOException {
    assumeTrue(Files.isDirectory(CASES), "no " + CASES);
    Path model = folder.resolve("m.model");
    fit(CASES.resolve("train.csv"), "标签", model);
    List<String> same = scores(model, CASES.resolve("new_same.csv"));
    assertThat(scores(model, CASES.resolve("new_reordered.csv"))).isEqualTo(same);
    assertThat(scores(model, CASES.resolve("new_nolabel.csv"))).isEqualTo(same);
    Path moved = CASES.resolve("refit_moved.csv"); // the label last
    List<String> back = Files.readAllLines(moved);
    back.replaceAll(line -> line.replaceFirst("(.*),([^,]*)", "$2,$1"));
    assertThat(lossAfterRefit(model, moved))
        .isEqualTo(lossAfterRefit(model, Files.write(folder.resolve("back.csv"), back)));
    Path swapped = folder.resolve("s.model");
    fit(CASES.resolve("sa_train.csv"), "y", swapped);
    assertThat(scores(swapped, CASES.resolve("sa_new.csv")))
        .isEqualTo(scores(swapped, CASES.resolve("sa_new_ok.csv")));
  }

  private static void fit(Path data, String label, Path model) {
    CliRun run =
        CliRun.of(
            "fit",
            "--data=" + data,
            "--label=" + label,
            "--objective=squared",
            "--rounds=20",
            "--out=" + model);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private String lossAfterRefit(Path model, Path data) {
    JsonNode refit =
        CliRun.of(
                "refit",
                "--model=" + model,
                "--data=" + data,
                "--out=" + folder.resolve("refitted.model"),
                "--json")
            .json();
    return refit.at("/after/loss").toString();
  }

  private static List<String> scores(Path model, Path data) {
    CliRun run = CliRun.of("score", data.toString(), "--model=" + model);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out().lines().toList();
  }

  /** Rows of {@code y = 9 a + 3 b + c}, with the columns in some order. */
  private Path write(String name, List<String> columns, List<Integer> order, int rows, long seed)
      throws IOException {
    var random = new SplittableRandom(seed);
    List<String> lines = new ArrayList<>();
    lines.add(order.stream().map(columns::get).collect(Collectors.joining(",")));
    for (int row = 0; row < rows; row++) {
      double[] x = IntStream.range(0, 3).mapToDouble(i -> random.nextInt(1000) / 1e3).toArray();
      double[] values = {9 * x[0] + 3 * x[1] + x[2], x[0], x[1], x[2]};
      lines.add(
          order.stream().map(i -> String.valueOf(values[i])).collect(Collectors.joining(",")));
    }
    return Files.write(folder.resolve(name), lines);
  }

  /** The rows of a CSV file as an Avro container. */
  private Path avro(Path csv) throws IOException {
    DataFile file = DataFile.open(DataSource.of(csv), Reading.PLAIN);
    Path path = folder.resolve("rows.avro");
    var reader = new GenericDatumReader<GenericRecord>(file.schema());
    try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(file.schema()));
        RowCursor rows = file.open()) {
      writer.create(file.schema(), path.toFile());
      for (byte[] body = rows.next(); body != null; body = rows.next()) {
        writer.append(reader.read(null, DecoderFactory.get().binaryDecoder(body, null)));
      }
    }
    return path;
  }
}
