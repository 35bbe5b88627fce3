package io.holdfast.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** One node of a cluster, broker and controller, as a program that takes a file of settings. */
public final class BrokerNode {
  static final String READY = "the broker runs";

  /** The argument for {@link MendedMetadata}. */
  static final String MENDED = "mended";

  private BrokerNode() {}

  /** Formats its folder if nobody has, and runs until it is told to stop. */
  @SuppressWarnings("IllegalCatch") // Kafka's formatter declares java.lang.Exception
  public static void main(String[] arguments) throws IOException {
    if (List.of(arguments).contains(MENDED)) {
      MendedMetadata.load();
    }
    var settings = new Properties();
    try (InputStream in = Files.newInputStream(Path.of(arguments[0]))) {
      settings.load(in);
    }
    String folder = settings.getProperty("log.dirs");
    if (!Files.exists(Path.of(folder, "meta.properties"))) {
      try (var nowhere =
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
        new Formatter()
            .setPrintStream(nowhere)
            .setNodeId(Integer.parseInt(settings.getProperty("node.id")))
            .setClusterId(arguments[1])
            .setControllerListenerName("CONTROLLER")
            .setMetadataLogDirectory(folder)
            .setDirectories(List.of(folder))
            .run();
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
    var server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
    server.startup();
    System.out.println(READY);
    server.awaitShutdown();
  }
}
