package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VectorTrialTest {
  @Test
  void won_vectorsAreAlwaysSlower_isFalse() {
    assertThat(VectorTrial.won(1, kind -> {}, kind -> spin())).isFalse();
  }

  @Test
  void won_vectorsLeaveObjectsOnTheHeap_isFalse() {
    assumeTrue(AllocatedBytes.ofThisThread() > 0, "this JVM does not count allocated bytes");
    List<long[]> objects = new ArrayList<>();
    boolean won =
        VectorTrial.won(
            1,
            kind -> spin(),
            kind -> {
              objects.clear();
              objects.add(new long[1_000]);
            });
    assertThat(won).isFalse();
  }

  private static void spin() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < 20_000) {
      Thread.onSpinWait();
    }
  }
}
