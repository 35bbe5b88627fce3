package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.wire.RecordEncoder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records of 30 doubles, a key and a label, about 260 bytes; seeded, a few thousand in turn. */
final class WideRecords {
  static final int FEATURES = 30;
  private static final int DISTINCT = 4_096;

  private final byte[][] values = new byte[DISTINCT][];
  private final double[][] features = new double[DISTINCT][FEATURES];

  WideRecords() {
    var random = new SplittableRandom(3);
    Schema schema = schema();
    var encoder = new RecordEncoder(schema);
    for (int i = 0; i < DISTINCT; i++) {
      var record = new GenericData.Record(schema);
      record.put("id", "record-" + i);
      for (int column = 0; column < FEATURES; column++) {
        features[i][column] = random.nextGaussian();
        record.put("x" + column, features[i][column]);
      }
      values[i] = encoder.encode(record);
    }
  }

  static Schema schema() {
    return doubles(SchemaBuilder.record("Wide").fields().requiredString("id"), FEATURES)
        .endRecord();
  }

  /** Adds so many features to a schema. */
  static SchemaBuilder.FieldAssembler<Schema> doubles(
      SchemaBuilder.FieldAssembler<Schema> fields, int count) {
    SchemaBuilder.FieldAssembler<Schema> all = fields;
    for (int column = 0; column < count; column++) {
      all = all.requiredDouble("x" + column);
    }
    return all;
  }

  byte[] value(int number) {
    return values[number & (DISTINCT - 1)];
  }

  double feature(int number, int column) {
    return features[number & (DISTINCT - 1)][column];
  }

  /** Writes {@code count} records and waits until the broker has them. */
  void produce(KafkaProducer<byte[], byte[]> producer, String topic, int count, Framed framed) {
    byte[][] all = new byte[DISTINCT][];
    Arrays.setAll(all, i -> framed.value(values[i]));
    for (int i = 0; i < count; i++) {
      byte[] key = ("" + i).getBytes(UTF_8);
      byte[] value = all[i & (DISTINCT - 1)];
      var _ = producer.send(new ProducerRecord<>(topic, 0, key, value, framed.headers()));
    }
    producer.flush();
  }
}
