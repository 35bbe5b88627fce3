package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.Runs;
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
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code holdfast-bench start}: cold starts through the launcher, with the class cache and without.
 */
@Command(
    name = "start",
    description =
        "From the start of the launcher to the service's first score, and to the demo's first"
            + " record scored, with the class cache and without, in turn.")
public final class StartCommand extends BenchCommand {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Pattern READY = Pattern.compile("\"secondsToReady\"\\s*:\\s*([0-9.]+)");

  @Option(names = "--runs", description = "Runs of each (${DEFAULT-VALUE}).")
  int runs = 5;

  /** What one start took, in seconds. */
  private record Start(double seconds, double cpuSeconds) {}

  @Override
  protected void run(PrintWriter out) throws IOException, InterruptedException {
    for (String command : List.of("demo", "service")) { // makes the cache of each
      launch(1, Path.of("/dev/null"), command, "--help").waitFor();
    }
    Start[][] services = new Start[2][runs];
    Start[][] demos = new Start[2][runs];
    try (var bench = new Workbench()) {
      Settings settings = prepare(bench);
      for (int run = 0; run < runs; run++) {
        for (int cache = 0; cache < 2; cache++) {
          services[cache][run] = service(bench, settings, cache, run);
        }
      }
    }
    for (int run = 0; run < runs; run++) {
      for (int cache = 0; cache < 2; cache++) {
        demos[cache][run] = demo(cache);
      }
    }
    out.println("start without_s with_s ratio cpu_without_s cpu_with_s ratio");
    print(out, "service", services);
    print(out, "demo", demos);
  }

  private static void print(PrintWriter out, String name, Start[][] starts) {
    double[][] seconds = new double[2][];
    double[][] cpu = new double[2][];
    for (int cache = 0; cache < 2; cache++) {
      seconds[cache] = Stream.of(starts[cache]).mapToDouble(Start::seconds).toArray();
      cpu[cache] = Stream.of(starts[cache]).mapToDouble(Start::cpuSeconds).toArray();
    }
    out.printf(
        Locale.ROOT,
        "%s %.1f %.1f %.2f %.1f %.1f %.2f%n",
        name,
        Runs.median(seconds[0]),
        Runs.median(seconds[1]),
        Runs.ratio(seconds[1], seconds[0]),
        Runs.median(cpu[0]),
        Runs.median(cpu[1]),
        Runs.ratio(cpu[1], cpu[0]));
  }

  private static double cpuSeconds(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
  }

  /** Records that wait to be scored, and version 0 to score them. */
  private static Settings prepare(Workbench bench) throws IOException {
    Path folder = Files.createDirectory(bench.folder().resolve("trainer"));
    try (ChildJvm trainer =
        ChildJvm.start(TrainerNode.class, bench.bootstrapServers(), folder.toString())) {
      trainer.answer();
      trainer.ask("train wide 1000 0");
      Settings settings = Settings.read(folder.resolve("wide.yml"), Map.of());
      TopicCheck.create(settings, 1);
      await(bench, settings.topics().models(), 0, null);
      trainer.ask("stop");
      try (var producer = bench.producer(Map.of())) {
        new WideRecords().produce(producer, "records", 100, Framed.SINGLE_OBJECT);
      }
      return settings;
    }
  }

  private static Start service(Workbench bench, Settings settings, int cache, int run)
      throws IOException, InterruptedException {
    String id = "start-" + cache + "-" + run;
    Path file = bench.folder().resolve(id + ".yml");
    String trainer = Files.readString(bench.folder().resolve("trainer/wide.yml"));
    Files.writeString(
        file,
        trainer.replace(
            "  models:",
            Sentence.of(
                "  service: { port: 0, applicationId: %s, stateDirectory: %s }\n  models:",
                id, bench.folder().resolve(id))));
    String scores = settings.model("wide").topics().scores();
    long before = bench.end(scores);
    long start = System.nanoTime();
    Process process =
        launch(cache, bench.folder().resolve(id + ".log"), "service", "--config", file.toString());
    try {
      await(bench, scores, before, process);
      return new Start((System.nanoTime() - start) / 1e9, cpuSeconds(process));
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private static Start demo(int cache) throws IOException, InterruptedException {
    Path out = Files.createTempFile("holdfast-demo", ".json");
    Process process = launch(cache, out, "demo", "--headless", "--rows", "1500", "--json");
    double cpu = 0;
    while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
      cpu = cpuSeconds(process); // the last word before it ends
    }
    Matcher ready = READY.matcher(Files.readString(out));
    Files.delete(out);
    if (!ready.find()) {
      throw new IllegalStateException("the demo ended and was never ready");
    }
    return new Start(Double.parseDouble(ready.group(1)), cpu);
  }

  private static Process launch(int cache, Path out, String... arguments) throws IOException {
    var builder =
        new ProcessBuilder(arguments)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.command().addFirst(Path.of("holdfast").toAbsolutePath().toString());
    builder.environment().put("HOLDFAST_BUILD", "0");
    builder.environment().put("HOLDFAST_CACHE", Integer.toString(cache));
    return builder.start();
  }

  /** Waits for a committed record at {@code offset} or after it. */
  private static void await(Workbench bench, String topic, long offset, @Nullable Process process) {
    try (var consumer = Workbench.consumer(bench.bootstrapServers(), topic)) {
      consumer.seek(new TopicPartition(topic, 0), offset);
      long start = System.nanoTime();
      while (consumer.poll(Duration.ofMillis(20)).isEmpty()) {
        if (process != null && !process.isAlive()) {
          throw new IllegalStateException("the service ended with code " + process.exitValue());
        }
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
          throw new IllegalStateException("nothing came on " + topic);
        }
      }
    }
  }
}
