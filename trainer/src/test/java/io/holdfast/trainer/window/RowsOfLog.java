package io.holdfast.trainer.window;

import io.holdfast.schemas.version.Digest;
import java.util.ArrayList;
import java.util.List;

/** Rows whose content does not matter, at given places in the log. */
final class RowsOfLog {
  private static final byte[] RECORD = {}; // shared, since arrays are equal to themselves only
  private static final Served SERVED = new Served(0, 0, Digest.of(new byte[0]));

  private RowsOfLog() {}

  /** All rows, which hold offset order within each partition, as they come out of the merge. */
  static List<LabelledRow> merged(List<LabelledRow> rows) {
    var merge = new PartitionMerge<>(LabelledRow::position);
    for (LabelledRow row : rows) {
      merge.add(row);
      merge.atEnd(row.position().partition(), true);
    }
    List<LabelledRow> merged = new ArrayList<>();
    for (LabelledRow row = merge.poll(); row != null; row = merge.poll()) {
      merged.add(row);
    }
    return merged;
  }

  static LabelledRow row(int partition, long offset, long timestamp) {
    return row(partition, offset, timestamp, "");
  }

  static LabelledRow row(int partition, long offset, long timestamp, String environment) {
    return new LabelledRow(
        new Position(partition, offset, timestamp), RECORD, 0, 1, environment, SERVED);
  }
}
