package io.holdfast.schemas.framing;

import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** The ways in which a value says by which schema it was written. */
public sealed interface WireFormat {

  /**
   * What the value looks like: single object, Confluent's in value or headers, or JSON if a schema
   * is declared.
   */
  record Detected(@Nullable Schema declared) implements WireFormat {}

  /** Avro's single-object encoding: {@code C3 01}, fingerprint, body. */
  record SingleObject() implements WireFormat {}

  /** Confluent's: {@code 00}, the schema's number in a registry (4 bytes, big-endian), body. */
  record Confluent() implements WireFormat {}

  /**
   * Confluent's in the header {@code __value_schema_id}: {@code 01} and the schema's GUID (16
   * bytes) or {@code 00} and its number. The value is the body alone.
   */
  record ConfluentHeader() implements WireFormat {}

  /** The body alone, always of one schema. */
  record Plain(Schema schema) implements WireFormat {}

  /** A JSON object, read by a schema. */
  record Json(Schema schema) implements WireFormat {}
}
