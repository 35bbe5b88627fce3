package io.holdfast.trainer.learn;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.schemas.ledger.LedgerVersion;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.ReplayBuffer;
import io.holdfast.trainer.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A window and the replay buffer, decoded for one training run. Immutable.
 *
 * @param features those of the parent, with the categories that were met
 * @param replayed the rows of the replay buffer, in log order
 * @param replay the same, decoded
 * @param window all rows of the window
 * @param training the replay buffer, and the window but for what is held out
 * @param heldOut rows of the window that are kept out of training
 * @param heldOutRows the same, decoded
 */
record WindowRows(
    List<Feature> features,
    List<LabelledRow> replayed,
    Rows replay,
    Rows window,
    Rows training,
    List<LabelledRow> heldOut,
    Rows heldOutRows) {

  /** Decodes for a version that is to grow from {@code parent}. */
  static WindowRows of(
      RowReader reader,
      LedgerVersion parent,
      ReplayBuffer replay,
      Window window,
      Predicate<Position> holdOut) {
    RowReader.Decoding decoding = reader.decoding(parent.model().features());
    Rows.Builder all = reader.rows();
    Rows.Builder training = reader.rows();
    Rows.Builder held = reader.rows();
    List<LabelledRow> heldOut = new ArrayList<>();
    List<LabelledRow> replayed = replay.rows();
    Rows.Builder again = reader.rows();
    decoding.decode(replayed, again, training);
    for (LabelledRow row : window.rows()) {
      boolean out = holdOut.test(row.position());
      decoding.decode(List.of(row), all, out ? held : training);
      if (out) {
        heldOut.add(row);
      }
    }
    return new WindowRows(
        decoding.features(),
        replayed,
        again.build(),
        all.build(),
        training.build(),
        List.copyOf(heldOut),
        held.build());
  }
}
