package io.holdfast.bench.scoring;

import io.holdfast.bench.data.GeneratedRows;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.CompiledScorer;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.scoring.TreeWalkScorer;
import io.holdfast.boosting.scoring.Vectors;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The same ensembles scored by Holdfast with and without vectors, by its plain walk, by LightGBM,
 * by XGBoost and as compiled C, in turn on one thread; medians of its processor time, which other
 * work on the machine disturbs less than the clock.
 */
@Command(
    name = "scoring",
    description =
        "Scores the same ensembles with Holdfast, LightGBM, XGBoost and compiled C, in turn.",
    mixinStandardHelpOptions = true)
public final class ScoringCommand implements Callable<Integer> {
  static final int WIDTH = 30;
  static final int ROWS = 4096;
  static final int TRAINING_ROWS = 20_000;
  private static final int LEAVES = 31;
  private static final int DEPTH = 6;
  private static final double TOLERANCE = 1e-9; // of LightGBM's base, which is in its first tree
  private static final double FLOAT_TOLERANCE = 1e-3; // of XGBoost's sums

  @Spec CommandSpec spec;

  @Option(names = "--trees", split = ",", defaultValue = "100,500,1000")
  int[] trees;

  @Option(
      names = "--block",
      split = ",",
      defaultValue = "1,64,1024",
      description = "Rows scored at once (${DEFAULT-VALUE}).")
  int[] blocks;

  @Option(
      names = "--runs",
      defaultValue = "31",
      description = "Counted turns of each (${DEFAULT-VALUE}).")
  int runs;

  @Option(
      names = "--warm-up",
      defaultValue = "20",
      description = "Turns not counted (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(
      names = "--turn",
      defaultValue = "20",
      description = {
        "Milliseconds of processor time that a turn takes at least, in passes over 4,096 rows; with"
            + " 0",
        "it is one pass, so that each begins with caches full of the others' data"
            + " (${DEFAULT-VALUE})."
      })
  int turnMillis;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    boolean settled = Vectors.awaitWarmUp(5, TimeUnit.MINUTES);
    out.printf(
        Locale.ROOT,
        "Vectors: %s. Microseconds of processor time a row, medians of %d turns of %d ms at"
            + " least.%n%n",
        vectors(settled),
        runs,
        turnMillis);
    var table =
        new MarkdownTable(
            "trees",
            "rows",
            "Holdfast",
            "no vectors",
            "walk",
            "LightGBM",
            "XGBoost",
            "C",
            "to LightGBM",
            "no vectors",
            "to XGBoost",
            "to C",
            "no vectors");
    var memory = new MarkdownTable("trees", "bytes a tree", "compiled", "and for vectors", "KiB");
    for (boolean deep : new boolean[] {false, true}) {
      for (int count : trees) {
        Model model = train(count, deep, TRAINING_ROWS);
        memory.add(memory(name(count, deep), model, count));
        compare(name(count, deep), model, table);
        out.println(name(count, deep) + ": done");
        out.flush();
      }
    }
    out.println();
    out.print(table);
    out.println();
    out.print(memory);
    out.flush();
    return 0;
  }

  /** What vectors do, now that they were waited for. */
  static String vectors(boolean settled) {
    if (!Vectors.present()) {
      return "not there (they take --add-modules jdk.incubator.vector and 256 bits)";
    }
    return settled
        ? "rows " + Vectors.serveRows() + ", blocks " + Vectors.serveBlocks()
        : "still warming up";
  }

  static String name(int trees, boolean deep) {
    return MarkdownTable.count(trees) + (deep ? " of depth 6" : " of 31 leaves");
  }

  private static List<String> memory(String name, Model model, int trees) {
    long own = ModelMemory.bytes(model);
    long plain = CompiledScorer.plain(model).bytes();
    long fastest = Scorer.of(model).bytes();
    List<String> cells = new ArrayList<>(List.of(name));
    for (long bytes : new long[] {own / trees, plain / trees, (fastest - plain) / trees}) {
      cells.add(MarkdownTable.count(bytes));
    }
    cells.add(MarkdownTable.count((own + fastest) >> 10));
    return cells;
  }

  private void compare(String name, Model model, MarkdownTable table)
      throws IOException, InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      var bench = new TestBench(GeneratedRows.of(ROWS, WIDTH, 4, false, 2), arena);
      var lightGbm = new LightGbmPredictor(LightGbmModel.text(model), arena);
      Optional<CompiledC> compiled = CompiledC.of(model, arena);
      if (compiled.isEmpty()) {
        spec.commandLine().getErr().println("no gcc on the PATH: compiled C is left out");
      }
      Optional<XgboostPredictor> xgboost = XgboostPredictor.of(XgboostModel.json(model), arena);
      Scorer fastest = Scorer.of(model);
      Scorer plain = CompiledScorer.plain(model);
      Scorer walk = new TreeWalkScorer(model);
      for (int block : blocks) {
        Map<String, Contender> contenders = new LinkedHashMap<>();
        contenders.put("walk", bench.oneByOne(walk));
        contenders.put("holdfast", bench.holdfast(fastest, block));
        contenders.put("plain", bench.holdfast(plain, block));
        contenders.put("lightgbm", lightGbm.on(bench, block));
        compiled.ifPresent(c -> contenders.put("c", c.on(bench, block)));
        check(contenders, block);
        xgboost.ifPresent(
            x -> {
              Contender contender = x.on(bench, block);
              checkFloats(contender, bench, walk, block);
              contenders.put("xgboost", contender);
            });
        Map<String, Double> micros =
            new InTurn(warmUp, runs, turnMillis).micros(contenders, ROWS, block);
        table.add(line(name, block, micros));
      }
    }
  }

  private static List<String> line(String name, int block, Map<String, Double> micros) {
    double ours = micros.getOrDefault("holdfast", Double.NaN);
    double plain = micros.getOrDefault("plain", Double.NaN);
    double lightGbm = micros.getOrDefault("lightgbm", Double.NaN);
    double xgboost = micros.getOrDefault("xgboost", Double.NaN);
    double compiled = micros.getOrDefault("c", Double.NaN);
    List<String> cells = new ArrayList<>();
    cells.add(name);
    cells.add(MarkdownTable.count(block));
    double walk = micros.getOrDefault("walk", Double.NaN);
    for (double value : new double[] {ours, plain, walk, lightGbm, xgboost, compiled}) {
      cells.add(figure(value, 2));
    }
    for (double ratio :
        new double[] {
          ours / lightGbm, plain / lightGbm, ours / xgboost, ours / compiled, plain / compiled
        }) {
      cells.add(figure(ratio, 3));
    }
    return cells;
  }

  private static String figure(double value, int decimals) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  static Model train(int count, boolean deep, int size) {
    var settings =
        BoosterSettings.builder(Objective.named("squared"))
            .gamma(1)
            .rounds(count)
            .learningRate(0.1)
            .trees(new TreeLimits(deep ? 1 << DEPTH : LEAVES, deep ? DEPTH : 64, 20, 1e-3, 0))
            .penalties(Penalties.ridge(0))
            .maxBins(255)
            .seed(1)
            .build();
    Rows rows = GeneratedRows.of(size, WIDTH, 4, false, 1);
    List<Feature> features = GeneratedRows.features(WIDTH);
    return new Booster(settings)
        .extend(Booster.untrained(settings, features), features, rows, FitListener.NONE)
        .model();
  }

  /** All must score the same ensemble: ours and C to the bit, LightGBM but for rounding. */
  private static void check(Map<String, Contender> contenders, int block) {
    for (int from = 0; from + block <= ROWS; from += block) {
      double expected = 0;
      for (Map.Entry<String, Contender> contender : contenders.entrySet()) {
        double score = contender.getValue().score(from, block);
        if (contender.getKey().equals("walk")) {
          expected = score;
        }
        double tolerance = contender.getKey().equals("lightgbm") ? TOLERANCE : 0;
        if (Math.abs(score - expected) > tolerance) {
          throw new IllegalStateException(
              contender.getKey()
                  + " must score row "
                  + from
                  + " as the walk does, "
                  + expected
                  + ": "
                  + score);
        }
      }
    }
  }

  /** XGBoost sees the row's features as floats. */
  private static void checkFloats(Contender contender, TestBench bench, Scorer walk, int block) {
    for (int from = 0; from + block <= ROWS; from += block) {
      double expected = bench.scoreOfFloats(walk, from + block - 1);
      double score = contender.score(from, block);
      if (Math.abs(score - expected) > FLOAT_TOLERANCE * Math.max(1, Math.abs(expected))) {
        throw new IllegalStateException(
            "XGBoost must score block " + from + " as the walk does, " + expected + ": " + score);
      }
    }
  }
}
