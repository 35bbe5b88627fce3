package io.holdfast.bench.pipeline;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast-bench models}: many models in one service and two trainers. */
@Command(
    name = "models",
    description =
        "Many models of all objectives in one service and some trainers on one broker: memory and"
            + " threads for each, times to start, to score, to learn and to be handed over.",
    mixinStandardHelpOptions = true)
public final class ModelsCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = "--models",
      split = ",",
      defaultValue = "1,100",
      description = "How many, run by run (${DEFAULT-VALUE}).")
  int[] counts;

  @Option(names = "--trainers", defaultValue = "2", description = "${DEFAULT-VALUE}.")
  int trainers;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    for (int count : counts) {
      try (Workbench bench = Workbench.open(null)) {
        run(new ManyModels(bench, count), out);
      }
    }
    return 0;
  }

  private void run(ManyModels models, PrintWriter out) throws IOException {
    List<ChildJvm> running = new ArrayList<>();
    try {
      out.printf(Locale.ROOT, "models %d%n", models.count());
      for (int trainer = 0; trainer < trainers; trainer++) {
        running.add(start("trainer", models));
      }
      for (ChildJvm trainer : running) {
        trainer.answer();
      }
      for (ChildJvm trainer : running) {
        out.printf(Locale.ROOT, "trainer ready after %s s%n", trainer.ask("ready"));
      }
      ChildJvm service = start("service", models);
      running.add(service);
      service.answer();
      out.printf(Locale.ROOT, "service ready after %s s%n", service.ask("ready"));
      out.println("idle: heap_MiB resident_MiB threads");
      memory(running, out);

      long start = System.nanoTime();
      models.produce(1);
      double[] scored = models.awaitScores(start);
      out.printf(
          Locale.ROOT,
          "first score after %.2f s, of every model after %.2f s%n",
          scored[0],
          scored[1]);
      start = System.nanoTime();
      models.produce(ManyModels.WINDOW);
      out.printf(
          Locale.ROOT,
          "a window of every model learned after %.1f s%n",
          models.awaitWindows(start, models.count()));
      out.println("after a window: heap_MiB resident_MiB threads");
      memory(running, out);
      handOver(running, models.count(), out);
    } finally {
      running.forEach(ChildJvm::close);
    }
  }

  /** One trainer is stopped, and the others take its models over. */
  private void handOver(List<ChildJvm> running, int models, PrintWriter out) throws IOException {
    if (trainers != 2) {
      return;
    }
    ChildJvm leaving = running.removeFirst();
    long start = System.nanoTime();
    leaving.ask("stop");
    double left = (System.nanoTime() - start) / 1e9;
    leaving.close();
    running.getFirst().ask("all " + models);
    out.printf(
        Locale.ROOT,
        "a trainer stopped in %.1f s, and the other was ready with its models after %.1f s%n",
        left,
        (System.nanoTime() - start) / 1e9);
    memory(List.of(running.getFirst()), out);
    out.flush();
  }

  private static void memory(List<ChildJvm> nodes, PrintWriter out) throws IOException {
    for (int node = 0; node < nodes.size(); node++) {
      out.printf(Locale.ROOT, "  process %d: %s%n", node + 1, nodes.get(node).ask("memory"));
    }
    out.flush();
  }

  private static ChildJvm start(String role, ManyModels models) throws IOException {
    return ChildJvm.start(ModelsNode.class, List.of(), role, models.config().toString());
  }
}
