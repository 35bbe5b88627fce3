package io.holdfast.boosting.evaluate;

/**
 * A row that was predicted before its label was known, as the stream's evaluation needs it.
 *
 * @param label the class, or the real label
 * @param predicted what was predicted: a class, or a value
 * @param loss the objective's loss of the raw scores
 * @param noChange the newest label that had arrived when it was predicted
 * @param constant the commonest class then, or the mean label
 */
public record Tested(
    double label, double predicted, double loss, double noChange, double constant) {}
