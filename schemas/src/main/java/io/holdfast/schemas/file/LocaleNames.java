package io.holdfast.schemas.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.Sentence;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What a process is given and says, whatever its locale: Java reads arguments and names files in
 * the locale's charset, which nothing changes once it runs. Stateless.
 */
public final class LocaleNames {
  private static final char UNREADABLE = '\uFFFD';

  private LocaleNames() {}

  /** Why one of the texts that a process was given is not what was written; null if all are. */
  public static @Nullable String problem(Collection<String> given) {
    return problem(given, System.getProperty("sun.jnu.encoding", UTF_8.name()));
  }

  static @Nullable String problem(Collection<String> given, String charset) {
    if (charset.equalsIgnoreCase(UTF_8.name())) {
      return null;
    }
    return given.stream()
        .filter(text -> text.indexOf(UNREADABLE) >= 0)
        .findFirst()
        .map(
            text ->
                Sentence.of(
                    "%s has letters that the charset of the locale, %s, lacks: start with"
                        + " LC_ALL=C.UTF-8, or by the launcher holdfast, which sees to it",
                    text, charset))
        .orElse(null);
  }

  /** Has what is printed be UTF-8. */
  public static void printUtf8() {
    System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8));
    System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8));
  }
}
