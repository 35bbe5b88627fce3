package io.holdfast.service.join;

import io.holdfast.schemas.topic.StreamsNames;

/** The names of one model's nodes and store; the store's is part of its changelog topic's name. */
record JoinNames(String join, String store, String examples, String deadLetters) {

  static JoinNames of(String model) {
    return new JoinNames(
        "join-" + model, StreamsNames.store(model), "examples-" + model, "dead-letters-" + model);
  }
}
