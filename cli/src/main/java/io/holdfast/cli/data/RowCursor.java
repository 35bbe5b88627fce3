package io.holdfast.cli.data;

import org.jspecify.annotations.Nullable;

/** Walks the rows of a file, first to last. Owned by one thread; not thread-safe. */
public interface RowCursor extends AutoCloseable {

  /**
   * The next row, encoded with the file's schema: an Avro body without frame, the caller's to keep;
   * null after the last.
   *
   * @throws DataException if the row cannot be read
   */
  byte @Nullable [] next();

  /** Where the row last returned stands, to begin a sentence with: the file and its line or row. */
  String place();

  @Override
  void close();
}
