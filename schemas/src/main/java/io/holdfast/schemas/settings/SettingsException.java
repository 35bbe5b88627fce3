package io.holdfast.schemas.settings;

import java.util.List;

/** Mistakes in the configuration, each said in one sentence for the user. */
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient List<String> problems;

  public SettingsException(String message) {
    this(List.of(message));
  }

  /** Several mistakes at once; the message has a line for each. */
  public SettingsException(List<String> problems) {
    super(String.join(System.lineSeparator(), problems));
    this.problems = List.copyOf(problems);
  }

  /** The mistakes, one sentence each. */
  public List<String> problems() {
    return problems;
  }
}
