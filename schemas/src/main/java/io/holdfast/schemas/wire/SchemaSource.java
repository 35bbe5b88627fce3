package io.holdfast.schemas.wire;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Writer schemas by their CRC-64-AVRO fingerprint. Thread-safe. */
@FunctionalInterface
public interface SchemaSource {

  /** The schema, always the same instance; null if it is not known. May wait to find out. */
  @Nullable Schema find(long fingerprint);

  /** Just these schemas. */
  static SchemaSource of(Collection<Schema> schemas) {
    Map<Long, Schema> byFingerprint = new HashMap<>();
    for (Schema schema : schemas) {
      byFingerprint.putIfAbsent(Fingerprint.of(schema), schema);
    }
    return byFingerprint::get;
  }
}
