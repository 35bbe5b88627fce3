package io.holdfast.cli.trainer;

import io.holdfast.cli.kafka.EmbeddedBroker;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Tests of trainers that share one broker, each on topics of its own. */
abstract class TrainersOnABroker {
  @TempDir static Path folder;
  static EmbeddedBroker broker;

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedBroker.start(folder.resolve("broker"), 0);
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }
}
