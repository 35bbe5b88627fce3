package io.holdfast.trainer.window;

/**
 * One example as it stands in the log: a record, its label and what was served for it. Nothing is
 * checked here: whoever trains on it judges whether it can be used.
 *
 * @param position where it stands in the example topic
 * @param record the record as it came, frame and Avro body; not copied and never changed
 * @param label the label
 * @param weight the row's weight
 * @param environment the environment; empty if the model has none
 * @param anchors the continuous anchors, in the order of the settings; not copied and never changed
 * @param served what was served for it
 */
@SuppressWarnings("ArrayRecordComponent") // rows are many, and what they hold is never changed
public record LabelledRow(
    Position position,
    byte[] record,
    double label,
    double weight,
    String environment,
    double[] anchors,
    Served served) {
  private static final double[] NO_ANCHORS = {};

  /** What a row takes beside its arrays, roughly. */
  private static final int OBJECT_BYTES = 128;

  /** A row without continuous anchors. */
  public LabelledRow(
      Position position,
      byte[] record,
      double label,
      double weight,
      String environment,
      Served served) {
    this(position, record, label, weight, environment, NO_ANCHORS, served);
  }

  /** The memory that it takes, roughly; a function of what stands in the log. */
  int bytes() {
    return OBJECT_BYTES + record.length + 8 * (anchors.length + served.rawScores().length);
  }
}
