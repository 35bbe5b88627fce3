package io.holdfast.trainer.learn;

import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Window;
import java.util.List;
import java.util.SortedMap;

/** An example log that can be read again. */
@FunctionalInterface
public interface RowSource {

  /** All examples that the log holds in these stretches, in offset order within each partition. */
  Found read(SortedMap<Integer, Window.Cut> cuts);

  /**
   * What was found.
   *
   * @param rows the examples, usable or not; what is no example is left out
   * @param gone the parts of the stretches that the log holds no longer
   */
  record Found(List<LabelledRow> rows, SortedMap<Integer, Window.Cut> gone) {}
}
