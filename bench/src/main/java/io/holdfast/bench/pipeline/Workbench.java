package io.holdfast.bench.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A broker and the applications to compare, each in a JVM of its own, with a folder that is gone
 * afterwards. Owned by one thread.
 */
final class Workbench implements AutoCloseable {
  static final String DEAD_LETTERS = "dead-letters";

  private final Path folder;
  private final @Nullable Path profile;
  private final ChildJvm broker;
  private final String bootstrapServers;
  private final Admin admin;
  private final List<Node> nodes = new ArrayList<>();

  /** An application to compare. */
  record Node(String name, ChildJvm jvm) {}

  private Workbench(Path folder, @Nullable Path profile, ChildJvm broker, String bootstrapServers) {
    this.folder = folder;
    this.profile = profile;
    this.broker = broker;
    this.bootstrapServers = bootstrapServers;
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  /** Starts a broker. The applications write a flight recording to {@code profile}, if given. */
  static Workbench open(@Nullable Path profile) throws IOException {
    Path folder = Files.createTempDirectory("holdfast-bench");
    ChildJvm broker =
        ChildJvm.start(BrokerNode.class, List.of(), folder.resolve("broker").toString());
    return new Workbench(folder, profile, broker, broker.answer());
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  Path folder() {
    return folder;
  }

  /** Starts the identity and one application for each number of trees. */
  void startNodes(int[] trees) throws IOException {
    start("identity", -1);
    for (int count : trees) {
      start(count + "-trees", count);
    }
    for (Node node : nodes) {
      node.jvm().answer();
    }
  }

  private void start(String name, int trees) throws IOException {
    Path home = Files.createDirectory(folder.resolve(name));
    nodes.add(
        new Node(
            name,
            ChildJvm.start(
                StreamsNode.class,
                recording(name),
                bootstrapServers,
                Integer.toString(trees),
                home.toString())));
  }

  private List<String> recording(String name) {
    if (profile == null) {
      return List.of();
    }
    Path file = profile.resolve(name + ".jfr").toAbsolutePath();
    return List.of("-XX:StartFlightRecording:settings=profile,filename=" + file);
  }

  /** The applications, the identity first. */
  List<Node> nodes() {
    return List.copyOf(nodes);
  }

  void createTopic(String name, int partitions) throws ExecutionException, InterruptedException {
    var topic =
        new NewTopic(name, partitions, (short) 1)
            .configs(Map.of("segment.bytes", Integer.toString(64 << 20)));
    admin.createTopics(List.of(topic)).all().get();
  }

  void deleteRecords(String topic, int partitions) throws ExecutionException, InterruptedException {
    Map<TopicPartition, RecordsToDelete> all = new LinkedHashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      all.put(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(-1));
    }
    admin.deleteRecords(all).all().get();
  }

  /** Fails if anything was refused: then the figures are of something else. */
  void requireNoDeadLetters() throws InterruptedException {
    long end = end(new TopicPartition(DEAD_LETTERS, 0));
    if (end > 0) {
      throw new IllegalStateException("records of the benchmark became dead letters: " + end);
    }
  }

  /** The offset after the last record. */
  long end(TopicPartition partition) throws InterruptedException {
    try {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()))
          .partitionResult(partition)
          .get()
          .offset();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker does not know the end of " + partition, e);
    }
  }

  KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
    Map<String, Object> all = new LinkedHashMap<>(settings);
    all.put("bootstrap.servers", bootstrapServers);
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.jvm().close());
    admin.close();
    broker.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : new ArrayList<>(files.sorted(Comparator.reverseOrder()).toList())) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the folder of the benchmark cannot be deleted", e);
    }
  }
}
