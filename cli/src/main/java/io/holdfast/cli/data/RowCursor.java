package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.wire.MalformedRecordException;
import org.jspecify.annotations.Nullable;

/** Walks the rows of a file, first to last. Owned by one thread; not thread-safe. */
public interface RowCursor extends AutoCloseable {

  /**
   * The next row, an Avro body by the file's schema and the caller's to keep; null after the last.
   */
  byte @Nullable [] next();

  /** Where the row last returned stands, to begin a sentence with. */
  String place();

  @Override
  void close();

  /** Decodes fields of the row last returned. */
  default @Nullable Object[] fields(FieldDecoder decoder, byte[] body) {
    try {
      return decoder.decode(body, 0);
    } catch (MalformedRecordException e) {
      throw new DataException("%s cannot be decoded: %s", place(), e.getMessage());
    }
  }

  /** Decodes the features of the row last returned. */
  default void features(FeatureDecoder decoder, byte[] body, double[] features) {
    try {
      decoder.decode(body, 0, features);
    } catch (MalformedRecordException e) {
      throw new DataException("%s cannot be decoded: %s", place(), e.getMessage());
    }
  }
}
