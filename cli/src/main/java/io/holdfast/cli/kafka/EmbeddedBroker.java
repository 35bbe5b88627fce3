package io.holdfast.cli.kafka;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/**
 * A single-node Kafka broker in this process, for demos, tests and small installations. It listens
 * on the loopback address only and keeps its data in one folder. Topics are never made on the side,
 * and records stay until they are deleted. Thread-safe; {@link #close} waits until it has stopped.
 */
public final class EmbeddedBroker implements AutoCloseable {
  /*
   * One process is broker and KRaft controller. The node id is part of the data: it never changes.
   * Ports are not, so a folder may be served on another port each time.
   */
  private static final int NODE_ID = 1;
  private static final String HOST = "127.0.0.1";
  private static final String CONTROLLER = "CONTROLLER";

  private final BrokerFolder folder;
  private final KafkaRaftServer server;
  private final int port;

  private EmbeddedBroker(BrokerFolder folder, KafkaRaftServer server, int port) {
    this.folder = folder;
    this.server = server;
    this.port = port;
  }

  /** Starts a broker and returns when it takes requests; port 0 takes any free one. */
  public static EmbeddedBroker start(Path folder, int port) {
    return start(folder, port, "PLAINTEXT", Map.of());
  }

  /** The same, with the clients' protocol and settings over its own. */
  @SuppressWarnings("IllegalCatch") // whatever a failed start throws, the lock must be let go
  static EmbeddedBroker start(Path folder, int port, String protocol, Map<String, String> more) {
    if (port != 0 && !Ports.free(port)) {
      throw new BrokerException(
          "port %d on %s is taken: stop what listens there or name another port (0 takes any free"
              + " one)",
          port, HOST);
    }
    BrokerFolder locked = BrokerFolder.lock(folder);
    try {
      locked.formatOnce(NODE_ID, CONTROLLER);
      int brokerPort = port == 0 ? Ports.anyFree(0) : port;
      int controllerPort = Ports.anyFree(brokerPort);
      Map<String, String> settings = settings(locked.log(), protocol, brokerPort, controllerPort);
      settings.putAll(more);
      var config = new KafkaConfig(settings, false);
      var server = new KafkaRaftServer(config, Time.SYSTEM);
      server.startup();
      return new EmbeddedBroker(locked, server, brokerPort);
    } catch (BrokerException e) {
      locked.close();
      throw e;
    } catch (RuntimeException e) {
      locked.close();
      throw new BrokerException(
              "the broker on port %d with folder %s did not start: %s", port, folder, e)
          .because(e);
    }
  }

  public String bootstrapServers() {
    return HOST + ":" + port;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
    folder.close();
  }

  /** The settings of a broker, which tests add to. */
  public static Map<String, String> settings(
      Path log, String protocol, int port, int controllerPort) {
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", String.valueOf(NODE_ID));
    String address = protocol + "://" + HOST + ":" + port;
    settings.put("listeners", address + "," + CONTROLLER + "://" + HOST + ":" + controllerPort);
    settings.put("advertised.listeners", address);
    settings.put(
        "listener.security.protocol.map",
        protocol + ":" + protocol + "," + CONTROLLER + ":PLAINTEXT");
    settings.put("security.inter.broker.protocol", protocol);
    settings.put("controller.listener.names", CONTROLLER);
    settings.put("controller.quorum.voters", NODE_ID + "@" + HOST + ":" + controllerPort);
    settings.put("log.dirs", log.toString());

    // One node can hold one copy; internal topics need few partitions when groups are few.
    settings.put("default.replication.factor", "1");
    settings.put("min.insync.replicas", "1");
    for (String topic : new String[] {"offsets.topic", "transaction.state.log"}) {
      settings.put(topic + ".replication.factor", "1");
      settings.put(topic + ".num.partitions", "4");
    }
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("share.coordinator.state.topic.num.partitions", "1");

    // A group of one starts at once instead of waiting for members that will not come.
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("group.streams.initial.rebalance.delay.ms", "0");

    // A mistyped topic name is an error, not a new topic; old time stamps are no reason to delete.
    settings.put("auto.create.topics.enable", "false");
    settings.put("log.retention.ms", "-1");

    // Memory and disk: a few threads, small buffers, index files that are not laid out in advance.
    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "4");
    settings.put("background.threads", "2");
    settings.put("log.cleaner.dedupe.buffer.size", String.valueOf(16 << 20));
    settings.put("log.index.size.max.bytes", String.valueOf(1 << 20));
    return settings;
  }
}
