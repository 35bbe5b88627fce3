package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/** Rows as records of another schema. Owned by one thread; not thread-safe. */
public final class Projection {
  private final Schema schema;
  private final GenericDatumReader<GenericRecord> reader;
  private final GenericDatumWriter<GenericRecord> writer;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);

  private Projection(Schema whole, Schema schema) {
    this.schema = schema;
    reader = new GenericDatumReader<>(whole, schema);
    writer = new GenericDatumWriter<>(schema);
  }

  /** Of rows of one schema as another says, by Avro's rules of resolution. */
  public static Projection to(Schema whole, Schema schema) {
    return new Projection(whole, schema);
  }

  public static Projection without(Schema whole, String field) {
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field one : whole.getFields()) {
      if (!one.name().equals(field)) {
        fields.add(new Schema.Field(one, one.schema()));
      }
    }
    return new Projection(
        whole,
        Schema.createRecord(
            whole.getName(), whole.getDoc(), whole.getNamespace(), whole.isError(), fields));
  }

  public Schema schema() {
    return schema;
  }

  public byte[] apply(byte[] body) {
    bytes.reset();
    try {
      BinaryDecoder in = DecoderFactory.get().binaryDecoder(body, null);
      @SuppressWarnings("NullAway") // Avro's way to say: no object to reuse
      GenericRecord record = reader.read(null, in);
      writer.write(record, encoder);
    } catch (IOException e) {
      throw new DataException("a row cannot be decoded: %s", e).because(e);
    }
    return bytes.toByteArray();
  }
}
