package io.holdfast.schemas.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CompactedTopicReaderTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
  private final Deque<Consumer<String, byte[]>> consumers = new ArrayDeque<>();
  private final CompactedTopicReader reader =
      new CompactedTopicReader(
          Map.of("bootstrap.servers", "b:1"),
          "t",
          record -> seen.add(record.key()),
          consumers::removeFirst);

  @AfterEach
  void close() {
    reader.close();
  }

  @Test
  void readToEnd_fullTopic_handsOverAllInOrder() {
    MockConsumer<String, byte[]> consumer = consumer();
    add(consumer, 3, "a", "b", "c");

    reader.readToEnd(LONG);

    assertThat(seen).containsExactly("a", "b", "c");
    assertThat(consumer.closed()).isTrue();
    assertThat(reader.caughtUp()).isTrue();
  }

  @Test
  void readToEnd_emptyTopic_returns() {
    add(consumer(), 0);

    reader.readToEnd(LONG);

    assertThat(seen).isEmpty();
  }

  @Test
  void readToEnd_endNotReached_saysSo() {
    add(consumer(), 5, "a", "b");

    assertThatThrownBy(() -> reader.readToEnd(Duration.ofMillis(50)))
        .isInstanceOf(TopicException.class)
        .hasMessageContaining("the topic t could not be read to its end");
    assertThat(seen).containsExactly("a", "b");
  }

  @Test
  void readToEnd_clientRefused_saysWhy() {
    MockConsumer<String, byte[]> consumer = consumer();
    add(consumer, 5);
    consumer.setPollException(new SaslAuthenticationException("wrong password"));

    assertThatThrownBy(() -> reader.readToEnd(LONG))
        .isInstanceOf(TopicException.class)
        .hasMessage(
            "the topic t cannot be read: the broker at b:1 refused the login of"
                + " User:ANONYMOUS (wrong password): check kafka.security.protocol,"
                + " kafka.sasl.mechanism and kafka.sasl.jaas.config");
  }

  @Test
  void run_failingClient_goesOnWithANewOneWhereItWas() throws InterruptedException {
    MockConsumer<String, byte[]> failing = consumer();
    add(failing, 4, "a", "b");
    failing.schedulePollTask(() -> failing.setPollException(new KafkaException("broken")));
    MockConsumer<String, byte[]> next = consumer();
    next.schedulePollTask(
        () -> {
          next.addRecord(record(2, "c"));
          next.addRecord(record(3, "d"));
        });
    next.updateEndOffsets(Map.of(PARTITION, 4L));
    next.updateBeginningOffsets(Map.of(PARTITION, 0L));
    Thread thread = Thread.ofPlatform().start(reader);

    assertThat(reader.awaitCaughtUp(LONG)).isTrue();

    assertThat(seen).containsExactly("a", "b", "c", "d");
    assertThat(reader.caughtUp()).isTrue();
    reader.close();
    assertThat(thread.join(LONG)).isTrue();
    assertThat(failing.closed()).isTrue();
    assertThat(next.closed()).isTrue();
  }

  @Test
  void awaitCaughtUp_closedReader_returnsFalse() throws InterruptedException {
    add(consumer(), 9, "a");
    Thread thread = Thread.ofPlatform().start(reader);
    Thread closer = Thread.ofPlatform().start(reader::close);

    assertThat(reader.awaitCaughtUp(LONG)).isFalse();

    assertThat(closer.join(LONG)).isTrue();
    assertThat(thread.join(LONG)).isTrue();
  }

  private MockConsumer<String, byte[]> consumer() {
    MockConsumer<String, byte[]> consumer =
        new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
    consumers.add(consumer);
    return consumer;
  }

  private static void add(MockConsumer<String, byte[]> consumer, long end, String... keys) {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, end));
    consumer.schedulePollTask(
        () -> {
          for (int i = 0; i < keys.length; i++) {
            consumer.addRecord(record(i, keys[i]));
          }
        });
  }

  private static ConsumerRecord<String, byte[]> record(long offset, String key) {
    return new ConsumerRecord<>("t", 0, offset, key, key.getBytes(StandardCharsets.UTF_8));
  }
}
