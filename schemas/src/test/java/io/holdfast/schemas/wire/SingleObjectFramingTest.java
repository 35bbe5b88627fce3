package io.holdfast.schemas.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.message.BinaryMessageDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SingleObjectFramingTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("R").fields().requiredInt("a").endRecord();
  private final SingleObjectFraming framing =
      new SingleObjectFraming(SchemaSource.of(List.of(SCHEMA)));

  @Test
  void frame_encodedRecord_isReadByAvroAndByUs() throws IOException, MalformedRecordException {
    GenericRecord record = new GenericRecordBuilder(SCHEMA).set("a", 5).build();

    byte[] framed = new RecordEncoder(SCHEMA, framing).encode(record);

    assertThat(new BinaryMessageDecoder<GenericRecord>(new GenericData(), SCHEMA).decode(framed))
        .isEqualTo(record);
    Framing.Frame frame = framing.open(framed);
    assertThat(frame.schema()).isSameAs(SCHEMA);
    assertThat(new BodyReader(framed, frame.bodyOffset()).readInt()).isEqualTo(5);
    assertThat(new RecordEncoder(SCHEMA).encode(record)).isEqualTo(framed);
  }

  @ParameterizedTest
  @CsvSource({
    "'', UNKNOWN_FRAMING",
    "C301, UNKNOWN_FRAMING",
    "C3020000000000000000, UNKNOWN_FRAMING",
    "00000000000102030405, UNKNOWN_FRAMING",
    "C3010000000000000000, UNKNOWN_SCHEMA"
  })
  void open_otherBytes_saysWhy(String hex, Reason reason) {
    byte[] bytes = java.util.HexFormat.of().parseHex(hex);

    assertThatThrownBy(() -> framing.open(bytes))
        .isInstanceOfSatisfying(
            MalformedRecordException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void open_null_hasNoValue() {
    assertThatThrownBy(() -> framing.open(null))
        .isInstanceOfSatisfying(
            MalformedRecordException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_VALUE));
  }

  @Test
  void fingerprint_hex_isReadBack() {
    long fingerprint = Fingerprint.of(SCHEMA);

    assertThat(Fingerprint.parse(Fingerprint.hex(fingerprint))).isEqualTo(fingerprint);
    assertThat(Fingerprint.hex(1)).isEqualTo("0000000000000001");
  }
}
