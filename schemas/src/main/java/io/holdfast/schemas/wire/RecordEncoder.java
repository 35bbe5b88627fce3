package io.holdfast.schemas.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Writes generic records of one schema as framed bytes. Thread-safe. */
public final class RecordEncoder {
  private final Schema schema;
  private final Framing framing;
  private final GenericDatumWriter<GenericRecord> writer;

  public RecordEncoder(Schema schema, Framing framing) {
    this.schema = schema;
    this.framing = framing;
    this.writer = new GenericDatumWriter<>(schema);
  }

  /** An encoder with single-object framing. */
  public RecordEncoder(Schema schema) {
    this(schema, new SingleObjectFraming(fingerprint -> null));
  }

  /**
   * Frame and body.
   *
   * @throws org.apache.avro.AvroRuntimeException if the record does not fit the schema
   */
  public byte[] encode(GenericRecord record) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try {
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
      writer.write(record, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("an array takes all that is written", e);
    }
    return framing.frame(schema, bytes.toByteArray());
  }
}
