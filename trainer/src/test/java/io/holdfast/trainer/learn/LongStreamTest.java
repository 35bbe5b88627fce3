package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.simulate.PublishedStream;
import io.holdfast.boosting.simulate.SimulatedRow;
import io.holdfast.boosting.simulate.SimulatedStream;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.Contracts;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a version holds does not grow with the stream, so nor do its cost and its memory. */
class LongStreamTest {

  @Test
  void versions_ofAStreamOfTensOfThousands_stopGrowing() {
    run(30_000, 15_000);
  }

  @Test
  @Tag("long")
  void versions_ofAStreamOfTwoMillion_stopGrowing() {
    run(2_000_000, 50_000);
  }

  private static void run(long rows, long settled) {
    ModelSettings settings =
        ModelSettings.of(
            "m",
            Map.of(
                "objective", "logistic",
                "label", "label",
                "update.policy", "auto",
                "window.rows", "50"),
            key -> key);
    SimulatedStream stream = PublishedStream.SEA_G.stream(5, rows);
    OfflineTrainer trainer = new OfflineTrainer(settings, stream.features(), 0);
    long largest = 0;
    for (long i = 1; i <= rows; i++) {
      SimulatedRow row = stream.next();
      trainer.next(row.features(), row.label(), "");
      if (i % 5_000 == 0) {
        TrainerCore core = trainer.core();
        long bytes = Contracts.MANIFEST.encodeBody(core.tip().manifest()).length;
        assertThat(core.memoryRows()).isLessThanOrEqualTo(10_000);
        assertThat(core.tip().model().trees()).isLessThanOrEqualTo(500);
        assertThat(core.tip().manifest().getReplay()).hasSizeLessThanOrEqualTo(50);
        if (i <= settled) {
          largest = Math.max(largest, bytes);
        } else {
          assertThat(bytes).isLessThan(largest + largest / 4);
        }
      }
    }
  }
}
