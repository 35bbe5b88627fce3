package io.holdfast.faults;

import static java.util.stream.Collectors.joining;

import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.kafka.Ports;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/**
 * A cluster of one or three brokers, each a process and a controller, too, that keeps its ports and
 * its folder. Programs under test reach it through a {@link Network} for each broker, tests
 * directly. Owned by one thread.
 *
 * <p>One alone runs with {@link MendedMetadata}, but for {@code
 * -Dholdfast.faults.kafkaAsReleased=true}; three run as Kafka is released.
 */
public final class Brokers implements AutoCloseable {
  private static final String HOST = "127.0.0.1";

  private final Path folder;
  private final String cluster;
  private final List<Place> places = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private int starts;

  /** Where a broker listens: for tests and other brokers, behind its network, as a controller. */
  private record Place(int direct, int behind, int controller, Network network) {}

  /** Starts so many, and returns when they take requests. */
  public Brokers(Path folder, int size, long seed) {
    this.folder = folder;
    cluster = new Uuid(seed, size + 1).toString();
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < 3 * size) {
      int port = Ports.anyFree(0);
      if (!ports.contains(port)) {
        ports.add(port);
      }
    }
    for (int i = 0; i < size; i++) {
      int behind = ports.get(3 * i + 1);
      places.add(
          new Place(ports.get(3 * i), behind, ports.get(3 * i + 2), new Network(behind, seed + i)));
    }
    for (int i = 0; i < size; i++) {
      nodes.add(begin(i));
    }
    nodes.forEach(node -> node.awaitText(BrokerNode.READY));
  }

  public int size() {
    return places.size();
  }

  /** Where they are as they are. */
  public String directServers() {
    return servers(Place::direct);
  }

  /** Where they are through their networks. */
  public String networkServers() {
    return servers(place -> place.network.port());
  }

  private String servers(ToIntFunction<Place> port) {
    return places.stream().map(place -> HOST + ":" + port.applyAsInt(place)).collect(joining(","));
  }

  /** The networks, one a broker. */
  public List<Network> networks() {
    return places.stream().map(Place::network).toList();
  }

  public Node node(int broker) {
    return nodes.get(broker);
  }

  /** Starts those again that have ended; returns when they take requests. */
  public void restartEnded() {
    List<Node> started = new ArrayList<>();
    for (int broker = 0; broker < size(); broker++) {
      if (!nodes.get(broker).alive()) {
        nodes.set(broker, begin(broker));
        started.add(nodes.get(broker));
      }
    }
    started.forEach(node -> node.awaitText(BrokerNode.READY));
  }

  /** Which of them leads the first partition of a topic. */
  public int leader(String topic) {
    return ask(
        admin -> {
          var found = admin.describeTopics(List.of(topic)).allTopicNames().get().values();
          return found.iterator().next().partitions().getFirst().leader().id();
        });
  }

  /** Which of them is the active controller. */
  public int controller() {
    return ask(admin -> admin.describeMetadataQuorum().quorumInfo().get().leaderId());
  }

  /** What is asked of the brokers. */
  private interface Question {
    int of(Admin admin) throws ExecutionException, InterruptedException;
  }

  private int ask(Question question) {
    try (Admin admin = admin()) {
      return question.of(admin) - 1; // the ids begin at 1
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A client that no network is before. */
  public Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", directServers()));
  }

  private Node begin(int broker) {
    Path file = folder.resolve("broker-" + broker + ".properties");
    try {
      Files.createDirectories(folder);
      try (OutputStream out = Files.newOutputStream(file)) {
        settings(broker).store(out, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Path log = folder.resolve("broker-" + broker + "-" + starts++ + ".log");
    boolean alone = size() == 1 && !Boolean.getBoolean("holdfast.faults.kafkaAsReleased");
    return Node.start(
        log, 400, BrokerNode.class.getName(), file, cluster, alone ? BrokerNode.MENDED : "");
  }

  private Properties settings(int broker) {
    Place place = places.get(broker);
    Path log = folder.resolve("broker-" + broker);
    Map<String, String> settings =
        EmbeddedBroker.settings(log, "PLAINTEXT", place.direct, place.controller);
    settings.put("node.id", String.valueOf(broker + 1));
    String network = ",NETWORK://" + HOST + ":";
    settings.merge("listeners", network + place.behind, String::concat);
    settings.merge("advertised.listeners", network + place.network.port(), String::concat);
    settings.merge("listener.security.protocol.map", ",NETWORK:PLAINTEXT", String::concat);
    settings.put(
        "controller.quorum.voters",
        IntStream.range(0, size())
            .mapToObj(i -> (i + 1) + "@" + HOST + ":" + places.get(i).controller)
            .collect(joining(",")));
    String inSync = size() > 1 ? "2" : "1";
    for (String topic : new String[] {"offsets.topic", "transaction.state.log"}) {
      settings.put(topic + ".replication.factor", String.valueOf(size()));
    }
    settings.put("transaction.state.log.min.isr", inSync);
    settings.put("default.replication.factor", String.valueOf(size()));
    settings.put("min.insync.replicas", inSync);
    var properties = new Properties();
    properties.putAll(settings);
    return properties;
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
    places.forEach(place -> place.network.close());
  }
}
