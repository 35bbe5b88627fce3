package io.holdfast.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliRun;
import io.holdfast.cli.input.DataSource;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Conversions;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;

/** What Parquet's types become; the files are made by pyarrow. */
class ParquetFileTest {
  private static Path file(String name) throws URISyntaxException {
    return Path.of(Objects.requireNonNull(CliRun.class.getResource(name)).toURI());
  }

  @SuppressWarnings("NullAway") // Avro's way to say: no object to reuse
  private static List<GenericRecord> rows(String name) throws URISyntaxException, IOException {
    DataFile file = DataFile.open(DataSource.of(file(name)), Reading.PLAIN);
    var data = new GenericData();
    data.addLogicalTypeConversion(new Conversions.DecimalConversion());
    var reader = new GenericDatumReader<GenericRecord>(file.schema(), file.schema(), data);
    List<GenericRecord> rows = new ArrayList<>();
    try (RowCursor cursor = file.open()) {
      for (byte[] body = cursor.next(); body != null; body = cursor.next()) {
        rows.add(reader.read(null, DecoderFactory.get().binaryDecoder(body, null)));
      }
    }
    return rows;
  }

  @Test
  void typesOfAllKinds_areTheirValues() throws Exception {
    List<GenericRecord> rows = rows("types.parquet");
    assertThat(rows).hasSize(4);
    assertThat(rows.get(1))
        .hasToString(
            """
            {"b": false, "i8": -2, "u16": 65535, "i32": -2147483648, "u32": 4294967295, \
            "i64": -9223372036854775808, "u64": 18446744073709551615, "f": -2.0, "d": "NaN", \
            "f16": -2.0, "s": "é", "bin": "\\u0000ÿ", "fix": "abcd", "dec32": -2.50, \
            "dec": -12345678901234567890.50, "day": -1, "tms": 1709208000123000, \
            "tus": 1709208000123456, "tns": 1709208000123456, "clock": 3723000000, \
            "clockus": 3723000004, "cat": "y", "id": "00112233-4455-6677-8899-aabbccddeeff", \
            "null": null, "at": {"site": null, "pos": null}, "many": [], "map": [], \
            "unit_x0020_price": 2, "y": 2.0}\
            """);
    assertThat(rows.get(2).toString())
        .contains("\"dec\": null", "\"day\": null", "\"at\": null", "\"many\": null");
    assertThat(rows.getFirst().toString()).contains("\"pos\": {\"lat\": 1.5}");
  }

  @Test
  void timesOf96Bits_areTimes() throws Exception {
    assertThat(rows("int96.parquet").getFirst().get("t")).isEqualTo(1_709_208_000_123_456L);
  }

  @Test
  void lists_areLeftOut_andGroupsAreFeatures() throws Exception {
    CliRun fit =
        CliRun.of(
            "fit", "--data=" + file("types.parquet"), "--label=y", "--objective=squared", "--json");
    assertThat(fit.json().get("features").toString())
        .contains("\"at.pos.lat\"", "\"unit price\"", "\"dec\"")
        .doesNotContain("many", "map");
    assertThat(fit.err()).contains("many (array", "map (array");
  }
}
