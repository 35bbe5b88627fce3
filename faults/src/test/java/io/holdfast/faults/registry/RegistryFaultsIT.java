package io.holdfast.faults.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.faults.Answers;
import io.holdfast.faults.Deployment;
import io.holdfast.faults.Deployment.Shape;
import io.holdfast.faults.Feed;
import io.holdfast.faults.Scale;
import io.holdfast.faults.registry.ScriptedRegistry.Manner;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.RecordEncoder;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Schemas that change while records come, and a registry that is down, slow or wrong when they do:
 * each record has its one outcome. Long runs alone.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EnabledIf("large")
class RegistryFaultsIT {
  private static final long SEED = Long.getLong("holdfast.faults.seed", 1);

  /** As {@link Feed#SCHEMA} became: a field more, another order, a narrower number. */
  private static final Schema NEWER =
      SchemaBuilder.record("Reading")
          .namespace("faults")
          .fields()
          .requiredString("region")
          .name("note")
          .type()
          .stringType()
          .stringDefault("")
          .requiredFloat("x")
          .requiredString("kind")
          .endRecord();

  private final Answers answers = new Answers();

  @SuppressWarnings("NullAway.Init")
  private ScriptedRegistry registry;

  @SuppressWarnings("NullAway.Init")
  private Deployment at;

  @SuppressWarnings("NullAway.Init")
  private KafkaProducer<String, byte[]> producer;

  static boolean large() {
    return Scale.large();
  }

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    registry = new ScriptedRegistry();
    at =
        new Deployment(
            folder,
            new Shape(1, 1, 1, 1, SEED),
            "  registry: { urls: ['" + registry.url() + "'], timeout: 1s }\n");
    Settings settings = Settings.read(at.config(), Map.of());
    SchemaTopic.register(settings.kafka(), settings.topics().schemas(), "m0.records", NEWER);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", at.brokers().directServers()),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  @AfterAll
  void stop() {
    producer.close();
    at.close();
    registry.close();
  }

  @Test
  void twoWritersOfTwoSchemas_interleaved_areScoredAlike() throws Exception {
    int older = registry.add(Feed.SCHEMA);
    int newer = registry.add(NEWER);
    long before = at.records();
    int count = Scale.of(20_000);
    Thread other = Thread.ofPlatform().start(() -> write("new", NEWER, newer, count));
    write("old", Feed.SCHEMA, older, count);
    other.join();
    producer.flush();
    at.noteSent(2L * count);
    double seconds = at.awaitOutcomes();
    at.conclude(
        "two writers, of an older and a newer schema",
        1,
        before,
        List.of(seconds),
        "RegistryFaultsIT");
    assertThat(at.watch().counts()).doesNotContainKey("m0.dead-letters");
  }

  @ParameterizedTest
  @EnumSource(Manner.class)
  void registryThatFails_whenANewSchemaComes_losesNothing(Manner manner) {
    assumeTrue(manner != Manner.HONEST);
    long before = at.records();
    List<Double> seconds = new ArrayList<>();
    int times = Scale.of(10);
    for (int time = 0; time < times; time++) {
      registry.answer(manner);
      int unknown = registry.add(time % 2 == 0 ? NEWER : Feed.SCHEMA);
      write("fresh", time % 2 == 0 ? NEWER : Feed.SCHEMA, unknown, 30);
      producer.flush();
      at.noteSent(30);
      if (manner.isNoAnswer()) {
        at.until(() -> readiness().contains("partitions wait"));
        assertThat(readiness()).contains("DEGRADED");
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1)); // as long as a time-out
      }
      long over = System.nanoTime();
      registry.answer(Manner.HONEST);
      at.awaitOutcomes();
      seconds.add((System.nanoTime() - over) / 1e9);
    }
    at.until(() -> !readiness().contains("partitions wait"));
    at.conclude(
        "a schema registry that " + manner.text(), times, before, seconds, "RegistryFaultsIT");
  }

  private String readiness() {
    return answers.get(at.scorers().node(0), "/health/readiness").body();
  }

  private void write(String name, Schema schema, int id, int count) {
    var single = new RecordEncoder(schema);
    var writer = new GenericDatumWriter<GenericRecord>(schema);
    for (int i = 0; i < count; i++) {
      GenericRecord record = record(schema, i);
      byte[] value = single.encode(record);
      if (i % 3 > 0) {
        byte[] body = ContractCodec.body(out -> writer.write(record, out));
        value = ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(id).put(body).array();
      }
      var _ = producer.send(new ProducerRecord<>("m0.records", name + i, value));
    }
  }

  private static GenericRecord record(Schema schema, int row) {
    var record = new GenericRecordBuilder(schema).set("kind", "k" + row % 4);
    record.set("region", row % 2 == 0 ? "north" : "south");
    if (schema.equals(NEWER)) {
      return record.set("x", row % 100 / 4f).build();
    }
    return record.set("x", row % 100 / 4.0).build();
  }
}
