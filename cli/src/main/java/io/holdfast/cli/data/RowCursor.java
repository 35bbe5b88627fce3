package io.holdfast.cli.data;

import org.jspecify.annotations.Nullable;

/** Walks the rows of a file, first to last. Owned by one thread; not thread-safe. */
public interface RowCursor extends AutoCloseable {

  /**
   * The next row, encoded with the file's schema: an Avro body without frame, the caller's to keep;
   * null after the last.
   */
  byte @Nullable [] next();

  /** Where the row last returned stands, to begin a sentence with. */
  String place();

  @Override
  void close();
}
