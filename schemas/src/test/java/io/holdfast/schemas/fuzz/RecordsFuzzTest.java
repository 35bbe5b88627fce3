package io.holdfast.schemas.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.TopicFraming;
import io.holdfast.schemas.framing.WireFormat;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Whatever a record of a topic holds, it is read or refused as malformed. */
class RecordsFuzzTest {
  private static final Schema RECORD =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Everything", "fields": [
            {"name": "int", "type": "int"},
            {"name": "long", "type": ["long", "null"]},
            {"name": "float", "type": "float"},
            {"name": "double", "type": ["null", "double"]},
            {"name": "truth", "type": "boolean"},
            {"name": "text", "type": "string"},
            {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["a", "b"]}},
            {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
            {"name": "price",
             "type": {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 4}},
            {"name": "code", "type": {"type": "fixed", "name": "Code", "size": 3}},
            {"name": "skipped", "type": {"type": "array", "items": {"type": "map", "values": "bytes"}}},
            {"name": "inner", "type": ["null", {"type": "record", "name": "Inner", "fields": [
              {"name": "x", "type": ["null", "double", "string"]},
              {"name": "next", "type": ["null", "Inner"]}]}]}]}
          """);
  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("int"),
          new Feature.Numeric("long"),
          new Feature.Numeric("float"),
          new Feature.Numeric("double"),
          new Feature.Numeric("truth"),
          new Feature.Categorical("text", List.of("", "a")),
          new Feature.Categorical("kind", List.of("a", "b")),
          new Feature.Numeric("at"),
          new Feature.Numeric("price"));
  private static final Framing SINGLE = new SingleObjectFraming(SchemaSource.of(List.of(RECORD)));

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void framedValue(byte[] value) {
    decode(new TopicFraming(new WireFormat.Detected(RECORD), SINGLE, null), value);
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void body(byte[] value) {
    decode(new TopicFraming(new WireFormat.Plain(RECORD), SINGLE, null), value);
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void json(byte[] value) {
    decode(new TopicFraming(new WireFormat.Json(RECORD), SINGLE, null), value);
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void headers(FuzzedDataProvider data) {
    var headers = new RecordHeaders();
    headers.add("__value_schema_id", data.consumeBytes(20));
    byte[] value = data.consumeRemainingAsBytes();
    var framing = new TopicFraming(new WireFormat.ConfluentHeader(), SINGLE, null);
    try {
      assertThat(framing.open(value, headers).schema()).isNotNull();
    } catch (MalformedRecordException refused) {
      assertThat(refused).message().isNotBlank();
    }
  }

  private static void decode(RecordFraming framing, byte[] value) {
    try {
      Framing.Frame frame = framing.open(value, new RecordHeaders());
      byte[] bytes = frame.bytes(value);
      double[] features = new double[FEATURES.size()];
      FeatureDecoder.compile(frame.schema(), FEATURES).decode(bytes, frame.bodyOffset(), features);
      Object[] fields =
          FieldDecoder.compile(frame.schema(), List.of("text", "int"))
              .decode(bytes, frame.bodyOffset());
      assertThat(fields[1]).isEqualTo(features[0]);
    } catch (MalformedRecordException refused) {
      assertThat(refused).message().isNotBlank();
    }
  }
}
