package io.holdfast.service.resume;

import io.holdfast.schemas.Sentence;

/** A topic that is read was deleted and made anew, so that positions in it mean nothing now. */
public final class TopicMadeAnewException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TopicMadeAnewException(String topic) {
    super(Sentence.of("topic %s was deleted and made anew", topic));
  }
}
