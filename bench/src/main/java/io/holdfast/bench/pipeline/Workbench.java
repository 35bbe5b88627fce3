package io.holdfast.bench.pipeline;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.topic.shape.CreatedTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A broker and the applications to compare, each in a JVM of its own, with a folder that is gone
 * afterwards. Topics have one partition unless said. Owned by one thread.
 */
final class Workbench implements AutoCloseable {
  static final String DEAD_LETTERS = "dead-letters";

  private final Path folder = Files.createTempDirectory("holdfast-bench");
  private final ChildJvm broker;
  private final String bootstrapServers;
  private final Admin admin;
  private final List<Node> nodes = new ArrayList<>();

  /** An application to compare. */
  record Node(String name, ChildJvm jvm) {}

  /** The program of the child JVM that is the broker. */
  static final class Broker {
    private Broker() {}

    public static void main(String[] arguments) throws IOException {
      ChildJvm.endOnError();
      try (var broker = EmbeddedBroker.start(Path.of(arguments[0]), 0)) {
        ChildJvm.serve(broker.bootstrapServers(), _ -> "" + processNanos());
      }
    }
  }

  /** Processor time that this JVM has taken. */
  static long processNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** Processor time that the broker has taken. */
  long brokerNanos() throws IOException {
    return Long.parseLong(broker.ask("cpu"));
  }

  /** Starts a broker. */
  Workbench() throws IOException {
    broker = ChildJvm.start(Broker.class, folder.resolve("broker").toString());
    bootstrapServers = broker.answer();
    admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  Path folder() {
    return folder;
  }

  /** Starts the identity, which comes first, and one application for each number of trees. */
  List<Node> startNodes(int[] trees) throws IOException {
    start("identity", StreamsNode.IDENTITY, Framed.SINGLE_OBJECT);
    for (int count : trees) {
      start(count + "-trees", count, Framed.SINGLE_OBJECT);
    }
    return ready();
  }

  /** Starts one application for each way of framing. */
  List<Node> startNodes(int trees, Framed... framings) throws IOException {
    for (Framed framed : framings) {
      start(framed.label(), trees, framed);
    }
    return ready();
  }

  private List<Node> ready() throws IOException {
    for (Node node : nodes) {
      node.jvm().answer();
    }
    return nodes;
  }

  /** Starts the application of a model whose scores have no bounds, and the same with bounds. */
  List<Node> startNodes(int trees, double coverage) throws IOException {
    start(trees + "-trees", trees, Framed.SINGLE_OBJECT);
    start(trees + "-trees-bounds", trees, Framed.SINGLE_OBJECT, "" + coverage);
    return ready();
  }

  private void start(String name, int trees, Framed framed, String... levels) throws IOException {
    String home = Files.createDirectory(folder.resolve(name)).toString();
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of(bootstrapServers, "" + trees, home, framed.label()));
    arguments.addAll(List.of(levels));
    nodes.add(new Node(name, ChildJvm.start(StreamsNode.class, arguments.toArray(String[]::new))));
  }

  void createTopics(String... names) throws ExecutionException, InterruptedException {
    Map<String, String> small = Map.of("segment.bytes", Integer.toString(64 << 20));
    create(Stream.of(names).map(name -> new NewTopic(name, 1, (short) 1).configs(small)).toList());
  }

  void createTopic(String name, int partitions) throws ExecutionException, InterruptedException {
    create(List.of(new NewTopic(name, partitions, (short) 1)));
  }

  private void create(List<NewTopic> topics) throws ExecutionException, InterruptedException {
    admin.createTopics(topics).all().get();
    CreatedTopics.awaitLeaders(
        admin, topics.stream().map(NewTopic::name).toList(), Duration.ofSeconds(30));
  }

  void deleteRecords(String topic) throws ExecutionException, InterruptedException {
    admin
        .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(-1)))
        .all()
        .get();
  }

  /** Fails if anything was refused: then the figures are of something else. */
  void requireNoDeadLetters() throws InterruptedException {
    long end = end(DEAD_LETTERS);
    if (end > 0) {
      throw new IllegalStateException("records of the benchmark became dead letters: " + end);
    }
  }

  /** The offset after the last record. */
  long end(String topic) throws InterruptedException {
    var partition = new TopicPartition(topic, 0);
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
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", bootstrapServers);
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A consumer of all committed records of topics. */
  static KafkaConsumer<byte[], byte[]> consumer(String bootstrapServers, String... topics) {
    var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "fetch.max.wait.ms",
                50),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        Stream.of(topics).map(topic -> new TopicPartition(topic, 0)).toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.jvm().close());
    admin.close();
    broker.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the folder of the benchmark cannot be deleted", e);
    }
  }
}
