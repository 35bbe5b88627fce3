package io.holdfast.trainer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.version.Digest;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Window;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WindowTrainingTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.EPOCH);

  @Test
  void window_trainedWhileReadingGoesOn_hasTheVersionItWouldHaveHad() {
    TrainerCore core = core(60);
    Window window = core.completeWindow().orElseThrow();
    AtomicInteger reads = new AtomicInteger();

    try (WindowTraining training = new WindowTraining("m")) {
      for (int again = 0; again < 3; again++) {
        TrainerEvent.Concluded beside =
            Objects.requireNonNull(training.decide(core, window, TIME, reads::incrementAndGet));
        assertThat(hash(beside)).isEqualTo(hash(core.decide(window, TIME)));
      }
    }
  }

  /** Ten thousand rounds would take minutes. */
  @Test
  @Timeout(60)
  void reading_thatFailsMeanwhile_endsTraining() {
    TrainerCore core = core(10_000);
    Window window = core.completeWindow().orElseThrow();
    AtomicInteger reads = new AtomicInteger();

    try (WindowTraining training = new WindowTraining("m")) {
      assertThatThrownBy(
              () ->
                  training.decide(
                      core,
                      window,
                      TIME,
                      () -> {
                        if (reads.incrementAndGet() == 3) {
                          throw new IllegalStateException("the broker is gone");
                        }
                      }))
          .hasMessage("the broker is gone");
    }
    assertThat(reads).hasValue(3);
  }

  private static Digest hash(TrainerEvent.Concluded concluded) {
    return ((TrainerEvent.Outcome.Trained) concluded.outcome()).version().version().hash();
  }

  private static TrainerCore core(int rounds) {
    TrainerCore core =
        new TrainerCore(
            ExampleStream.settings(
                Map.of(
                    "trees.rounds", "" + rounds,
                    "trees.maxLeaves", "31",
                    "update.maxTrees", "10000",
                    "window.rows", "3000",
                    "window.memoryRows", "0")),
            ExampleStream.framing());
    core.apply(core.begin(ExampleStream.SCHEMA, TIME));
    for (LabelledRow row : ExampleStream.rows(1, 3_000, 2)) {
      core.add(row);
    }
    return core;
  }
}
