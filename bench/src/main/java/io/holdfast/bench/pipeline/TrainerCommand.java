package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.Runs;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench trainer}: labelled rows a second, from examples to published versions. */
@Command(
    name = "trainer",
    description =
        "Labelled rows a second that a trainer keeps up with, 10 trees a window, against what the"
            + " broker gives to one consumer.")
public final class TrainerCommand extends BenchCommand {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final double WARM = 0.3; // of the windows, which the figures are after
  private static final String REPORTS = "holdfast.reports";

  @Option(
      names = "--windows",
      split = ",",
      defaultValue = "1000/0,1000/10000,10000/0,10000/100000",
      description = "Rows of a window / rows of the memory beside it (${DEFAULT-VALUE}).")
  List<String> windows;

  @Option(names = "--rows", description = "Examples of a run (${DEFAULT-VALUE}).")
  int rows = 300_000;

  @Option(names = "--runs", description = "Runs of each (${DEFAULT-VALUE}).")
  int runs = 3;

  @Override
  protected void run(PrintWriter out)
      throws IOException, ExecutionException, InterruptedException, MalformedRecordException {
    try (var bench = new Workbench();
        ChildJvm trainer =
            ChildJvm.start(
                TrainerNode.class,
                bench.bootstrapServers(),
                Files.createDirectory(bench.folder().resolve("trainer")).toString())) {
      bench.createTopics(TrainerNode.EXAMPLES, REPORTS);
      try (var producer = bench.producer(Map.of("linger.ms", 20, "batch.size", 1 << 18))) {
        produce(producer);
      }
      trainer.answer();
      out.println("window memory rows_s training_share consumer_rows_s ratio");
      for (String window : windows) {
        String[] parts = window.split("/", -1);
        compare(bench, trainer, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), out);
      }
    }
  }

  private void produce(KafkaProducer<byte[], byte[]> producer) {
    var records = new WideRecords();
    var random = new SplittableRandom(5);
    for (int i = 0; i < rows; i++) {
      byte[] example =
          Contracts.EXAMPLE.encode(
              Example.newBuilder()
                  .setRecord(ByteBuffer.wrap(records.value(i)))
                  .setLabel(records.feature(i, 0) + random.nextGaussian())
                  .setEnvironment("")
                  .setServedVersion(0)
                  .setServedHash(Digest.of(new byte[0]).stored())
                  .setServedRawScores(List.of(0.0))
                  .setSourcePartition(0)
                  .setSourceOffset(i)
                  .build());
      var _ = producer.send(new ProducerRecord<>(TrainerNode.EXAMPLES, 0, null, example));
    }
    producer.flush();
  }

  private void compare(
      Workbench bench, ChildJvm trainer, int windowRows, int memoryRows, PrintWriter out)
      throws IOException, MalformedRecordException {
    double[] trained = new double[runs];
    double[] shares = new double[runs];
    double[] read = new double[runs];
    for (int run = 0; run < runs; run++) {
      String model = "m" + windowRows + "-" + memoryRows + "-" + run;
      read[run] = Double.parseDouble(trainer.ask("read " + rows));
      try (var reports = reports(bench)) {
        trainer.ask("train " + model + " " + windowRows + " " + memoryRows);
        Progress progress = follow(reports, model, windowRows);
        trained[run] = progress.rowsPerSecond();
        shares[run] = progress.trainingShare();
      }
      trainer.ask("stop");
    }
    out.printf(
        Locale.ROOT,
        "%d %d %.0f %.2f %.0f %.3f%n",
        windowRows,
        memoryRows,
        Runs.median(trained),
        Runs.median(shares),
        Runs.median(read),
        Runs.ratio(trained, read));
    out.flush();
  }

  private record Progress(double rowsPerSecond, double trainingShare) {}

  private Progress follow(KafkaConsumer<byte[], byte[]> consumer, String model, int windowRows)
      throws MalformedRecordException {
    int last = rows / windowRows;
    int first = Math.max(1, (int) (WARM * last));
    long started = System.nanoTime();
    long start = 0;
    long trainingMillis = 0;
    while (System.nanoTime() - started < PATIENCE.toNanos()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(20))) {
        WindowReport report = Contracts.REPORT.decode(record.value());
        if (!report.getModel().equals(model)) {
          continue;
        }
        if (report.getWindow() == first) {
          start = System.nanoTime();
        } else if (report.getWindow() > first) {
          trainingMillis += report.getTrainingMillis();
        }
        if (report.getWindow() == last) {
          double seconds = (System.nanoTime() - start) / 1e9;
          return new Progress(
              (double) (last - first) * windowRows / seconds, trainingMillis / 1e3 / seconds);
        }
      }
    }
    throw new IllegalStateException("the trainer of " + model + " did not get to its last window");
  }

  private static KafkaConsumer<byte[], byte[]> reports(Workbench bench) {
    var consumer = Workbench.consumer(bench.bootstrapServers(), REPORTS);
    consumer.seekToEnd(consumer.assignment());
    consumer.assignment().forEach(consumer::position); // now, not with the first poll
    return consumer;
  }
}
