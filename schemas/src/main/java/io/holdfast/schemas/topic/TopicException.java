package io.holdfast.schemas.topic;

import org.jspecify.annotations.Nullable;

/** A broker or topic that cannot be used now, said in one sentence for the user. */
public final class TopicException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public TopicException(String message) {
    super(message);
  }

  public TopicException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
