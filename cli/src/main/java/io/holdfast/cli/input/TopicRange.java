package io.holdfast.cli.input;

import io.holdfast.schemas.IsoTime;
import io.holdfast.schemas.Suggestion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records of a topic that a command line names, as in {@code topic://NAME?from=...&to=...}: in each
 * partition from one bound to before the other. Immutable.
 */
public record TopicRange(String topic, Bound from, Bound to) {
  private static final String SCHEME = "topic://";
  private static final String OFFSET = "offset:";
  private static final List<String> KEYS = List.of("from", "to");

  /** Where a range begins or ends. */
  public sealed interface Bound {}

  /** A bound of the topic itself, as it is when the command begins. */
  public enum End implements Bound {
    EARLIEST,
    LATEST
  }

  /** An offset in every partition. */
  public record Offset(long offset) implements Bound {}

  /** So many records before the end of every partition. */
  public record Newest(long records) implements Bound {}

  /** The first record of that time or a later one. */
  public record Time(Instant time) implements Bound {}

  static boolean isOne(String argument) {
    return argument.startsWith(SCHEME);
  }

  /** Reads an argument; throws DataException, in a sentence, if it names no range. */
  static TopicRange parse(String argument) {
    String rest = argument.substring(SCHEME.length());
    int query = rest.indexOf('?');
    String topic = query < 0 ? rest : rest.substring(0, query);
    if (!topic.matches("[a-zA-Z0-9._-]{1,249}")) {
      throw new DataException(
          "%s names no topic: a name has letters, digits, dots, dashes and underscores, as in"
              + " topic://bikes.records?from=2026-03-01T00:00:00Z",
          argument);
    }
    Map<String, Bound> bounds = new HashMap<>();
    for (String part : query < 0 ? new String[0] : rest.substring(query + 1).split("&", -1)) {
      int equals = part.indexOf('=');
      String key = equals < 0 ? part : part.substring(0, equals);
      if (!KEYS.contains(key)) {
        throw new DataException(
            "%s says %s%s: a topic takes from and to",
            argument, key.isEmpty() ? "nothing behind ? or &" : key, Suggestion.aside(key, KEYS));
      }
      Bound bound = equals < 0 ? null : bound(part.substring(equals + 1));
      if (bound == null) {
        throw new DataException(
            "%s in %s must be a time such as 2026-03-01T08:30:00Z, offset: and a number, earliest"
                + " or latest",
            part, argument);
      }
      if (bounds.put(key, bound) != null) {
        throw new DataException("%s says %s twice: leave one out", argument, key);
      }
    }
    var range =
        new TopicRange(
            topic,
            bounds.getOrDefault("from", End.EARLIEST),
            bounds.getOrDefault("to", End.LATEST));
    if (range.isEmpty()) {
      throw new DataException("%s ends before it begins: from must be before to", argument);
    }
    return range;
  }

  /** The newest records, so many of each partition. */
  public static TopicRange newest(String topic, long records) {
    return new TopicRange(topic, new Newest(records), End.LATEST);
  }

  private static @Nullable Bound bound(String text) {
    if (text.equals("earliest")) {
      return End.EARLIEST;
    }
    if (text.equals("latest")) {
      return End.LATEST;
    }
    if (text.startsWith(OFFSET)) {
      String number = text.substring(OFFSET.length());
      return number.matches("[0-9]{1,18}") ? new Offset(Long.parseLong(number)) : null;
    }
    Instant time = IsoTime.instant(text.replace("%3A", ":").replace("%2B", "+"));
    return time == null ? null : new Time(time);
  }

  private boolean isEmpty() {
    return from == End.LATEST
        || to == End.EARLIEST
        || (from instanceof Offset(long first) && to instanceof Offset(long last) && first >= last)
        || (from instanceof Time(Instant first)
            && to instanceof Time(Instant last)
            && !first.isBefore(last));
  }

  /** Without its bounds: what begins sentences about its rows. */
  String name() {
    return SCHEME + topic;
  }

  /** What models say of what they were trained on. */
  String label() {
    List<String> parts = new ArrayList<>(List.of("topic:" + topic));
    if (from != End.EARLIEST) {
      parts.add("from " + text(from));
    }
    if (to != End.LATEST) {
      parts.add("to " + text(to));
    }
    return String.join(" ", parts);
  }

  private static String text(Bound bound) {
    return switch (bound) {
      case End end -> end == End.EARLIEST ? "earliest" : "latest";
      case Offset(long offset) -> OFFSET + offset;
      case Newest(long records) -> "the newest " + records;
      case Time(Instant time) -> time.toString();
    };
  }

  /** In words, to follow the topic's name. */
  @Override
  public String toString() {
    return "from " + text(from) + " to " + text(to);
  }
}
