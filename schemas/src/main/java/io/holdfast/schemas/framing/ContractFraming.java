package io.holdfast.schemas.framing;

import io.holdfast.schemas.registry.SchemaRegistry.Registered;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** How values of one of our own schemas are framed in one topic. Immutable; safe to share. */
public final class ContractFraming {
  private final Schema schema;
  private final byte[] prefix;
  private final @Nullable Header id;

  private ContractFraming(Schema schema, byte[] prefix, byte @Nullable [] id) {
    this.schema = schema;
    this.prefix = prefix;
    this.id = id == null ? null : new RecordHeader(TopicFraming.VALUE_HEADER, id);
  }

  /** As Avro's single objects. */
  public static ContractFraming single(Schema schema) {
    byte[] frame = new SingleObjectFraming(fingerprint -> null).frame(schema, new byte[0]);
    return new ContractFraming(schema, frame, null);
  }

  /** By the schema's number, before the value. */
  static ContractFraming numbered(Schema schema, Registered as) {
    return new ContractFraming(schema, number(as), null);
  }

  /** By the schema's GUID in a header, or its number if the registry gives none. */
  static ContractFraming headed(Schema schema, Registered as) {
    byte[] id =
        as.guid() == null
            ? number(as)
            : ByteBuffer.allocate(TopicFraming.GUID_BYTES)
                .put(TopicFraming.GUID)
                .putLong(as.guid().getMostSignificantBits())
                .putLong(as.guid().getLeastSignificantBits())
                .array();
    return new ContractFraming(schema, new byte[0], id);
  }

  private static byte[] number(Registered as) {
    ByteBuffer number = ByteBuffer.allocate(TopicFraming.NUMBER_BYTES);
    return number.put(TopicFraming.NUMBER).putInt(as.id()).array();
  }

  /** Whether values have a field, which an older schema may not know. */
  public boolean has(String field) {
    return schema.getField(field) != null;
  }

  /** What is before a body; a copy. */
  public byte[] prefix() {
    return prefix.clone();
  }

  /** A body in its frame. */
  public byte[] frame(byte[] body) {
    byte[] framed = Arrays.copyOf(prefix, prefix.length + body.length);
    System.arraycopy(body, 0, framed, prefix.length, body.length);
    return framed;
  }

  /** The headers of a value that comes of a record: the record's, but for its schema's name. */
  public Headers headers(Headers record) {
    if (id == null && record.lastHeader(TopicFraming.VALUE_HEADER) == null) {
      return record;
    }
    Headers own = new RecordHeaders();
    for (Header header : record) {
      if (!header.key().equals(TopicFraming.VALUE_HEADER)) {
        own.add(header);
      }
    }
    return id == null ? own : own.add(id);
  }
}
