package io.holdfast.bench.pipeline;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code holdfast-bench start}: cold starts through the launcher, with the class cache and without.
 */
@Command(
    name = "start",
    description =
        "From the start of the launcher to the service's first score, and to the demo's first"
            + " record scored, with the class cache and without, in turn.",
    mixinStandardHelpOptions = true)
public final class StartCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Pattern READY = Pattern.compile("\"secondsToReady\"\\s*:\\s*([0-9.]+)");

  @Spec CommandSpec spec;

  @Option(
      names = "--root",
      defaultValue = ".",
      description = "The folder of the launcher (${DEFAULT-VALUE}).")
  Path root;

  @Option(names = "--runs", defaultValue = "5", description = "Runs of each (${DEFAULT-VALUE}).")
  int runs;

  @Override
  public Integer call() throws IOException, ExecutionException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    for (String command : List.of("demo", "service")) { // makes the cache of each
      launch("1", List.of(command, "--help"), Path.of("/dev/null")).waitFor();
    }
    Started service = new Started(new double[2][runs], new double[2][runs]);
    Started demo = new Started(new double[2][runs], new double[2][runs]);
    try (Workbench bench = Workbench.open(null)) {
      Settings settings = prepare(bench);
      for (int run = 0; run < runs; run++) {
        for (int cache = 0; cache < 2; cache++) {
          service(bench, settings, cache, run, service);
        }
      }
    }
    for (int run = 0; run < runs; run++) {
      for (int cache = 0; cache < 2; cache++) {
        demo(cache, run, demo);
      }
    }
    out.println("start without_s with_s ratio cpu_without_s cpu_with_s ratio");
    print(out, "service", service);
    print(out, "demo", demo);
    return 0;
  }

  /** Seconds and seconds of processor time, without the cache and with it, run by run. */
  @SuppressWarnings("ArrayRecordComponent") // filled run by run; never compared
  private record Started(double[][] seconds, double[][] cpuSeconds) {}

  private static void print(PrintWriter out, String name, Started started) {
    out.printf(
        Locale.ROOT,
        "%s %.1f %.1f %.2f %.1f %.1f %.2f%n",
        name,
        PipelineCommand.median(started.seconds()[0]),
        PipelineCommand.median(started.seconds()[1]),
        PipelineCommand.ratio(started.seconds()[1], started.seconds()[0]),
        PipelineCommand.median(started.cpuSeconds()[0]),
        PipelineCommand.median(started.cpuSeconds()[1]),
        PipelineCommand.ratio(started.cpuSeconds()[1], started.cpuSeconds()[0]));
    out.flush();
  }

  private static double cpuSeconds(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
  }

  /** Records that wait to be scored, and version 0 to score them. */
  private static Settings prepare(Workbench bench)
      throws IOException, ExecutionException, InterruptedException {
    Path folder = Files.createDirectory(bench.folder().resolve("trainer"));
    try (ChildJvm trainer =
        ChildJvm.start(TrainerNode.class, List.of(), bench.bootstrapServers(), folder.toString())) {
      trainer.answer();
      trainer.ask("train wide 1000 0");
      Settings settings = Settings.read(folder.resolve("wide.yml"), Map.of());
      TopicCheck.create(settings, 1);
      var versions = new TopicPartition(settings.topics().models(), 0);
      await(bench, versions, 0, null);
      trainer.ask("stop");
      try (var producer = bench.producer(Map.of())) {
        new WideRecords().produce(producer, "records", 1, 100);
      }
      return settings;
    }
  }

  private void service(Workbench bench, Settings settings, int cache, int run, Started started)
      throws IOException, InterruptedException {
    Path file = bench.folder().resolve("start-" + cache + "-" + run + ".yml");
    String id = "start-" + cache + "-" + run;
    String trainer = Files.readString(bench.folder().resolve("trainer/wide.yml"));
    Files.writeString(
        file,
        trainer.replace(
            "  models:",
            Sentence.of(
                "  service: { port: 0, applicationId: %s, stateDirectory: %s }\n  models:",
                id, bench.folder().resolve(id))));
    var scores = new TopicPartition(settings.model("wide").topics().scores(), 0);
    long before = bench.end(scores);
    long start = System.nanoTime();
    Process process =
        launch(
            Integer.toString(cache),
            List.of("service", "--config", file.toString()),
            bench.folder().resolve(id + ".log"));
    try {
      await(bench, scores, before, process);
      started.seconds()[cache][run] = (System.nanoTime() - start) / 1e9;
      started.cpuSeconds()[cache][run] = cpuSeconds(process);
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private void demo(int cache, int run, Started started) throws IOException, InterruptedException {
    Path out = Files.createTempFile("holdfast-demo", ".json");
    Process process =
        launch(
            Integer.toString(cache),
            List.of("demo", "--headless", "--rows", "1500", "--json"),
            out);
    while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
      started.cpuSeconds()[cache][run] = cpuSeconds(process); // the last word before it ends
    }
    Matcher ready = READY.matcher(Files.readString(out));
    Files.delete(out);
    if (!ready.find()) {
      throw new IllegalStateException("the demo ended and was never ready");
    }
    started.seconds()[cache][run] = Double.parseDouble(ready.group(1));
  }

  private Process launch(String cache, List<String> arguments, Path out) throws IOException {
    List<String> command = new java.util.ArrayList<>();
    command.add(root.resolve("holdfast").toAbsolutePath().toString());
    command.addAll(arguments);
    var builder =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("HOLDFAST_BUILD", "0");
    builder.environment().put("HOLDFAST_CACHE", cache);
    return builder.start();
  }

  /** Waits for a committed record at {@code offset} or after it. */
  private static void await(
      Workbench bench, TopicPartition partition, long offset, @Nullable Process process) {
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                bench.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "fetch.max.wait.ms",
                20),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seek(partition, offset);
      long start = System.nanoTime();
      while (consumer.poll(Duration.ofMillis(20)).isEmpty()) {
        if (process != null && !process.isAlive()) {
          throw new IllegalStateException("the service ended with code " + process.exitValue());
        }
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
          throw new IllegalStateException("nothing came on " + partition);
        }
      }
    }
  }
}
