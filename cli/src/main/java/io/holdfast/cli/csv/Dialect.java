package io.holdfast.cli.csv;

import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** What is declared of how a CSV text is written; what is null tells itself. Immutable. */
public record Dialect(
    @Nullable Character delimiter,
    @Nullable Character quote,
    @Nullable Character decimal,
    @Nullable Charset encoding) {
  /** Nothing is declared. */
  public static final Dialect FOUND = new Dialect(null, null, null, null);

  /** A declared quote that is none: nothing encloses fields. */
  public static final char NO_QUOTE = 0;

  byte quoteMark() {
    if (quote == null) {
      return Marks.USUAL.quote();
    }
    return quote == NO_QUOTE ? Marks.NO_QUOTE : (byte) (char) quote;
  }
}
