package io.holdfast.schemas.wire;

import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Writer schemas by their CRC-64-AVRO fingerprint. Thread-safe. */
@FunctionalInterface
public interface SchemaSource {

  /** The schema, always the same instance; null if it is not known. May wait to find out. */
  @Nullable Schema find(long fingerprint);
}
