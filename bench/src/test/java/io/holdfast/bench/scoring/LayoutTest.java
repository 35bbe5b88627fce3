package io.holdfast.bench.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.model.TreeWalkScorer;
import java.lang.foreign.Arena;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Layouts are only worth comparing if they score the same. */
class LayoutTest {
  private static final int ROWS = 700;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void scoresAsTheWalk_missingValuesAndThresholdsThemselves(boolean deep) {
    Model model = ScoringCommand.train(130, deep, 2_000);
    Rows rows = KernelChoice.rows(model, ROWS);
    Scorer walk = new TreeWalkScorer(model);
    Map<String, Layout> layouts = KernelChoice.layouts(model);
    assertThat(layouts).hasSize(6);
    try (Arena arena = Arena.ofConfined()) {
      var bench = new TestBench(rows, arena);
      layouts.forEach(
          (name, layout) -> {
            for (int row = 0; row < ROWS; row++) {
              double expected = walk.score(bench.single[row]);
              assertThat(layout.score(bench.single[row])).as(name).isEqualTo(expected);
              assertThat(layout.on(bench).score(0, row + 1)).as(name).isEqualTo(expected);
            }
          });
    }
  }
}
