package io.holdfast.bench.pipeline;

import io.holdfast.bench.report.BenchCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench models}: many models in one service and two trainers. */
@Command(
    name = "models",
    description =
        "Many models of all objectives in one service and two trainers on one broker: memory and"
            + " threads for each, times to start, to score, to learn and to be handed over.")
public final class ModelsCommand extends BenchCommand {
  @Option(
      names = "--models",
      split = ",",
      defaultValue = "1,100",
      description = "How many, run by run (${DEFAULT-VALUE}).")
  int[] counts;

  @Override
  protected void run(PrintWriter out) throws IOException {
    for (int count : counts) {
      try (var bench = new Workbench()) {
        run(new ManyModels(bench, count), out);
      }
    }
  }

  private static void run(ManyModels models, PrintWriter out) throws IOException {
    List<ChildJvm> running = new ArrayList<>();
    try {
      out.printf(Locale.ROOT, "models %d%n", models.count());
      running.add(start("trainer", models));
      running.add(start("trainer", models));
      for (ChildJvm trainer : running) {
        trainer.answer();
        out.printf(Locale.ROOT, "trainer ready after %s s%n", trainer.ask("ready"));
      }
      ChildJvm service = start("service", models);
      running.add(service);
      service.answer();
      out.printf(Locale.ROOT, "service ready after %s s%n", service.ask("ready"));
      memory("idle", running, out);

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
      memory("after a window", running, out);

      ChildJvm leaving = running.removeFirst();
      start = System.nanoTime();
      leaving.close();
      double left = (System.nanoTime() - start) / 1e9;
      running.getFirst().ask("all " + models.count());
      out.printf(
          Locale.ROOT,
          "a trainer stopped in %.1f s, and the other was ready with its models after %.1f s%n",
          left,
          (System.nanoTime() - start) / 1e9);
      memory("the other", running.subList(0, 1), out);
    } finally {
      running.forEach(ChildJvm::close);
    }
  }

  private static void memory(String when, List<ChildJvm> nodes, PrintWriter out)
      throws IOException {
    out.println(when + ": heap_MiB resident_MiB threads cpu_s");
    for (int node = 0; node < nodes.size(); node++) {
      out.printf(Locale.ROOT, "  process %d: %s%n", node + 1, nodes.get(node).ask("memory"));
    }
    out.flush();
  }

  private static ChildJvm start(String role, ManyModels models) throws IOException {
    return ChildJvm.start(ModelsNode.class, role, models.config().toString());
  }
}
