package io.holdfast.trainer.window;

import io.holdfast.schemas.ledger.Digest;

/** Rows whose content does not matter, at given places in the log. */
final class RowsOfLog {
  private static final byte[] RECORD = {}; // shared, since arrays are equal to themselves only
  private static final Served SERVED = new Served(0, 0, Digest.of(new byte[0]));

  private RowsOfLog() {}

  static LabelledRow row(int partition, long offset, long timestamp) {
    return row(partition, offset, timestamp, "");
  }

  static LabelledRow row(int partition, long offset, long timestamp, String environment) {
    return new LabelledRow(
        new Position(partition, offset, timestamp), RECORD, 0, 1, environment, SERVED);
  }
}
