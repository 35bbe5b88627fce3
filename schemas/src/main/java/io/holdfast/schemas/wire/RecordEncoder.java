package io.holdfast.schemas.wire;

import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;

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

  /** Frame and body, or an AvroRuntimeException if the record does not fit the schema. */
  public byte[] encode(GenericRecord record) {
    return framing.frame(schema, ContractCodec.body(256, out -> writer.write(record, out)));
  }
}
