package io.holdfast.service.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.holdfast.http.ProblemException;
import io.holdfast.schemas.wire.SchemaFile;

/** Whatever a request's body holds, it is records or a bad request. */
class RequestFuzzTest {
  private static final JsonRecords RECORDS =
      new JsonRecords(
          SchemaFile.parse(
              """
              {"type": "record", "name": "Ride", "fields": [
                {"name": "x", "type": "double"},
                {"name": "n", "type": ["null", "long"], "default": null},
                {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                {"name": "price",
                 "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
                {"name": "station", "type": {"type": "record", "name": "Station", "fields": [
                  {"name": "name", "type": "string"},
                  {"name": "tags", "type": {"type": "array", "items": "string"}}]}}]}
              """));

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void body(byte[] json) {
    try {
      for (JsonRecords.Given given : JsonRecords.read(json)) {
        assertThat(RECORDS.body(given).bytes()).isNotEmpty();
      }
    } catch (ProblemException refused) {
      assertThat(refused).message().isNotBlank();
    }
  }
}
