package io.holdfast.schemas.settings.keys;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One setting: its full key below its section, such as {@code trees.maxLeaves} below a model, the
 * kind of its value, its default, and one sentence on it without a full stop. Immutable once the
 * class that declares it is initialised.
 *
 * @param <T> what its value becomes
 */
public final class Key<T> {
  private final String path;
  private final Kind<T> kind;
  private final String sentence;
  private @Nullable T usual;
  private String usually = "";
  private String more = "";
  private String help = "";
  private @Nullable Flag flag;

  Key(String path, Kind<T> kind, String sentence) {
    this.path = path;
    this.kind = kind;
    this.sentence = sentence;
  }

  /**
   * A flag of the command line that sets a key.
   *
   * @param group what help lists it under
   * @param name with its hyphens
   * @param argument what its value is called in help texts; empty if it takes none
   * @param value what a flag without an argument sets the key to
   */
  public record Flag(Group group, String name, String argument, String value) {
    /** The argument is a column. */
    public static final String COLUMN = "COLUMN";

    /** The argument is columns. */
    public static final String COLUMNS = "COLUMN,...";

    /** The argument is columns, each with a word about it. */
    public static final String DIRECTIONS = "COL=WAY,...";

    /** The argument is columns, each with a group's name. */
    public static final String GROUPS = "GROUPS";

    public boolean takesArgument() {
      return !argument.isEmpty();
    }

    /** Whether the argument is a column, or several. */
    public boolean namesColumns() {
      return argument.equals(COLUMN) || argument.equals(COLUMNS);
    }

    /** Whether the argument is columns, each with a word about it. */
    public boolean directsColumns() {
      return argument.equals(DIRECTIONS) || argument.equals(GROUPS);
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

      public String heading() {
        return heading;
      }
    }
  }

  Key<T> usual(T value) {
    usual = value;
    return this;
  }

  /** Sets words, in Markdown, on a default that depends on other settings. */
  Key<T> usually(String words) {
    usually = words;
    return this;
  }

  /** Sets what the documentation's page says after the sentence, in Markdown. */
  Key<T> more(String markdown) {
    more = markdown;
    return this;
  }

  /** Sets a flag with an argument, which is called {@code argument} in help texts. */
  Key<T> flag(Flag.Group group, String name, String argument) {
    flag = new Flag(group, name, argument, "");
    return this;
  }

  /** Sets a flag without an argument, which sets the key to {@code value}. */
  Key<T> switchedBy(Flag.Group group, String name, String value) {
    flag = new Flag(group, name, "", value);
    return this;
  }

  /** Sets what help says of the flag, with the default, in place of the sentence. */
  Key<T> help(String ofFlag) {
    help = ofFlag;
    return this;
  }

  /** The full key below its section. */
  public String path() {
    return path;
  }

  /** The last part of the path. */
  public String name() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** All before the last part of the path; empty if there is nothing. */
  public String group() {
    return path.substring(0, Math.max(0, path.lastIndexOf('.')));
  }

  public Kind<T> kind() {
    return kind;
  }

  /** The default; null if there is none, or if it depends on other settings. */
  public @Nullable T usual() {
    return usual;
  }

  /** The default of a key that has one of its own. */
  public T byDefault() {
    return Optional.ofNullable(usual)
        .orElseThrow(() -> new IllegalStateException(path + " has no default of its own"));
  }

  /** The default as text; empty if there is none that goes for all. */
  public Optional<String> defaultText() {
    return Optional.ofNullable(usual).map(kind::print);
  }

  /** What documentation says of the default; as printed, if empty. */
  public String usually() {
    return usually;
  }

  public String sentence() {
    return sentence;
  }

  /** What else the page of documentation says, in Markdown; may be empty. */
  public String more() {
    return more;
  }

  /** The command line's; null if it has none. */
  public @Nullable Flag flag() {
    return flag;
  }

  /** What help says of its flag: one sentence, with the default. */
  public String help() {
    if (!help.isEmpty()) {
      return help + ".";
    }
    boolean said = flag != null && flag.takesArgument() && !(usual instanceof List<?>);
    return sentence
        + defaultText().filter(_ -> said).map(text -> " (default: " + text + ")").orElse("")
        + ".";
  }
}
