package io.holdfast.schemas.framing;

import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.wire.MalformedRecordException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a registry once said, for those who know no registry and for when it does not answer.
 * Thread-safe.
 */
public interface SchemaStore {

  /** The schema of an id; null if it is not known here. May wait to find out. */
  @Nullable Schema find(SchemaId id);

  /**
   * Keeps a schema of records of a topic, under its id and its fingerprint, and waits until that is
   * safe. What is there already is not written again.
   *
   * @return the schema that stands for it from now on
   * @throws MalformedRecordException in one sentence if another schema has its fingerprint, so that
   *     its records could not be told from those of the other
   * @throws RuntimeException in one sentence if it cannot be kept now
   */
  Schema keep(String topic, SchemaId id, Schema schema) throws MalformedRecordException;
}
