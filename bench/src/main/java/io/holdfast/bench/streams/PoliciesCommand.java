package io.holdfast.bench.streams;

import io.holdfast.bench.data.DataFolder;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The loss of update policies on streams. */
@Command(
    name = "policies",
    description = {
      "Takes update policies through streams, each row scored before it is learned from, and prints a",
      "line each: mean loss of all rows and of the last quarter, CPU seconds, versions. Losses are",
      "those above the least that is possible for the label."
    },
    mixinStandardHelpOptions = true)
public final class PoliciesCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--data", description = "The folder with the shared data sets.")
  @Nullable Path data;

  @Option(names = "--streams", split = ",", description = "The streams; all by default.")
  List<String> streams = StreamSource.all().stream().map(StreamSource::name).toList();

  @Option(
      names = "--policies",
      split = ",",
      defaultValue = "append,decay,refit,replace,auto",
      description =
          "Policies, each with settings of its own if any: refit;window.rows=200"
              + " (${DEFAULT-VALUE}).")
  List<String> policies;

  @Option(
      names = "--delays",
      split = ",",
      defaultValue = "0,1000",
      description = "How many rows labels are late (${DEFAULT-VALUE}).")
  List<Integer> delays;

  @Option(
      names = "--rows",
      defaultValue = "20000",
      description = "Rows of each stream; 0 is all of a file (${DEFAULT-VALUE}).")
  int rows;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.println("stream,rows,delay,policy,loss,lastQuarter,cpuSeconds,versions");
    for (String name : streams) {
      LabelledStream stream = StreamSource.named(name).read(DataFolder.of(data), rows);
      for (int delay : delays) {
        for (String policy : policies) {
          out.println(line(stream, delay, policy));
          out.flush();
        }
      }
    }
    return 0;
  }

  private static String line(LabelledStream stream, int delay, String policy) {
    Map<String, String> settings =
        Stream.of(("update.policy=" + policy).split(";", -1))
            .map(pair -> pair.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    HoldfastLearner learner = new HoldfastLearner(stream, settings);
    int count = stream.rows().size();
    int quarter = count / 4;
    double sum = 0;
    double late = 0;
    long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int row = 0; row < count; row++) {
      double loss = learner.loss(row);
      sum += loss;
      late += row >= count - quarter ? loss : 0;
      if (row >= delay) {
        learner.learn(row - delay);
      }
    }
    double cpu = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin) / 1e9;
    return String.format(
        Locale.ROOT,
        "%s,%d,%d,%s,%.6g,%.6g,%.1f,%d",
        stream.name(),
        count,
        delay,
        policy,
        sum / count,
        late / quarter,
        cpu,
        learner.versions());
  }
}
