package io.holdfast.bench.files;

import static io.holdfast.bench.report.MarkdownTable.count;

import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.bench.report.Runs;
import io.holdfast.cli.Holdfast;
import io.holdfast.schemas.Sentence;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench files}: from a CSV file to a model, and to scores, as processes. */
@Command(
    name = "files",
    description =
        "Whole processes that fit to CSV files and score them, by Holdfast and by LightGBM with its"
            + " own reader, in turn: same rows, trees, leaves and threads.")
public final class FilesCommand extends BenchCommand {
  private static final int WIDTH = 30;
  private static final int ROUNDS = 100;

  @Option(
      names = "--rows",
      split = ",",
      defaultValue = "40000,500000,1000000",
      description = "Rows of a file (${DEFAULT-VALUE}).")
  List<Integer> sizes;

  @Option(names = "--runs", description = "Runs of each (${DEFAULT-VALUE}).")
  int runs = 3;

  @Option(names = "--threads", description = "Threads of each (${DEFAULT-VALUE}).")
  int threads = 2;

  @Option(
      names = "--launcher",
      paramLabel = "FILE",
      description =
          "The holdfast script, to start with its class cache as users do, and not without.")
  @Nullable Path launcher;

  /** What a process took, in seconds of the wall and of the processor. */
  private record Took(double wall, double processor) {}

  /** A thing to do, by either. */
  private record Job(String name, List<String> ours, List<String> theirs) {}

  @Override
  protected void run(PrintWriter out) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("holdfast-files");
    out.println(
        MarkdownTable.headed(
            "rows | process | Holdfast, s | LightGBM, s | ratio | Holdfast, CPU s | LightGBM, CPU s"
                + " | reading, share of CPU"));
    for (int size : sizes) {
      Path data = folder.resolve(size + ".csv");
      write(data, size);
      for (Job job : jobs(folder, data)) {
        Took[] ours = new Took[runs];
        Took[] theirs = new Took[runs];
        double[] reading = new double[runs];
        for (int run = 0; run < runs; run++) {
          ours[run] = time(folder, job.ours());
          theirs[run] = time(folder, job.theirs());
          reading[run] = reading(folder, data);
        }
        out.println(line(size, job.name(), ours, theirs, Runs.median(reading)));
        out.flush();
      }
      Files.delete(data);
    }
    for (String left : List.of("holdfast.model", "lightgbm.txt", "scores.csv", "said.txt")) {
      Files.deleteIfExists(folder.resolve(left));
    }
    Files.delete(folder);
  }

  private static String line(int size, String name, Took[] ours, Took[] theirs, double reading) {
    double[] walls = Arrays.stream(ours).mapToDouble(Took::wall).toArray();
    double[] others = Arrays.stream(theirs).mapToDouble(Took::wall).toArray();
    double processor = median(ours);
    return MarkdownTable.line(
        count(size),
        name,
        tenth(Runs.median(walls)),
        tenth(Runs.median(others)),
        String.format(Locale.ROOT, "%.2f", Runs.median(walls) / Runs.median(others)),
        tenth(processor),
        tenth(median(theirs)),
        String.format(Locale.ROOT, "%.0f%%", 100 * reading / processor));
  }

  private static double median(Took[] all) {
    return Runs.median(Arrays.stream(all).mapToDouble(Took::processor).toArray());
  }

  private static String tenth(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }

  private List<Job> jobs(Path folder, Path data) {
    String file = data.toString();
    String model = folder.resolve("holdfast.model").toString();
    String other = folder.resolve("lightgbm.txt").toString();
    String scores = folder.resolve("scores.csv").toString();
    String parameters =
        Sentence.of("objective=regression num_leaves=31 num_threads=%d verbosity=-1", threads);
    String many = String.valueOf(threads);
    String rounds = String.valueOf(ROUNDS);
    return List.of(
        new Job(
            "fit",
            ours(
                "fit",
                "--data",
                file,
                "--label",
                "y",
                "--objective",
                "squared",
                "--rounds",
                rounds,
                "--threads",
                many,
                "--out",
                model),
            java(LightGbmProgram.class, "fit", file, other, rounds, parameters)),
        new Job(
            "score",
            ours("score", file, "--model", model, "--out", scores),
            java(LightGbmProgram.class, "score", file, other, scores, parameters)));
  }

  private List<String> ours(String... arguments) {
    if (launcher == null) {
      return java(Holdfast.class, arguments);
    }
    List<String> command = new ArrayList<>(List.of(launcher.toAbsolutePath().toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** The launcher's flags, but for the class cache. */
  private static List<String> java(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  private static Took time(Path folder, List<String> command)
      throws IOException, InterruptedException {
    Path said = folder.resolve("said.txt");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    double processor = 0;
    while (!process.waitFor(5, TimeUnit.MILLISECONDS)) {
      processor = // the last word before it ends
          Math.max(
              processor, process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9);
    }
    double wall = (System.nanoTime() - start) / 1e9;
    if (process.exitValue() != 0) {
      throw new IOException("a process failed: " + Files.readString(said));
    }
    return new Took(wall, processor);
  }

  private static double reading(Path folder, Path data) throws IOException, InterruptedException {
    time(folder, java(ReadingProgram.class, data.toString()));
    List<String> said = Files.readAllLines(folder.resolve("said.txt"));
    return Double.parseDouble(said.getLast());
  }

  /** Numbers of six digits, as people have them. */
  private static void write(Path data, int rows) throws IOException {
    var random = new SplittableRandom(1);
    try (BufferedWriter out = Files.newBufferedWriter(data)) {
      StringBuilder line = new StringBuilder("y");
      for (int i = 0; i < WIDTH; i++) {
        line.append(",x").append(i);
      }
      double[] x = new double[WIDTH];
      for (int row = 0; row < rows; row++) {
        out.append(line.append('\n'));
        for (int i = 0; i < WIDTH; i++) {
          x[i] = Math.rint(random.nextGaussian() * 1e5) / 1e5;
        }
        double y = 2 * x[0] + Math.sin(3 * x[1]) + x[2] * x[3] + random.nextGaussian();
        line.setLength(0);
        line.append(Math.rint(y * 1e5) / 1e5);
        for (double value : x) {
          line.append(',').append(value);
        }
      }
      out.append(line.append('\n'));
    }
  }
}
