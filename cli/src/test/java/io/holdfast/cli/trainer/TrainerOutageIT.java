package io.holdfast.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.trainer.ExampleTopic.Outcome;
import io.holdfast.trainer.runtime.Trainer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that goes away, in the midst of a transaction, and comes back. */
class TrainerOutageIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  @TempDir private Path folder;

  @Test
  void trainer_whoseBrokerGoesAwayBeforeACommit_goesOnWhenItIsBack() throws Exception {
    AtomicReference<EmbeddedBroker> broker =
        new AtomicReference<>(EmbeddedBroker.start(folder.resolve("broker"), 0));
    String address = broker.get().bootstrapServers();
    try {
      ExampleTopic topic = new ExampleTopic(folder, address, "outage");
      topic.produce(1_000);
      List<Outcome> expected = topic.expected();
      var gone = new CountDownLatch(1);
      Runnable outage =
          () -> {
            broker.get().close();
            gone.countDown();
          };
      try (Trainer trainer =
          Trainer.start(
              topic.settings(),
              new TroubledKafka(topic.settings(), 2, TroubledKafka.Moment.OFFSETS_SENT, outage))) {
        gone.await();
        await().atMost(LIMIT).until(() -> !trainer.ready());
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        broker.set(EmbeddedBroker.start(folder.resolve("broker"), port));
        await().atMost(LIMIT).until(() -> topic.published().size() == expected.size());
        assertThat(topic.published()).isEqualTo(expected);
        await().atMost(LIMIT).until(trainer::ready);
      }
    } finally {
      broker.get().close();
    }
  }
}
