package io.holdfast.service.lookup;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.SchemaUnavailableException;
import io.holdfast.schemas.wire.BodyPlan;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.io.IOException;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A message's value as JSON, read as scorers read it.
 *
 * @param json without fields that no request may have; null if it cannot be read
 * @param problem why it cannot be read, in a sentence; null if it can
 */
public record DecodedValue(@Nullable String json, @Nullable String problem) {

  /** Opens and decodes a value; null is none, and a problem of its own. */
  @SuppressWarnings("IllegalCatch") // Avro throws what it likes of bytes that are not its own
  public static DecodedValue of(RecordFraming framing, byte @Nullable [] value, Headers headers) {
    if (value == null) {
      return new DecodedValue(null, "there is no value");
    }
    try {
      Framing.Frame frame = framing.open(value, headers);
      byte[] bytes = frame.bytes(value);
      int begin = frame.bodyOffset();
      // Before Avro's reader sees it, which allocates what sizes claim, and follows any nesting.
      BodyPlan.checking(frame.schema()).read(bytes, begin, frame);
      GenericRecord record =
          new GenericDatumReader<GenericRecord>(frame.schema())
              .read(
                  null,
                  DecoderFactory.get().binaryDecoder(bytes, begin, bytes.length - begin, null));
      return new DecodedValue(DatumJson.of(record).toString(), null);
    } catch (MalformedRecordException | SchemaUnavailableException e) {
      return new DecodedValue(null, e.getMessage());
    } catch (IOException | RuntimeException e) {
      return new DecodedValue(null, "the value cannot be read as Avro: " + e.getMessage());
    }
  }
}
