package io.holdfast.service.score;

/** The names of one model's nodes in the topology. */
record ScoringNames(
    String score,
    String scores,
    String shadowScores,
    String deadLetters,
    String examples,
    String join) {

  static ScoringNames of(String model) {
    return new ScoringNames(
        "score-" + model,
        "scores-" + model,
        "shadow-scores-" + model,
        "dead-letters-" + model,
        "examples-" + model,
        "join-" + model);
  }
}
