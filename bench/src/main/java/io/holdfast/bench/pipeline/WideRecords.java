package io.holdfast.bench.pipeline;

import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records of 30 doubles, a key and a label, about 260 bytes; seeded, a few thousand in turn. */
final class WideRecords {
  static final int FEATURES = 30;
  private static final int DISTINCT = 4_096;

  private final Schema schema = schema();
  private final byte[][] values = new byte[DISTINCT][];
  private final double[][] features = new double[DISTINCT][FEATURES];

  WideRecords() {
    var random = new SplittableRandom(3);
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
    var json = new StringBuilder("{\"type\":\"record\",\"name\":\"Wide\",\"fields\":[");
    json.append("{\"name\":\"id\",\"type\":\"string\"}");
    for (int column = 0; column < FEATURES; column++) {
      json.append(",{\"name\":\"x").append(column).append("\",\"type\":\"double\"}");
    }
    return SchemaFile.parse(json.append("]}").toString());
  }

  byte[] value(int number) {
    return values[number & (DISTINCT - 1)];
  }

  double feature(int number, int column) {
    return features[number & (DISTINCT - 1)][column];
  }

  /** Writes {@code count} records and waits until the broker has them. */
  void produce(KafkaProducer<byte[], byte[]> producer, String topic, int partitions, int count)
      throws InterruptedException, ExecutionException {
    java.util.concurrent.Future<?> last = null;
    for (int i = 0; i < count; i++) {
      byte[] key = Integer.toString(i).getBytes(java.nio.charset.StandardCharsets.UTF_8);
      last = producer.send(new ProducerRecord<>(topic, i % partitions, key, value(i)));
    }
    producer.flush();
    if (last != null) {
      last.get();
    }
  }
}
