package io.holdfast.schemas.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonRecordTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Schema BIKE =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Bike", "fields": [
                {"name": "temp", "type": "double"},
                {"name": "hour", "type": "int"},
                {"name": "wind", "type": ["null", "float"]},
                {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["LOW", "HIGH"]}, "default": "LOW"},
                {"name": "at", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
                {"name": "day", "type": [{"type": "int", "logicalType": "date"}, "null"], "default": 3},
                {"name": "station", "type": ["null", {"type": "record", "name": "Station", "fields": [
                  {"name": "id", "type": ["long", "string"]}
                ]}], "default": null},
                {"name": "tags", "type": {"type": "map", "values": {"type": "array", "items": "boolean"}}, "default": {}},
                {"name": "raw", "type": ["null", "bytes"]}
              ]}
              """);

  @Test
  void body_leastObject_hasDefaultsAndNulls() throws Exception {
    assertThat(read("{\"temp\": 3, \"hour\": 7.0}"))
        .hasToString(
            "{\"temp\": 3.0, \"hour\": 7, \"wind\": null, \"kind\": \"LOW\", \"at\": null, \"day\":"
                + " 3, \"station\": null, \"tags\": {}, \"raw\": null}");
  }

  @Test
  void body_everything_isRead() throws Exception {
    assertThat(
            read(
                """
                {"temp": -1.5e3, "hour": 7, "wind": 2.5, "kind": "HIGH",
                 "at": "1970-01-01T00:00:01.000002Z", "day": "1970-01-10",
                 "station": {"id": "x"}, "tags": {"a": [true, false]}, "raw": "\\u00ff"}
                """))
        .hasToString(
            "{\"temp\": -1500.0, \"hour\": 7, \"wind\": 2.5, \"kind\": \"HIGH\", \"at\": 1000002,"
                + " \"day\": 9, \"station\": {\"id\": \"x\"}, \"tags\": {\"a\": [true, false]},"
                + " \"raw\": \"\u00ff\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | temp is missing, and the schema gives it neither a default nor null",
        "[] | the record must be an object: []",
        "{\"temp\": \"3\", \"hour\": 1} | temp must be a number: \"3\"",
        "{\"temp\": null, \"hour\": 1} | temp must be a number: null",
        "{\"temp\": 3, \"hour\": 1.5} | hour must be a whole number: 1.5",
        "{\"temp\": 3, \"hour\": 3000000000} | hour must be a whole number: 3000000000",
        "{\"temp\": 3, \"hour\": 1, \"wnd\": 2} | wnd is no field of the record schema Bike; did you mean wind?",
        "{\"temp\": 3, \"hour\": 1, \"wind\": true} | wind must be null or a number: true",
        "{\"temp\": 3, \"hour\": 1, \"kind\": \"low\"} | kind must be one of LOW, HIGH: \"low\"",
        "{\"temp\": 3, \"hour\": 1, \"at\": \"noon\"} | at must be null or a whole number or an ISO-8601 time: \"noon\"",
        "{\"temp\": 3, \"hour\": 1, \"station\": {\"id\": {}}} | station.id must be a whole number or a text: {}",
        "{\"temp\": 3, \"hour\": 1, \"station\": {\"ix\": 1}} | station must be null or an object: {\"ix\":1}",
        "{\"temp\": 3, \"hour\": 1, \"tags\": {\"a\": [1]}} | tags.a[0] must be true or false: 1",
      })
  void body_whatDoesNotFit_namesTheField(String json, String message) {
    assertThatThrownBy(() -> JsonRecord.body(JSON.readTree(json), BIKE))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessage(message);
  }

  @Test
  void body_deepObject_isRefused() throws JsonProcessingException {
    Schema chain =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Chain", "fields": [{"name": "next", "type": ["null", "Chain"]}]}
                """);
    String json = "{\"next\":".repeat(300) + "null" + "}".repeat(300);

    assertThatThrownBy(() -> JsonRecord.body(JSON.readTree(json), chain))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessage("objects are nested more than 100 deep");
  }

  private static GenericRecord read(String json) throws IOException, MalformedRecordException {
    byte[] body = JsonRecord.body(JSON.readTree(json), BIKE);
    BodyPlan.checking(BIKE).read(body, 0, BIKE);
    return new GenericDatumReader<GenericRecord>(BIKE)
        .read(null, DecoderFactory.get().binaryDecoder(body, null));
  }
}
