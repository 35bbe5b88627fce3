package io.holdfast.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.trouble.Troubles;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** A topology driven without a broker, its topics as bytes. */
public final class TopologyRun implements AutoCloseable {
  private final TopologyTestDriver driver;
  private Instant now;
  private final Map<String, TestInputTopic<byte[], byte[]>> inputs = new HashMap<>();
  private final Map<String, TestOutputTopic<byte[], byte[]>> outputs = new HashMap<>();

  public TopologyRun(Topology topology) {
    now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS);
    driver = new TopologyTestDriver(topology, new Properties(), now);
  }

  /** Troubles of nobody's, by a clock that stands. */
  public static Troubles troubles() {
    return new Troubles(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
  }

  public TestInputTopic<byte[], byte[]> input(String topic) {
    return inputs.computeIfAbsent(
        topic,
        name ->
            driver.createInputTopic(name, new ByteArraySerializer(), new ByteArraySerializer()));
  }

  /** Lets the clock go on, in steps in which everything that is due happens. */
  public void advance(Duration duration) {
    Duration step = Duration.ofMillis(50);
    for (Duration left = duration; left.isPositive(); left = left.minus(step)) {
      driver.advanceWallClockTime(step);
      now = now.plus(step);
    }
  }

  /** The time by its clock, in milliseconds. */
  public long now() {
    return now.toEpochMilli();
  }

  /** The next record of a topic. */
  public TestRecord<byte[], byte[]> read(String topic) {
    assertThat(output(topic).isEmpty()).as("nothing left on %s", topic).isFalse();
    return output(topic).readRecord();
  }

  /** All records of a topic that were not read yet. */
  public List<TestRecord<byte[], byte[]>> all(String topic) {
    return output(topic).readRecordsToList();
  }

  public TopologyTestDriver driver() {
    return driver;
  }

  public static String header(TestRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  @Override
  public void close() {
    driver.close();
  }

  private TestOutputTopic<byte[], byte[]> output(String topic) {
    return outputs.computeIfAbsent(
        topic,
        name ->
            driver.createOutputTopic(
                name, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
  }
}
