package io.holdfast.schemas.settings.keys;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One setting. Immutable.
 *
 * @param path its full key below its section: {@code trees.maxLeaves} below a model
 * @param usual the default; null if there is none, or if it depends on other settings
 * @param usually what documentation says of the default; as printed, if empty
 * @param sentence what it is, in one sentence without a full stop
 * @param more what else the page of documentation says, in Markdown; may be empty
 * @param flag the command line's; null if it has none
 * @param <T> what its value becomes
 */
public record Key<T>(
    String path,
    Kind<T> kind,
    @Nullable T usual,
    String usually,
    String sentence,
    String more,
    @Nullable Flag flag) {

  /**
   * A flag of the command line that sets a key.
   *
   * @param group what help lists it under
   * @param name with its hyphens
   * @param argument what its value is called in help texts; empty if it takes none
   * @param value what a flag without an argument sets the key to
   * @param sentence in place of the key's own, where a command means something else; may be empty
   */
  public record Flag(Group group, String name, String argument, String value, String sentence) {
    /** The argument is a column. */
    public static final String COLUMN = "COLUMN";

    /** The argument is columns. */
    public static final String COLUMNS = "COLUMN,...";

    /** The argument is columns, each with a word about it. */
    public static final String DIRECTIONS = "COLUMN=WAY,...";

    /** Whether it takes an argument. */
    public boolean takesArgument() {
      return !argument.isEmpty();
    }

    /** Whether the argument is a column, or several. */
    public boolean namesColumns() {
      return argument.equals(COLUMN) || argument.equals(COLUMNS);
    }

    /** Whether the argument is columns, each with a word about it. */
    public boolean directsColumns() {
      return argument.equals(DIRECTIONS);
    }

    /** Headings of help texts, in their order. */
    public enum Group {
      COLUMNS("Columns"),
      OBJECTIVE("What is learned"),
      ANCHOR("What it is protected against"),
      TREES("Trees"),
      START("Where they start, and how they are grown"),
      WINDOWS("Windows");

      private final String heading;

      Group(String heading) {
        this.heading = heading;
      }

      /** As help texts have it. */
      public String heading() {
        return heading;
      }
    }
  }

  /** A key without a default. */
  static <T> Key<T> of(String path, Kind<T> kind, String sentence) {
    return new Key<>(path, kind, null, "", sentence, "", null);
  }

  /** A key that is false unless said otherwise. */
  static Key<Boolean> truth(String path, boolean usual, String sentence) {
    return of(path, new Kind.Truth(), sentence).usual(usual);
  }

  /** A key of a whole number from {@code least} to {@code most}. */
  static Key<Integer> whole(String path, int usual, int least, int most, String sentence) {
    return of(path, new Kind.Whole(least, most), sentence).usual(usual);
  }

  /** A key of one of some words; the first is the default. */
  static Key<String> choice(String path, String sentence, String... words) {
    return of(path, new Kind.Choice(List.of(words)), sentence).usual(words[0]);
  }

  /** A key of several texts; none unless said otherwise. */
  static Key<List<String>> texts(String path, String sentence) {
    return of(path, new Kind.Texts(), sentence).usual(List.of());
  }

  /** A key of any text, without a default. */
  static Key<String> text(String path, String sentence) {
    return of(path, new Kind.Text(java.util.Map.of()), sentence);
  }

  Key<T> usual(T value) {
    return new Key<>(path, kind, value, usually, sentence, more, flag);
  }

  /** With words on a default that depends on other settings, in Markdown. */
  Key<T> usually(String words) {
    return new Key<>(path, kind, usual, words, sentence, more, flag);
  }

  Key<T> more(String markdown) {
    return new Key<>(path, kind, usual, usually, sentence, markdown, flag);
  }

  /** With a flag that the sentence is said of, too. */
  Key<T> flag(Flag.Group group, String name, String argument) {
    return flag(group, name, argument, "");
  }

  /** With a flag of which something else is said, with the default. */
  Key<T> flag(Flag.Group group, String name, String argument, String ofFlag) {
    return flag(new Flag(group, name, argument, "", ofFlag));
  }

  /** With a flag without an argument, which sets the key to {@code value}. */
  Key<T> switchedBy(Flag.Group group, String name, String value, String ofFlag) {
    return flag(new Flag(group, name, "", value, ofFlag));
  }

  private Key<T> flag(Flag given) {
    return new Key<>(path, kind, usual, usually, sentence, more, given);
  }

  /** The last part of the path. */
  public String name() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** All before the last part of the path; empty if there is nothing. */
  public String group() {
    return path.substring(0, Math.max(0, path.lastIndexOf('.')));
  }

  /** The default. */
  public T byDefault() {
    return Optional.ofNullable(usual)
        .orElseThrow(() -> new IllegalStateException(path + " has no default of its own"));
  }

  /** What help says of its flag: one sentence, with the default. */
  public String help() {
    if (flag != null && !flag.sentence().isEmpty()) {
      return flag.sentence() + ".";
    }
    boolean said = flag != null && flag.takesArgument() && !(usual instanceof List<?>);
    return sentence
        + defaultText().filter(_ -> said).map(text -> " (default: " + text + ")").orElse("")
        + ".";
  }

  /** The default as text; empty if there is none that goes for all. */
  public Optional<String> defaultText() {
    return Optional.ofNullable(usual).map(kind::print);
  }
}
