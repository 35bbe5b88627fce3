package io.holdfast.trainer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private long nanos = 5;
  private final Backlog backlog = new Backlog(() -> nanos);

  @Test
  void firstDecision_isPublishedAtOnce() {
    backlog.begin();
    assertThat(backlog.waits(1_000_000, 20)).isFalse();
  }

  @Test
  void decision_waitsWhileAWindowOfExamplesIsThere_forThreeTransactionsAtMost() {
    transactionOf(Duration.ofMillis(15));
    backlog.begin();
    assertThat(backlog.waits(1_000, 1_000)).isTrue();
    assertThat(backlog.waits(999, 1_000)).isFalse();
    assertThat(backlog.waits(50, 1)).isTrue();
    assertThat(backlog.waits(49, 1)).isFalse();
    pass(Duration.ofMillis(44));
    assertThat(backlog.overdue()).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(backlog.overdue()).isTrue();
    assertThat(backlog.waits(1_000, 1_000)).isFalse();
  }

  @Test
  void slowBroker_holdsNothingUpForLong() {
    transactionOf(Duration.ofSeconds(2));
    backlog.begin();
    pass(Duration.ofMillis(199));
    assertThat(backlog.waits(1_000, 10)).isTrue();
    pass(Duration.ofMillis(1));
    assertThat(backlog.waits(1_000, 10)).isFalse();
  }

  private void transactionOf(Duration time) {
    backlog.publishing();
    pass(time);
    backlog.published();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
