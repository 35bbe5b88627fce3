package io.holdfast.trainer.learn;

import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Window;
import java.util.List;
import java.util.SortedMap;

/** An example log that can be read again. */
@FunctionalInterface
public interface RowSource {

  /** All examples that the log holds of these cuts, in offset order within each partition. */
  Found read(SortedMap<Integer, Window.Cut> cuts);

  /** Examples, usable or not, and the parts of the cuts that the log holds no longer. */
  record Found(List<LabelledRow> rows, SortedMap<Integer, Window.Cut> gone) {}
}
