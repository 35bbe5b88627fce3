package io.holdfast.service.runtime;

import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** The schemas of records as they are known now. Thread-safe. */
public interface RecordSchemas {

  /** The schemas known of a record topic, the newest first; the same list until that changes. */
  List<Schema> all(String topic);

  /** The schema of that CRC-64-AVRO fingerprint; empty if it is not known. */
  Optional<Schema> find(long fingerprint);
}
