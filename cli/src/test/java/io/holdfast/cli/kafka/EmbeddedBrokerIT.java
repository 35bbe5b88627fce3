package io.holdfast.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {
  @TempDir Path folder;

  @Test
  void restart_sameFolderOtherPort_dataIsThere() throws Exception {
    try (var broker = EmbeddedBroker.start(folder, 0)) {
      createTopic(broker, "t");
      produce(broker, "t", "a", "b");
    }
    try (var broker = EmbeddedBroker.start(folder, 0)) {
      assertThat(readAll(broker, "t")).containsExactly("a", "b");
      produce(broker, "t", "c");
      assertThat(readAll(broker, "t")).containsExactly("a", "b", "c");
    }
  }

  @Test
  void start_portTaken_saysSoInOneSentence() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> EmbeddedBroker.start(folder, socket.getLocalPort()))
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining("port " + socket.getLocalPort())
          .hasMessageContaining("is taken");
    }
  }

  @Test
  void start_folderInUse_saysSoAndTheFirstRunsOn() throws Exception {
    try (var broker = EmbeddedBroker.start(folder, 0)) {
      assertThatThrownBy(() -> EmbeddedBroker.start(folder, 0))
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining(folder.toString())
          .hasMessageContaining("in use by another broker");
      createTopic(broker, "t");
      produce(broker, "t", "a");
      assertThat(readAll(broker, "t")).containsExactly("a");
    }
  }

  @Test
  void start_folderIsAFile_saysSo() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThatThrownBy(() -> EmbeddedBroker.start(file, 0))
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void listener_otherAddressesOfTheMachine_refused() throws Exception {
    try (var broker = EmbeddedBroker.start(folder, 0)) {
      int port = Integer.parseInt(broker.bootstrapServers().replaceFirst(".*:", ""));
      for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
        for (InetAddress address : network.inetAddresses().toList()) {
          if (!address.isLoopbackAddress() && !address.isLinkLocalAddress()) {
            assertThatThrownBy(() -> new Socket(address, port).close())
                .as("%s", address)
                .isInstanceOf(IOException.class);
          }
        }
      }
    }
  }

  private static void createTopic(EmbeddedBroker broker, String topic)
      throws InterruptedException, ExecutionException {
    try (var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
  }

  private static void produce(EmbeddedBroker broker, String topic, String... values)
      throws InterruptedException, ExecutionException {
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      for (String value : values) {
        producer.send(new ProducerRecord<>(topic, value)).get();
      }
    }
  }

  private static List<String> readAll(EmbeddedBroker broker, String topic) {
    var partition = new TopicPartition(topic, 0);
    try (var consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      List<String> values = new ArrayList<>();
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
      return values;
    }
  }
}
