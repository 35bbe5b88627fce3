package io.holdfast.trainer.window;

import io.holdfast.schemas.wire.MalformedRecordException;

/**
 * Why an example cannot be learned from.
 *
 * @param reason what reports count by and the dead letter's {@code holdfast.reason} says
 * @param message one sentence for the person who looks at the dead letter
 */
public record Refusal(String reason, String message) {

  /** A record that could not be decoded, under its own reason. */
  public static Refusal of(MalformedRecordException e) {
    return new Refusal(e.reason().name(), String.valueOf(e.getMessage()));
  }

  /** Bytes that are not an {@code Example}. */
  public static Refusal unreadableExample(String detail) {
    return new Refusal("UNREADABLE_EXAMPLE", "the value is not an Example: " + detail);
  }

  /** A label outside what the objective allows; {@code rule} ends "labels must be ...". */
  public static Refusal badLabel(double label, String rule) {
    return new Refusal(
        MalformedRecordException.Reason.BAD_LABEL.name(), "labels must be " + rule + ": " + label);
  }

  /** A weight that is not finite and above 0. */
  public static Refusal badWeight(double weight) {
    return new Refusal(
        MalformedRecordException.Reason.BAD_WEIGHT.name(),
        "weights must be finite and above 0: " + weight);
  }

  /** A served raw score that is not finite. */
  public static Refusal badServedScore(double rawScore) {
    return new Refusal("BAD_SERVED_SCORE", "served raw scores must be finite: " + rawScore);
  }
}
