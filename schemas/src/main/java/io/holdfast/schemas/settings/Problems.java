package io.holdfast.schemas.settings;

import io.holdfast.schemas.Sentence;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong, so that a user sees all of it at once. Not thread-safe. */
final class Problems {
  private final String source;
  private final List<String> sentences = new ArrayList<>();

  /** Problems in {@code source}, a file's name; empty if the settings come from elsewhere. */
  Problems(String source) {
    this.source = source;
  }

  void add(String sentence, int line) {
    sentences.add(
        line > 0 && !source.isEmpty()
            ? Sentence.of("%s (%s line %d)", sentence, source, line)
            : sentence);
  }

  /** Throws if there are any. */
  void raise() {
    if (!sentences.isEmpty()) {
      throw new SettingsException(sentences);
    }
  }
}
