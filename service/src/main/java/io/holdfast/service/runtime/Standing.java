package io.holdfast.service.runtime;

import org.jspecify.annotations.Nullable;

/** Where a supervised topology is in its life. */
sealed interface Standing {
  /** For people, in a word. */
  String word();

  /** Something is missing, and it is not started, or was stopped, until that is there. */
  record Waiting(Obstacle obstacle) implements Standing {
    @Override
    public String word() {
      return "waiting";
    }
  }

  /** It has been started and does not process yet, or no longer: partitions change hands. */
  record Starting() implements Standing {
    @Override
    public String word() {
      return "starting";
    }
  }

  /** It could process, and waits until the model topic has been read to its end. */
  record Held() implements Standing {
    @Override
    public String word() {
      return "held back";
    }
  }

  /** It processes. */
  record Running() implements Standing {
    @Override
    public String word() {
      return "running";
    }
  }

  /** It has ended on an error and is tried again; so until it runs. */
  record Failed(Obstacle obstacle) implements Standing {
    @Override
    public String word() {
      return "failed";
    }
  }

  /** What is in its way; null if nothing is. */
  default @Nullable Obstacle obstacle() {
    return switch (this) {
      case Waiting(Obstacle waiting) -> waiting;
      case Failed(Obstacle failed) -> failed;
      case Starting _, Held _, Running _ -> null;
    };
  }
}
