package io.holdfast.schemas.registry;

import java.util.UUID;

/** What a frame names a schema by. */
public sealed interface SchemaId {

  /** The number that a registry counts its schemas by. */
  record Numbered(int id) implements SchemaId {
    @Override
    public String toString() {
      return Integer.toString(id);
    }
  }

  /** The name that a schema has in every registry. */
  record Guid(UUID guid) implements SchemaId {
    @Override
    public String toString() {
      return guid.toString();
    }
  }
}
