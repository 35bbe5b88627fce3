package io.holdfast.service.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.TopicFraming;
import io.holdfast.schemas.framing.WireFormat;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.ContractCodec.BodyWriter;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** A message that nobody vouches for, shown to whoever looks it up. */
class DecodedValueTest {
  private static final AtomicInteger MADE = new AtomicInteger();

  private static final Schema RECORD =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "text", "type": {"type": "string",
              "java-class": "io.holdfast.service.lookup.DecodedValueTest$Injected",
              "avro.java.string": "io.holdfast.service.lookup.DecodedValueTest$Injected"}},
            {"name": "number", "type": {"type": "long", "logicalType":
              "io.holdfast.service.lookup.DecodedValueTest$Injected"}},
            {"name": "keyed", "type": {"type": "map", "values": "string",
              "java-class": "java.util.TreeMap",
              "java-key-class": "io.holdfast.service.lookup.DecodedValueTest$Injected"}},
            {"name": "nothings", "type": {"type": "array", "items": "null"}},
            {"name": "next", "type": ["null", "Ride"]}]}
          """);

  /** What a schema must not have made: it could as well open a file or a connection. */
  @SuppressWarnings("unused") // by whom the schema asks to
  public static final class Injected {
    public Injected() {
      MADE.incrementAndGet();
    }

    public Injected(String text) {
      MADE.addAndGet(text.length() + 1);
    }
  }

  private static DecodedValue of(BodyWriter body) {
    RecordFraming framing =
        new TopicFraming(
            new WireFormat.Plain(RECORD),
            new SingleObjectFraming(SchemaSource.of(List.of(RECORD))),
            null);
    return DecodedValue.of(framing, ContractCodec.body(body), new RecordHeaders());
  }

  @Test
  void classesThatASchemaNames_areNotMade() {
    DecodedValue value =
        of(
            out -> {
              out.writeString("red");
              out.writeLong(7);
              out.writeLong(1); // a block of one
              out.writeString("key");
              out.writeString("value");
              out.writeLong(0);
              out.writeLong(0);
              out.writeIndex(0);
            });

    assertThat(value.problem()).isNull();
    assertThat(value.json()).isEqualTo("{\"text\":\"red\",\"number\":7,\"next\":null}");
    assertThat(MADE).hasValue(0);
  }

  @Test
  void moreItemsThanBytes_areRefused() {
    DecodedValue value =
        of(
            out -> {
              out.writeString("red");
              out.writeLong(7);
              out.writeLong(0);
              out.writeLong(Integer.MAX_VALUE - 8L); // each takes no byte
              out.writeLong(0);
              out.writeIndex(0);
            });

    assertThat(value.json()).isNull();
    assertThat(value.problem()).contains("items");
  }

  @Test
  void textLongerThanTheMessage_isRefused() {
    DecodedValue value = of(out -> out.writeLong(Integer.MAX_VALUE - 8L));

    assertThat(value.json()).isNull();
    assertThat(value.problem()).isNotBlank();
  }

  @Test
  void nestingWithoutEnd_isRefused() {
    DecodedValue value =
        of(
            out -> {
              for (int depth = 0; depth < 100_000; depth++) {
                out.writeString("");
                out.writeLong(0);
                out.writeLong(0);
                out.writeLong(0);
                out.writeIndex(1);
              }
            });

    assertThat(value.json()).isNull();
    assertThat(value.problem()).contains("nested more than 100 deep");
  }
}
