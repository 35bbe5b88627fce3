package io.holdfast.cli.letters;

import io.holdfast.cli.options.CommandException;
import io.holdfast.schemas.log.Letter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which dead letters are meant. */
final class LetterFilter {
  @Option(
      names = "--reason",
      paramLabel = "REASON",
      description = "Those of this reason alone, such as UNKNOWN_SCHEMA.")
  private @Nullable String reason;

  @Option(names = "--at", paramLabel = "PARTITION:OFFSET", description = "The one there alone.")
  private @Nullable String place;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Those of messages since then alone, such as 2026-01-31T12:00:00Z.")
  private @Nullable String since;

  boolean given() {
    return reason != null || place != null || since != null;
  }

  /** Which these are, in words that follow theirs. */
  String said() {
    List<String> words = new ArrayList<>();
    if (reason != null) {
      words.add("of " + reason);
    }
    if (place != null) {
      words.add("at " + place);
    }
    if (since != null) {
      words.add("since " + since);
    }
    return String.join(" ", words);
  }

  boolean takes(Letter letter) {
    return (reason == null || reason.equals(letter.reason()))
        && (place == null || place.equals(letter.place()))
        && letter.time().toEpochMilli() >= sinceMillis();
  }

  private long sinceMillis() {
    try {
      return since == null ? Long.MIN_VALUE : Instant.parse(since).toEpochMilli();
    } catch (DateTimeParseException e) {
      throw CommandException.usage(
          "--since must be a time such as 2026-01-31T12:00:00Z: %s", since);
    }
  }
}
