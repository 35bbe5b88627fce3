package io.holdfast.schemas.ledger;

import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.feature.UnseenListener;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.BySchema;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import org.apache.avro.Schema;

/**
 * From records of any schema to the features of one version. Thread-safe.
 *
 * <p>Feature codes depend on the version's own categories, so decoders belong to it. Each is
 * compiled once and kept: their number is that of the schemas that are asked for.
 */
public final class RecordDecoders {
  private final LedgerVersion version;
  private final UnseenListener unseen;
  private final BySchema<Compiled> compiled = new BySchema<>(this::compile);

  private sealed interface Compiled {
    record Usable(FeatureDecoder decoder) implements Compiled {}

    /** Remembered, so that a stream of incompatible records does not compile once a record. */
    record Refused(MalformedRecordException cause) implements Compiled {}
  }

  /** Of a version; {@code unseen} is told of categories that it does not know. */
  public RecordDecoders(LedgerVersion version, UnseenListener unseen) {
    this.version = version;
    this.unseen = unseen;
  }

  /**
   * The decoder of bodies written with {@code schema}, compiled on its first use.
   *
   * @throws MalformedRecordException if the schema cannot give the features
   */
  public FeatureDecoder of(Schema schema) throws MalformedRecordException {
    return switch (compiled.get(schema)) {
      case Compiled.Usable(FeatureDecoder decoder) -> decoder;
      case Compiled.Refused(MalformedRecordException cause) -> throw cause;
    };
  }

  /** The schemas so far that give the features. */
  public List<Schema> readable() {
    return compiled.schemas().stream()
        .filter(schema -> compiled.get(schema) instanceof Compiled.Usable)
        .toList();
  }

  private Compiled compile(Schema schema) {
    try {
      return new Compiled.Usable(version.decoder(schema, unseen));
    } catch (MalformedRecordException e) {
      return new Compiled.Refused(e);
    }
  }
}
