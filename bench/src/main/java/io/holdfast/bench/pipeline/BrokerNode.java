package io.holdfast.bench.pipeline;

import io.holdfast.cli.kafka.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;

/** The program of the child JVM that is the broker: runs until its standard input ends. */
final class BrokerNode {
  private BrokerNode() {}

  public static void main(String[] arguments) throws IOException {
    ChildJvm.endOnError();
    try (var broker = EmbeddedBroker.start(Path.of(arguments[0]), 0)) {
      ChildJvm.reply(broker.bootstrapServers());
      while (System.in.read() >= 0) {
        // nothing is asked of it
      }
    }
  }
}
