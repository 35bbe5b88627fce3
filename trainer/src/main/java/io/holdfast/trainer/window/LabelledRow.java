package io.holdfast.trainer.window;

/**
 * An example as it stands in the log, not yet judged. Arrays are not copied and never changed.
 *
 * @param record the record as it came, frame and Avro body
 * @param environment empty if the model has none
 * @param anchors the continuous anchors, in the order of the settings
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

  /** Of a row beside its arrays, roughly. */
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

  /** The memory it takes, roughly, as a function of the log. */
  int bytes() {
    int promised = served.promised() == null ? 0 : served.promised().bytes();
    return OBJECT_BYTES
        + record.length
        + 8 * (anchors.length + served.rawScores().length)
        + promised;
  }
}
