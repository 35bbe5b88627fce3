package io.holdfast.service.letters;

import io.holdfast.schemas.log.Redrive;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The dead letters of models. Thread-safe. */
public interface LetterActions {

  /**
   * Which are meant.
   *
   * @param reason null for any
   * @param at partition and offset, such as {@code 0:17}; null for any
   */
  record Which(@Nullable String reason, @Nullable String at) {}

  /**
   * Those that were not sent in again, newest first.
   *
   * @throws io.holdfast.schemas.topic.TopicException in one sentence, if they cannot be read now
   */
  List<LetterView> list(String model, Which which, int limit);

  /** Sends letters in again, each once, or counts those that would be; otherwise as above. */
  Redrive.Sent redrive(String model, Which which, Redrive.Cause cause, boolean dryRun);
}
