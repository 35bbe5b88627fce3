package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.data.SampleModels;
import io.holdfast.bench.report.Runs;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.version.LedgerRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What a record of 30 features and a transaction cost, measured on one broker in a JVM of its own.
 *
 * @param trees of the model
 * @param threadMicros of a stream thread, a record
 * @param serviceMicros of the service's process, a record
 * @param brokerMicros of the broker, a record that is read and whose score is written
 * @param transactionMicros of the broker, a transaction without its partitions
 * @param partitionMicros of the broker, a partition that a transaction wrote to
 * @param recordBytes of a record's value
 * @param scoreBytes of its score
 * @param exampleBytes of its example
 * @param versionBytes of a version that stands alone, on the model topic
 */
public record UnitCosts(
    int trees,
    double threadMicros,
    double serviceMicros,
    double brokerMicros,
    double transactionMicros,
    double partitionMicros,
    int recordBytes,
    int scoreBytes,
    int exampleBytes,
    int versionBytes) {
  private static final String SOURCE = "records";
  private static final int RECORDS = 400_000;
  private static final int WARM_UP = 1;
  private static final int RUNS = 3;
  private static final int WIDE = 32; // partitions of the wider transactions
  private static final int TRANSACTIONS = 2_000;

  /** Measures, in about a minute. */
  public static UnitCosts measure(int trees)
      throws IOException, ExecutionException, InterruptedException {
    try (var bench = new Workbench()) {
      bench.createTopics(SOURCE, Workbench.DEAD_LETTERS);
      try (var producer = bench.producer(Map.of("linger.ms", 20, "batch.size", 1 << 18))) {
        new WideRecords().produce(producer, SOURCE, RECORDS, Framed.SINGLE_OBJECT);
      }
      Workbench.Node scorer = bench.startNodes(trees, Framed.SINGLE_OBJECT).getFirst();
      double[][] figures = new double[3][RUNS];
      for (int run = -WARM_UP; run < RUNS; run++) {
        double[] figure = scored(bench, scorer, "unit-costs-" + (run + WARM_UP));
        for (int k = 0; run >= 0 && k < figures.length; k++) {
          figures[k][run] = figure[k];
        }
      }
      double one = transactions(bench, 1);
      double wide = transactions(bench, WIDE);
      double partition = Math.max(0, (wide - one) / (WIDE - 1));
      Model model = SampleModels.trained(trees, 10_000, WideRecords.FEATURES);
      return new UnitCosts(
          trees,
          Runs.median(figures[0]),
          Runs.median(figures[1]),
          Runs.median(figures[2]),
          one - partition,
          partition,
          new WideRecords().value(0).length,
          sizeOfScore(),
          sizeOfExample(),
          sizeOfVersion(model));
    }
  }

  /** Microseconds a record: of the stream thread, of its process, of the broker. */
  private static double[] scored(Workbench bench, Workbench.Node scorer, String sink)
      throws IOException, ExecutionException, InterruptedException {
    bench.createTopics(sink);
    var job =
        new StreamsNode.Job(
            "app-" + sink, SOURCE, sink, RECORDS, List.of("processing.guarantee=exactly_once_v2"));
    long before = bench.brokerNanos();
    String[] answer = scorer.jvm().ask(job.line("through")).split(" ", -1);
    double broker = (bench.brokerNanos() - before) / 1e3 / RECORDS;
    bench.deleteRecords(sink);
    return new double[] {Double.parseDouble(answer[1]), Double.parseDouble(answer[2]), broker};
  }

  /** Microseconds of the broker for a transaction of one small record in each partition. */
  private static double transactions(Workbench bench, int partitions)
      throws IOException, ExecutionException, InterruptedException {
    String topic = "transactions-" + partitions;
    bench.createTopic(topic, partitions);
    try (var producer = bench.producer(Map.of("transactional.id", topic, "linger.ms", 0))) {
      producer.initTransactions();
      commit(producer, topic, partitions, 2 * TRANSACTIONS); // compilers at work: not counted
      long before = bench.brokerNanos();
      commit(producer, topic, partitions, TRANSACTIONS);
      return (bench.brokerNanos() - before) / 1e3 / TRANSACTIONS;
    }
  }

  private static void commit(
      KafkaProducer<byte[], byte[]> producer, String topic, int partitions, int times) {
    byte[] value = "a score".getBytes(UTF_8);
    for (int k = 0; k < times; k++) {
      producer.beginTransaction();
      for (int partition = 0; partition < partitions; partition++) {
        var _ = producer.send(new ProducerRecord<>(topic, partition, null, value));
      }
      producer.commitTransaction();
    }
  }

  private static int sizeOfScore() throws IOException {
    return Score.getEncoder()
        .encode(
            new Score(
                "wide",
                1L,
                new Sha256Digest(new byte[32]),
                0.5,
                List.of(),
                List.of(0.5),
                SOURCE,
                1,
                1_000_000L,
                "record-1000000",
                null,
                null))
        .remaining();
  }

  private static int sizeOfExample() throws IOException {
    var record = ByteBuffer.wrap(new WideRecords().value(0));
    return Example.getEncoder()
        .encode(
            new Example(
                record,
                1.0,
                "environment",
                List.of(),
                1.0,
                1L,
                new Sha256Digest(new byte[32]),
                List.of(0.5),
                1,
                1_000_000L,
                null))
        .remaining();
  }

  private static int sizeOfVersion(Model model) {
    int bytes = 0;
    for (LedgerRecord record : SwapVersions.encode("wide", 0, null, model).records()) {
      bytes += record.value() == null ? 0 : record.value().length;
    }
    return bytes;
  }
}
