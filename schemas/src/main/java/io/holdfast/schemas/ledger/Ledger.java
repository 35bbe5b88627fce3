package io.holdfast.schemas.ledger;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * SKELETON: what the model topic says, rebuilt from its records in order. Not thread-safe; its
 * owner applies records and hands out the immutable {@link LedgerVersion}s.
 */
public final class Ledger {

  /** What a record changed. */
  public sealed interface Event {
    /** A verified version now serves. */
    record Serves(String model, LedgerVersion version, ModelHead head) implements Event {}

    /** A head names something that cannot be verified; what served before serves on. */
    record Rejected(String model, long version, String reason, String detail) implements Event {}

    /** Nothing that a scorer cares for. */
    record Stored() implements Event {}
  }

  /**
   * Applies one record. Never throws for what the record holds: a bad record is an {@link
   * Event.Rejected} and changes nothing.
   */
  public Event apply(String key, byte @Nullable [] value) {
    return new Event.Rejected(key, value == null ? 0 : value.length, "SKELETON", "");
  }

  /** The version that serves. */
  public Optional<LedgerVersion> serving(String model) {
    return Optional.empty();
  }

  /** The head as last accepted. */
  public Optional<ModelHead> head(String model) {
    return Optional.empty();
  }

  /** All manifests that the topic holds, ascending by version. */
  public List<ModelManifest> versions(String model) {
    return List.of();
  }
}
