package io.holdfast.service.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.boosting.data.Feature;
import io.holdfast.http.ProblemException;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A decimal means the same in a request as in a record of the stream. */
final class JsonDecimalsTest {
  private static final Schema SCHEMA =
      SchemaFile.parse(
          """
          {"type": "record", "name": "R", "fields": [
            {"name": "d", "type": {"type": "bytes", "logicalType": "decimal", "precision": 30, "scale": 4}},
            {"name": "u", "type": ["null", {"type": "fixed", "size": 16, "name": "U", "logicalType": "uuid"}]}]}
          """);
  private static final String UUID = "0123f567-e89b-12d3-a456-426614174000";
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("d"), new Feature.Categorical("u", List.of("a", UUID)));

  @ParameterizedTest
  @ValueSource(strings = {"0", "12.5", "-0.0001", "9007199254740993", "12345678901234567890.1234"})
  void number_isTheDecimalsDouble(String text) throws Exception {
    Schema decimal = SCHEMA.getField("d").schema();
    GenericRecord row = new GenericData.Record(SCHEMA);
    row.put(
        "d",
        new Conversions.DecimalConversion()
            .toBytes(new BigDecimal(text).setScale(4), decimal, decimal.getLogicalType()));
    byte[] streamed = new RecordEncoder(SCHEMA).encode(row);
    byte[] body = Arrays.copyOfRange(streamed, SingleObjectFraming.HEADER_BYTES, streamed.length);
    assertThat(decoded(SCHEMA, body)[0]).isEqualTo(Double.parseDouble(text));
    assertThat(requested("{\"d\": " + text + "}")[0]).isEqualTo(Double.parseDouble(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.30000000000000004", "1e-400", "1e300"})
  void numberThatTheDecimalCouldNotHold_isItself_asInAFile(String text) throws Exception {
    assertThat(requested("{\"d\": " + text + "}")[0]).isEqualTo(Double.parseDouble(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "-1e2000000000", "\"7\"", "true", "[1]"})
  void whatIsNoNumber_orBeyondThem_isRefused(String text) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> requested("{\"d\": " + text + "}"))
        .withMessageStartingWith("field d must be ")
        .withMessageContaining("number");
  }

  @ParameterizedTest
  @ValueSource(strings = {UUID, "0123F567-E89B-12D3-A456-426614174000"})
  void uuid_isItsText(String text) throws Exception {
    assertThat(requested("{\"d\": 1, \"u\": \"" + text + "\"}")[1]).isEqualTo(1);
  }

  private static double[] requested(String json) throws Exception {
    JsonRecords records = new JsonRecords(SCHEMA);
    JsonRecords.Given given = JsonRecords.read(json.getBytes(UTF_8)).getFirst();
    return decoded(records.schema(), records.body(given).bytes());
  }

  private static double[] decoded(Schema schema, byte[] body) throws MalformedRecordException {
    double[] vector = new double[FEATURES.size()];
    FeatureDecoder.compile(schema, FEATURES).decode(body, 0, vector);
    return vector;
  }
}
