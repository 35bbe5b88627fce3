package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.split.TreeLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

class RememberedRowsTest {
  @Test
  void fit_rememberingRows_ofOtherSettingsOrRows_sameModelAsWithout() {
    BoosterSettings settings =
        BoosterSettings.builder(Objective.named("logistic"))
            .gamma(5)
            .rounds(10)
            .trees(new TreeLimits(15, 6, 5, 1e-3, 0))
            .build();
    List<BoosterSettings> several =
        List.of(
            settings,
            settings.toBuilder().learningRate(0.3).seed(7).build(),
            settings.toBuilder().maxBins(16).build(),
            settings);
    Workspace workspace = Workspace.rememberingRows();
    for (int size : new int[] {900, 400, 1_500, 400}) {
      Rows rows = SampleRows.of(settings.objective(), size, size, 3);
      for (BoosterSettings one : several) {
        assertThat(new Booster(one, workspace).fit(SampleRows.FEATURES, rows).model())
            .isEqualTo(new Booster(one).fit(SampleRows.FEATURES, rows).model());
      }
    }
  }
}
