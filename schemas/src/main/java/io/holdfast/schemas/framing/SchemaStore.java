package io.holdfast.schemas.framing;

import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.registry.SchemaRegistry.Registered;
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
   * Keeps a schema of records of a topic under its id and fingerprint, and waits until that is
   * safe: the one that stands for it from now on. If another has its fingerprint, so that records
   * could not be told apart, that is a MalformedRecordException; if it cannot be kept now, a
   * RuntimeException.
   */
  Schema keep(String topic, SchemaId id, Schema schema) throws MalformedRecordException;

  /** What the registry once called a schema; null if that is not known here. May wait. */
  @Nullable Registered known(Schema schema);
}
