package io.holdfast.cli.trainer;

import io.holdfast.schemas.settings.Settings;
import io.holdfast.trainer.runtime.Trainer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A trainer in a process of its own that stops in the midst of a chosen transaction, says so, and
 * waits to be killed.
 */
public final class DisturbedTrainer {
  static final String READY = "the trainer runs";

  /** What it says then. */
  public static final String STOPPED = "the trainer waits to be killed";

  private DisturbedTrainer() {}

  /** The moments by name, in order. */
  public static List<String> moments() {
    return Arrays.stream(TroubledKafka.Moment.values()).map(Enum::name).toList();
  }

  /** Takes the configuration, how many transactions are good, and the moment in the next one. */
  public static void main(String[] arguments) throws InterruptedException {
    Settings settings = Settings.read(Path.of(arguments[0]), Map.of());
    var forever = new CountDownLatch(1);
    Runnable stop =
        () -> {
          System.out.println(STOPPED);
          try {
            forever.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    TroubledKafka.Moment moment = TroubledKafka.Moment.valueOf(arguments[2]);
    Trainer.start(
        settings, new TroubledKafka(settings, Integer.parseInt(arguments[1]), moment, stop));
    System.out.println(READY);
    forever.await();
  }
}
