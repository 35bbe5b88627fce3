package io.holdfast.service.runtime;

import org.jspecify.annotations.Nullable;

/** Where a supervised topology is in its life. */
sealed interface Standing {
  /** Something is missing, and it is not started, or was stopped, until that is there. */
  record Waiting(Obstacle obstacle) implements Standing {}

  /** It has been started and does not process yet, or no longer: partitions change hands. */
  record Starting() implements Standing {}

  /** It could process, and waits until the model topic has been read to its end. */
  record Held() implements Standing {}

  /** It processes. */
  record Running() implements Standing {}

  /** It has ended on an error and is tried again; so until it runs. */
  record Failed(Obstacle obstacle) implements Standing {}

  /** What is in its way; null if nothing is. */
  default @Nullable Obstacle obstacle() {
    return null;
  }

  /** For people, in a word. */
  default String word() {
    return switch (this) {
      case Waiting _ -> "waiting";
      case Starting _ -> "starting";
      case Held _ -> "held back";
      case Running _ -> "running";
      case Failed _ -> "failed";
    };
  }
}
