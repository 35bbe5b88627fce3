package io.holdfast.service.watch;

import java.util.List;
import java.util.Locale;

/** What a model's state can be, the worst first. Its word is what people read. */
public enum Condition {
  /** Nothing is scored, or soon nothing will be. */
  STOPPED("stopped", Level.BAD),
  /** Two programs, or what they were told, contradict each other. */
  MISCONFIGURED("wrongly set up", Level.BAD),
  /** What serves loses more than the best constant. */
  LOSING("losing to the baseline", Level.BAD),
  /** All together it gains, and in an environment it loses more than the best constant there. */
  WORST_ENVIRONMENT("worst environment", Level.BAD),
  /** Records wait to be scored, or examples to be learned from. */
  BEHIND("behind", Level.BAD),
  /** No version has been served yet. */
  NO_VERSION("no version yet", Level.WARN),
  /** What serves is older than it may become. */
  STALE("stale", Level.WARN),
  /** New versions are refused. */
  REJECTING("rejecting versions", Level.WARN),
  /** Labels do not come, or are of no use. */
  LABELS_MISSING("labels missing", Level.WARN),
  /** Records hold what the model has not learned to read. */
  ODD_RECORDS("odd records", Level.WARN),
  /** What comes is distributed otherwise than what was learned from. */
  DRIFTING("drifting", Level.WARN),
  HEALTHY("healthy", Level.GOOD),
  /** Nothing wrong, and something to decide once; never a model's state. */
  NOTED("to note", Level.GOOD);

  /** How bad it is; a page's colour. */
  public enum Level {
    GOOD,
    WARN,
    BAD;

    /** Lower case. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final String word;
  private final Level level;

  Condition(String word, Level level) {
    this.word = word;
    this.level = level;
  }

  public String word() {
    return word;
  }

  /** Its place among all, the worst first. */
  public int rank() {
    return List.of(values()).indexOf(this);
  }

  public Level level() {
    return level;
  }
}
