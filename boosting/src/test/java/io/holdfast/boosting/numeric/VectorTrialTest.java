package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VectorTrialTest {
  private long[] object = {};

  @Test
  void won_vectorsAreAlwaysSlower_isFalse() {
    assertThat(VectorTrial.won(1, kind -> {}, kind -> spin())).isFalse();
  }

  @Test
  void won_vectorsLeaveObjectsOnTheHeap_isFalse() {
    assumeTrue(AllocatedBytes.ofThisThread() > 0, "this JVM does not count allocated bytes");
    boolean won = VectorTrial.won(1, kind -> spin(), kind -> object = new long[1_000]);
    assertThat(won).isFalse();
    assertThat(object).hasSize(1_000);
  }

  @Test
  void begin_enoughWasWorked_runs() throws InterruptedException {
    var waited = new CountDownLatch(1);
    VectorTrial.begin("waits", waited::countDown);
    VectorTrial.beginAll();
    assertThat(waited.await(1, TimeUnit.MINUTES)).isTrue();
    var atOnce = new CountDownLatch(1);
    VectorTrial.begin("begins at once", atOnce::countDown);
    assertThat(atOnce.await(1, TimeUnit.MINUTES)).isTrue();
  }

  private static void spin() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < 20_000) {
      Thread.onSpinWait();
    }
  }
}
