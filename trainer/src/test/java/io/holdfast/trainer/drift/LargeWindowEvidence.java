package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Rows;
import io.holdfast.trainer.window.LabelledRow;
import java.util.List;

/** Evidence of windows that are compared by themselves: rows of several are not asked for. */
interface LargeWindowEvidence extends DriftEvidence {
  @Override
  default boolean remembers(String environment) {
    return replayed().stream().anyMatch(row -> row.environment().equals(environment));
  }

  @Override
  default int unlearned() {
    return 0;
  }

  @Override
  default List<LabelledRow> newest(int count) {
    throw new UnsupportedOperationException("windows are large");
  }

  @Override
  default Rows decoded(List<LabelledRow> rows) {
    assertThat(rows).isEmpty();
    return Rows.builder(features().size()).build();
  }
}
