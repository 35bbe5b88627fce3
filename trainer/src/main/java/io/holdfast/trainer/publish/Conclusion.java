package io.holdfast.trainer.publish;

import io.holdfast.trainer.learn.TrainerEvent;
import java.util.List;

/**
 * What is to be published of a window. Immutable.
 *
 * @param event what was concluded of it
 * @param deadLetters the examples up to its end that could not be learned from
 */
public record Conclusion(TrainerEvent.Concluded event, List<DeadLetter> deadLetters) {
  public Conclusion {
    deadLetters = List.copyOf(deadLetters);
  }
}
