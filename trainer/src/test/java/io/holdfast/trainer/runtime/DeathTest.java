package io.holdfast.trainer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.trouble.Troubles;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** A thread that ends by an error counts as dead, even where nothing can be said of the error. */
class DeathTest {
  /** As if a class that is needed now could not be loaded, or memory had run out. */
  @SuppressWarnings("OverrideThrowableToString") // which is what fails
  private static final class Unspeakable extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      throw new NoClassDefFoundError("a class that says it");
    }
  }

  @Test
  void model_isDead() {
    var status = new ModelStatus("bikes", new Troubles(InstantSource.system()));

    assertThatThrownBy(() -> status.die(new Unspeakable()))
        .isInstanceOf(NoClassDefFoundError.class);

    assertThat(status.phase()).isInstanceOf(ModelStatus.Phase.Dead.class);
  }
}
