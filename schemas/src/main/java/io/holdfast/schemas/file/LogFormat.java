package io.holdfast.schemas.file;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What lines of the log are, by {@code HOLDFAST_LOG}: {@code text} or {@code json}. Stateless. */
public final class LogFormat {
  private static final String VARIABLE = "HOLDFAST_LOG";

  private LogFormat() {}

  /** What is wrong with the variable, in a sentence; null if nothing is. */
  public static @Nullable String problem(Map<String, String> environment) {
    String format = environment.getOrDefault(VARIABLE, "text");
    return format.equals("text") || format.equals("json")
        ? null
        : VARIABLE + " must be text or json, and is '" + format + "'";
  }
}
