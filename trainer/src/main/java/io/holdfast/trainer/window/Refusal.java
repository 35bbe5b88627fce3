package io.holdfast.trainer.window;

import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.Arrays;
import java.util.List;

/**
 * Why an example cannot be learned from.
 *
 * @param reason counted in reports, and the dead letter's {@code holdfast.reason}
 * @param message one sentence for people
 */
public record Refusal(String reason, String message) {
  private static final String UNREADABLE_EXAMPLE = "UNREADABLE_EXAMPLE";
  private static final String BAD_SERVED_SCORE = "BAD_SERVED_SCORE";

  /** The reasons that are none of a malformed record's. */
  public static final List<String> OTHER_REASONS = List.of(UNREADABLE_EXAMPLE, BAD_SERVED_SCORE);

  /** Of a record that could not be decoded. */
  public static Refusal of(MalformedRecordException e) {
    return new Refusal(e.reason().name(), String.valueOf(e.getMessage()));
  }

  /** Of bytes that are not an {@code Example}. */
  public static Refusal unreadableExample(String detail) {
    return new Refusal(UNREADABLE_EXAMPLE, "the value is not an Example: " + detail);
  }

  /** Of raw scores that are not as many finite numbers as the model has. */
  public static Refusal badServedScores(int outputs, double[] rawScores) {
    String counted = outputs == 1 ? "one finite number" : outputs + " finite numbers";
    return new Refusal(
        BAD_SERVED_SCORE,
        "served raw scores must be " + counted + ": " + Arrays.toString(rawScores));
  }

  /** Of anchors that are not those of the settings. */
  public static Refusal badAnchors(List<String> names, double[] anchors) {
    return new Refusal(
        MalformedRecordException.Reason.BAD_ANCHOR.name(),
        "anchors must be a finite number for each of "
            + String.join(", ", names)
            + ": "
            + Arrays.toString(anchors));
  }
}
