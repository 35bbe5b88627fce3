package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Avro files as people have them: whole, cut off, of any codec, with types that are no numbers. */
class AvroCasesTest {
  private static final Path CASES =
      Path.of(System.getProperty("holdfast.shared", "../shared"), "cases", "avro");
  private static final Schema AMOUNT =
      LogicalTypes.decimal(10, 2).addToSchema(Schema.create(Schema.Type.BYTES));
  private static final Schema ROW =
      new Schema.Parser()
          .parse(
              String.format(
                  Locale.ROOT,
                  """
                  {"type": "record", "name": "Row", "fields": [
                    {"name": "amount", "type": %s},
                    {"name": "tags", "type": {"type": "array", "items": "string"}},
                    {"name": "photo", "type": ["null", "bytes"], "default": null},
                    {"name": "y", "type": "double"}]}
                  """,
                  AMOUNT));

  @TempDir Path folder;

  @Test
  void wholeFiles_areReadWhole() {
    assertThat(fit("c_null.avro").json().get("rows").asInt()).isEqualTo(200);
    assertThat(fit("c_xz.avro").json().get("rows").asInt()).isEqualTo(200);
  }

  @Test
  void blockWithoutRecords_isNotTheEnd() {
    assertThat(fit("t_zeroblock.avro").json().get("rows").asInt()).isEqualTo(1_000);
  }

  @Test
  void fileCutOff_isASentence_forEveryCommandThatReadsIt() {
    Path model = folder.resolve("m");
    assertThat(fit("c_null.avro", "--out=" + model).exitCode()).isZero();
    String cut = file("c_trunc.avro");
    String[] parts = {cut + " is no readable Avro container file: it ends within block "};
    fit("c_trunc.avro").saysOneSentence(1, parts);
    for (String command : List.of("score", "explain")) {
      CliRun.of(command, cut, "--model=" + model).saysOneSentence(1, parts);
    }
    CliRun.of("refit", "--model=" + model, "--data=" + cut, "--out=" + model + "2")
        .saysOneSentence(1, parts);
    CliRun.of("backtest", "--data=" + cut, "--label=y", "--objective=squared")
        .saysOneSentence(1, parts);
  }

  @Test
  void decimalOfTheCase_isANumber() {
    assertThat(fit("l_decimal.avro").json().get("features").toString()).contains("amount");
  }

  @Test
  void decimal_isScoredAsTheSameNumberInCsv_andWhatIsNoFeature_isListedOnce() throws IOException {
    Path avro = folder.resolve("rows.avro");
    Path csv = folder.resolve("rows.csv");
    write(avro, csv);
    Path model = folder.resolve("model");
    CliRun fit =
        CliRun.of("fit", "--data=" + avro, "--label=y", "--objective=squared", "--out=" + model);
    assertThat(fit.exitCode()).as(fit.err()).isZero();
    assertThat(fit.err()).containsOnlyOnce("tags (array), photo (bytes)").contains("left out");

    CliRun ofAvro = CliRun.of("score", avro.toString(), "--model=" + model);
    CliRun ofCsv = CliRun.of("score", csv.toString(), "--model=" + model);
    assertThat(ofAvro.exitCode()).as(ofAvro.err()).isZero();
    assertThat(ofCsv.out()).isEqualTo(ofAvro.out());
    assertThat(ofAvro.out().lines().skip(1).map(line -> line.split(",", -1)[1]).distinct().count())
        .isGreaterThan(5);

    Path other = folder.resolve("other");
    CliRun fitCsv =
        CliRun.of("fit", "--data=" + csv, "--label=y", "--objective=squared", "--out=" + other);
    assertThat(fitCsv.exitCode()).as(fitCsv.err()).isZero();
    assertThat(CliRun.of("score", avro.toString(), "--model=" + other).out())
        .isEqualTo(ofAvro.out());
  }

  private static void write(Path avro, Path csv) throws IOException {
    List<String> lines = new ArrayList<>(List.of("amount,y"));
    try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(ROW))) {
      writer.create(ROW, avro.toFile());
      for (int i = 0; i < 300; i++) {
        BigDecimal amount = BigDecimal.valueOf(i * 37 % 1_000 - 300, 2);
        double y = amount.doubleValue() * 2;
        GenericRecord row = new GenericData.Record(ROW);
        row.put(
            "amount",
            new Conversions.DecimalConversion().toBytes(amount, AMOUNT, AMOUNT.getLogicalType()));
        row.put("tags", List.of("a"));
        row.put("y", y);
        writer.append(row);
        lines.add(amount + "," + y);
      }
    }
    Files.write(csv, lines);
  }

  private static CliRun fit(String name, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("fit", "--data=" + file(name), "--label=y", "--objective=squared", "--json"));
    arguments.addAll(List.of(more));
    return CliRun.of(arguments.toArray(String[]::new));
  }

  private static String file(String name) {
    Path file = CASES.resolve(name);
    assumeThat(file).exists();
    return file.toString();
  }
}
