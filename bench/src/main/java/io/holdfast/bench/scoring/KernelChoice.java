package io.holdfast.bench.scoring;

import io.holdfast.bench.GeneratedRows;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.model.TreeWalkScorer;
import io.holdfast.boosting.model.kernel.CompiledScorer;
import io.holdfast.boosting.model.kernel.Vectors;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The layouts of an ensemble that the serving scorer's was chosen from, in turn on one thread. */
@Command(
    name = "kernels",
    description = "The serving scorer beside other layouts of the same ensembles, in turn.",
    mixinStandardHelpOptions = true)
public final class KernelChoice implements Callable<Integer> {
  private static final int WIDTH = 30;
  private static final int ROWS = 4096;
  private static final int TRAINING_ROWS = 20_000;

  @Spec CommandSpec spec;

  @Option(
      names = "--trees",
      split = ",",
      defaultValue = "100,500",
      description = "Trees of an ensemble (${DEFAULT-VALUE}).")
  int[] trees;

  @Option(
      names = "--block",
      split = ",",
      defaultValue = "1,64,1024",
      description = "Rows scored at once (${DEFAULT-VALUE}).")
  int[] blocks;

  @Option(
      names = "--runs",
      defaultValue = "9",
      description = "Counted runs of each over 4,096 rows (${DEFAULT-VALUE}).")
  int runs;

  @Option(
      names = "--warm-up",
      defaultValue = "12",
      description = "Runs not counted (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(
      names = "--training-rows",
      defaultValue = "" + TRAINING_ROWS,
      description = "Rows that ensembles are trained on (${DEFAULT-VALUE}).")
  int trainingRows;

  private record Made(Map<String, Layout> layouts, Map<String, Double> millis) {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    boolean settled = Vectors.awaitWarmUp(5, TimeUnit.MINUTES);
    out.printf(
        Locale.ROOT,
        "Vectors: %s. Microseconds of processor time a row, medians of %d runs in turn.%n%n",
        settled ? "rows " + Vectors.serveRows() + ", blocks " + Vectors.serveBlocks() : "none",
        runs);
    List<String> header = new ArrayList<>(List.of("trees", "layout"));
    for (int block : blocks) {
      header.add("rows at once: " + MarkdownTable.count(block));
    }
    header.add("laid out in, ms");
    var table = new MarkdownTable(header.toArray(String[]::new));
    for (boolean deep : new boolean[] {false, true}) {
      for (int count : trees) {
        compare(ScoringCommand.train(count, deep, trainingRows), ScoringCommand.name(count, deep))
            .forEach(table::add);
      }
    }
    out.print(table);
    out.flush();
    return 0;
  }

  private List<List<String>> compare(Model model, String name) {
    Rows rows = rows(model, ROWS);
    Made made = make(Ensemble.of(model));
    Scorer fastest = Scorer.of(model);
    Scorer plain = CompiledScorer.plain(model);
    Scorer walk = new TreeWalkScorer(model);
    Map<String, List<String>> lines = new LinkedHashMap<>();
    try (Arena arena = Arena.ofConfined()) {
      var bench = new TestBench(rows, arena);
      for (int block : blocks) {
        Map<String, Contender> contenders = new LinkedHashMap<>();
        contenders.put("Holdfast", bench.holdfast(fastest, block));
        contenders.put("Holdfast without vectors", bench.holdfast(plain, block));
        made.layouts().forEach((layout, kernel) -> contenders.put(layout, kernel.on(bench)));
        check(contenders, bench, walk, block);
        new InTurn(warmUp, runs)
            .micros(contenders, bench.rows, block)
            .forEach(
                (layout, micros) ->
                    lines
                        .computeIfAbsent(layout, key -> new ArrayList<>(List.of(name, key)))
                        .add(figure("%.2f", micros)));
      }
    }
    lines.forEach(
        (layout, line) -> {
          Double millis = made.millis().get(layout);
          line.add(millis == null ? "" : figure("%.0f", millis));
        });
    return List.copyOf(lines.values());
  }

  private static Made make(Ensemble ensemble) {
    Map<String, Function<Ensemble, Layout>> ways = new LinkedHashMap<>();
    ways.put("flat arrays", of -> new FlatLayout(of, false));
    ways.put("flat arrays, a tree at a time", of -> new FlatLayout(of, true));
    ways.put("packed nodes", PackedLayout::new);
    ways.put("binned thresholds", BinnedLayout::new);
    ways.put("bit vectors (QuickScorer)", BitVectorLayout::new);
    ways.put("generated bytecode", GeneratedLayout::new);
    Map<String, Layout> layouts = new LinkedHashMap<>();
    Map<String, Double> millis = new LinkedHashMap<>();
    ways.forEach(
        (name, way) -> {
          long start = System.nanoTime();
          layouts.put(name, way.apply(ensemble));
          millis.put(name, (System.nanoTime() - start) / 1e6);
        });
    return new Made(layouts, millis);
  }

  /** Layouts that are chosen from, by name. */
  static Map<String, Layout> layouts(Model model) {
    return make(Ensemble.of(model)).layouts();
  }

  /** Rows of which some miss a value, and some have one that is a threshold of the model. */
  static Rows rows(Model model, int size) {
    Rows drawn = GeneratedRows.of(size, WIDTH, 4, false, 2);
    Ensemble ensemble = Ensemble.of(model);
    var random = new SplittableRandom(3);
    Rows.Builder rows = Rows.builder(WIDTH);
    double[] x = new double[WIDTH];
    for (int row = 0; row < size; row++) {
      drawn.copyFeatures(row, x);
      var tree = ensemble.members().get(random.nextInt(ensemble.members().size())).tree();
      if (tree.innerNodes() > 0 && row % 5 == 0) {
        int node = random.nextInt(tree.innerNodes());
        x[tree.feature(node)] = tree.threshold(node);
      }
      if (row % 7 == 0) {
        x[random.nextInt(WIDTH)] = Double.NaN;
      }
      rows.add(x, 0, "");
    }
    return rows.build();
  }

  private static void check(
      Map<String, Contender> contenders, TestBench bench, Scorer walk, int block) {
    for (int from = 0; from + block <= bench.rows; from += block) {
      double expected = walk.score(bench.single[from + block - 1]);
      for (Map.Entry<String, Contender> contender : contenders.entrySet()) {
        double score = contender.getValue().score(from, block);
        if (Double.doubleToLongBits(score) != Double.doubleToLongBits(expected)) {
          throw new IllegalStateException(
              contender.getKey() + " must score as the walk does, " + expected + ": " + score);
        }
      }
    }
  }

  private static String figure(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
