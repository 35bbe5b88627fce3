package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class VectorFormsTest {
  private long[] object = {};

  @Test
  void won_vectorsAreAlwaysSlower_isFalse() {
    assertThat(VectorForms.won(() -> {}, VectorFormsTest::spin, trial())).isFalse();
  }

  @Test
  void won_vectorsLeaveObjectsOnTheHeap_isFalse() {
    assumeTrue(AllocatedBytes.ofThisThread() > 0, "this JVM does not count allocated bytes");
    boolean won = VectorForms.won(VectorFormsTest::spin, () -> object = new long[1_000], trial());
    assertThat(won).isFalse();
    assertThat(object).hasSize(1_000);
  }

  @Test
  @Timeout(60)
  void choose_enoughWasWorked_becomesTheFasterForm() {
    Runnable slow = VectorFormsTest::spin;
    Runnable fast = () -> {};
    var waiting = VectorForms.choose("waits", slow, fast, VectorFormsTest::trial);
    var hopeless = VectorForms.choose("stays", fast, slow, VectorFormsTest::trial);
    VectorForms.tryAll();
    await(waiting, fast);
    var atOnce = VectorForms.choose("is tried at once", slow, fast, VectorFormsTest::trial);
    await(atOnce, fast);
    assertThat(hopeless.current()).isSameAs(fast);
  }

  @Test
  void choose_noVectors_isPlain() {
    Runnable plain = () -> {};
    VectorForms.tryAll();
    assertThat(VectorForms.choose("none", plain, null, VectorFormsTest::trial).current())
        .isSameAs(plain);
  }

  private static void await(VectorForms.Choice<Runnable> choice, Runnable form) {
    while (!choice.current().equals(form)) {
      Thread.onSpinWait();
    }
  }

  private static VectorForms.Trial<Runnable> trial() {
    return new VectorForms.Trial<>() {
      @Override
      public int kinds() {
        return 1;
      }

      @Override
      public void run(Runnable form, int kind) {
        form.run();
      }
    };
  }

  private static void spin() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < 20_000) {
      Thread.onSpinWait();
    }
  }
}
