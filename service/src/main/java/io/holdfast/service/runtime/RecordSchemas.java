package io.holdfast.service.runtime;

import java.util.Optional;
import org.apache.avro.Schema;

/** The schemas of records as they are known now. Thread-safe. */
public interface RecordSchemas {

  /** The newest schema of a record topic; empty if none is known. */
  Optional<Schema> latest(String topic);

  /** The schema of that CRC-64-AVRO fingerprint; empty if it is not known. */
  Optional<Schema> find(long fingerprint);
}
