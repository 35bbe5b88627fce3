package io.holdfast.service.join;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.StreamsNames;

/** The names of one model's nodes and store; the store's is part of its changelog topic's name. */
record JoinNames(
    String labels,
    String readLabels,
    String labelsById,
    String joinInputs,
    String join,
    String barriers,
    String store,
    String examples,
    String labelDeadLetters,
    String deadLetters) {

  static JoinNames of(ModelSettings settings) {
    String model = settings.name();
    return new JoinNames(
        "labels-" + settings.topics().labels(),
        "read-labels-" + model,
        "labels-by-id-" + model,
        "join-inputs-" + model,
        "join-" + model,
        "barriers-" + model,
        StreamsNames.store(model),
        "examples-" + model,
        "label-dead-letters-" + model,
        "dead-letters-" + model);
  }
}
