package io.holdfast.cli.csv;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.Sentence;
import org.jspecify.annotations.Nullable;

/** What is wrong with a CSV text, said after the place of it: the rest of a sentence. */
public final class CsvException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long line;

  @FormatMethod
  CsvException(long line, @FormatString String message, @Nullable Object... arguments) {
    super(Sentence.of(message, arguments));
    this.line = line;
  }

  /** The same in a text that so many lines come before. */
  CsvException after(long lines) {
    return line == 0 ? this : new CsvException(line + lines, "%s", getMessage());
  }

  /** The number of the line, from 1; 0 if it is no line's fault. */
  public long line() {
    return line;
  }
}
