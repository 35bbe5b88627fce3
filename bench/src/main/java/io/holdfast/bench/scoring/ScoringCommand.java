package io.holdfast.bench.scoring;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import io.holdfast.bench.data.GeneratedRows;
import io.holdfast.bench.data.SampleModels;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.peer.NativeRows;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.bench.report.Runs;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.CompiledScorer;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.scoring.TreeWalkScorer;
import io.holdfast.boosting.scoring.Vectors;
import io.holdfast.boosting.split.TreeLimits;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The same ensembles scored by Holdfast with and without vectors, by its plain walk, by LightGBM,
 * by XGBoost and as compiled C, in turn on one thread; medians of its processor time, which other
 * work on the machine disturbs less than the clock.
 *
 * <p>A turn is as many passes over the rows as take some time, the same for all: one pass, a few
 * hundred microseconds for the fastest, would time above all how long it takes to fetch again what
 * the contenders before have driven out of the caches.
 */
@Command(
    name = "scoring",
    description =
        "Scores the same ensembles with Holdfast, LightGBM, XGBoost and compiled C, in turn.")
public final class ScoringCommand extends BenchCommand {
  private static final int WIDTH = 30;
  private static final int ROWS = 4096;
  private static final int TRAINING_ROWS = 20_000;
  private static final int TURN_MILLIS = 20; // at least
  private static final int DEPTH = 6;
  private static final double TOLERANCE = 1e-9; // of LightGBM's base, which is in its first tree
  private static final double FLOAT_TOLERANCE = 1e-3; // of XGBoost's sums

  @Option(names = "--trees", split = ",", defaultValue = "100,500,1000")
  int[] trees;

  @Option(
      names = "--block",
      split = ",",
      defaultValue = "1,64,1024",
      description = "Rows scored at once (${DEFAULT-VALUE}).")
  int[] blocks;

  @Option(names = "--runs", description = "Counted turns of each (${DEFAULT-VALUE}).")
  int runs = 31;

  @Option(names = "--warm-up", description = "Turns not counted (${DEFAULT-VALUE}).")
  int warmUp = 20;

  @Override
  protected void run(PrintWriter out) throws IOException, InterruptedException {
    LightGbm.load();
    boolean settled = Vectors.awaitWarmUp(5, TimeUnit.MINUTES);
    out.printf(
        Locale.ROOT,
        "Vectors: %s. Microseconds of processor time a row, medians of %d turns of %d ms at"
            + " least.%n%n",
        vectors(settled),
        runs,
        TURN_MILLIS);
    var table =
        MarkdownTable.headed(
            "trees | rows | Holdfast | no vectors | walk | LightGBM | XGBoost | C | to "
                + "LightGBM | no vectors | to XGBoost | to C | no vectors");
    var memory = MarkdownTable.headed("trees | bytes a tree | compiled | and for vectors | KiB");
    for (boolean deep : new boolean[] {false, true}) {
      for (int count : trees) {
        Model model = train(count, deep, TRAINING_ROWS);
        String name = MarkdownTable.count(count) + (deep ? " of depth 6" : " of 31 leaves");
        long own = ModelMemory.bytes(model);
        long plain = CompiledScorer.plain(model).bytes();
        long fastest = Scorer.of(model).bytes();
        memory.add(
            name,
            MarkdownTable.count(own / count),
            MarkdownTable.count(plain / count),
            MarkdownTable.count((fastest - plain) / count),
            MarkdownTable.count((own + fastest) >> 10));
        compare(name, model, table, out);
        out.println(name + ": done");
        out.flush();
      }
    }
    out.println("\n" + table + "\n" + memory);
  }

  /** What vectors do, now that they were waited for. */
  private static String vectors(boolean settled) {
    if (!Vectors.present()) {
      return "not there (they take --add-modules jdk.incubator.vector and 256 bits)";
    }
    return settled
        ? "rows " + Vectors.serveRows() + ", blocks " + Vectors.serveBlocks()
        : "still warming up";
  }

  private void compare(String name, Model model, MarkdownTable table, PrintWriter out)
      throws IOException, InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      var bench = new TestBench(GeneratedRows.of(ROWS, WIDTH, 4, false, 2), arena);
      var lightGbm = new LightGbm("num_threads=1", arena);
      MemorySegment booster = lightGbm.newBooster(LightGbmModel.text(model));
      Optional<CompiledC> compiled = CompiledC.of(model, arena);
      if (compiled.isEmpty()) {
        out.println("no gcc on the PATH: compiled C is left out");
      }
      var xgboost = new XgboostPredictor(XgboostModel.json(model), arena);
      Scorer fastest = Scorer.of(model);
      Scorer plain = CompiledScorer.plain(model);
      Scorer walk = new TreeWalkScorer(model);
      for (int block : blocks) {
        Map<String, BlockScorer> contenders = new LinkedHashMap<>();
        contenders.put("walk", bench.oneByOne(walk));
        contenders.put("holdfast", bench.holdfast(fastest, block));
        contenders.put("plain", bench.holdfast(plain, block));
        contenders.put("lightgbm", lightGbm(lightGbm, booster, bench, block, arena));
        compiled.ifPresent(c -> contenders.put("c", c.on(bench, block)));
        check(contenders, bench.oneByOne(walk), block);
        BlockScorer ofFloats = xgboost.on(bench, block);
        checkFloats(ofFloats, bench, walk, block);
        contenders.put("xgboost", ofFloats);
        Map<String, Double> micros = micros(contenders, block);
        table.add(line(name, block, micros));
        note(name, block, micros);
      }
      lightGbm.freeBooster(booster);
    }
  }

  /** LightGBM's single-row fast call with its configuration made beforehand, or its batch call. */
  private static BlockScorer lightGbm(
      LightGbm library, MemorySegment booster, TestBench bench, int block, Arena arena) {
    MemorySegment target = arena.allocate(JAVA_DOUBLE, block);
    if (block > 1) {
      return (from, count) -> {
        var rows =
            new NativeRows(bench.nativeRows(from, count), MemorySegment.NULL, count, bench.width);
        library.predict(booster, rows, target);
        return target.getAtIndex(JAVA_DOUBLE, count - 1);
      };
    }
    MemorySegment config = library.fastConfig(booster, bench.width);
    MemorySegment[] rows = bench.nativeRows();
    return (from, _) -> {
      library.predictFast(config, rows[from], target);
      return target.get(JAVA_DOUBLE, 0);
    };
  }

  /** Microseconds of processor time a row: the median of each contender's turns, by its name. */
  private Map<String, Double> micros(Map<String, BlockScorer> contenders, int block) {
    var clock = ManagementFactory.getThreadMXBean();
    List<BlockScorer> all = List.copyOf(contenders.values());
    double[][] micros = new double[all.size()][runs];
    double sum = 0;
    for (int run = -warmUp; run < runs; run++) {
      for (int k = 0; k < micros.length; k++) {
        BlockScorer contender = all.get(k);
        long start = clock.getCurrentThreadCpuTime();
        long nanos;
        int passes = 0;
        do {
          for (int from = 0; from + block <= ROWS; from += block) {
            sum += contender.score(from, block);
          }
          passes++;
          nanos = clock.getCurrentThreadCpuTime() - start;
        } while (nanos < TURN_MILLIS * 1_000_000L);
        if (run >= 0) {
          micros[k][run] = nanos / 1000.0 / ROWS / passes;
        }
      }
    }
    if (Double.isNaN(sum)) { // keeps the compiler from removing what is summed
      throw new IllegalStateException("scores must be numbers");
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    int k = 0;
    for (String name : contenders.keySet()) {
      medians.put(name, Runs.median(micros[k++]));
    }
    return medians;
  }

  private void note(String name, int block, Map<String, Double> micros) {
    for (String ours : List.of("holdfast", "plain")) {
      for (String anchor : List.of("lightgbm", "c")) {
        double ratio =
            micros.getOrDefault(ours, Double.NaN) / micros.getOrDefault(anchor, Double.NaN);
        note(String.join(", ", ours, anchor, name, "" + block), ratio);
      }
    }
  }

  private static List<String> line(String name, int block, Map<String, Double> micros) {
    List<String> cells = new ArrayList<>(List.of(name, MarkdownTable.count(block)));
    for (String who : List.of("holdfast", "plain", "walk", "lightgbm", "xgboost", "c")) {
      cells.add(figure(micros.getOrDefault(who, Double.NaN), 2));
    }
    double ours = micros.getOrDefault("holdfast", Double.NaN);
    double plain = micros.getOrDefault("plain", Double.NaN);
    double lightGbm = micros.getOrDefault("lightgbm", Double.NaN);
    double c = micros.getOrDefault("c", Double.NaN);
    cells.add(figure(ours / lightGbm, 3));
    cells.add(figure(plain / lightGbm, 3));
    cells.add(figure(ours / micros.getOrDefault("xgboost", Double.NaN), 3));
    cells.add(figure(ours / c, 3));
    cells.add(figure(plain / c, 3));
    return cells;
  }

  private static String figure(double value, int decimals) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  static Model train(int count, boolean deep, int size) {
    var settings = SampleModels.settings(Objective.named("squared"), count);
    if (deep) {
      settings.trees(new TreeLimits(1 << DEPTH, DEPTH, 20, 1e-3, 0));
    }
    return SampleModels.trained(settings.build(), size, WIDTH);
  }

  /** All must score the same ensemble: ours and C to the bit, LightGBM but for rounding. */
  private static void check(Map<String, BlockScorer> contenders, BlockScorer walk, int block) {
    for (int from = 0; from + block <= ROWS; from += block) {
      double expected = walk.score(from, block);
      for (Map.Entry<String, BlockScorer> contender : contenders.entrySet()) {
        double score = contender.getValue().score(from, block);
        double tolerance = contender.getKey().equals("lightgbm") ? TOLERANCE : 0;
        require(contender.getKey(), from, score, expected, tolerance);
      }
    }
  }

  /** XGBoost sees the row's features as floats. */
  private static void checkFloats(BlockScorer scorer, TestBench bench, Scorer walk, int block) {
    for (int from = 0; from + block <= ROWS; from += block) {
      double expected = bench.scoreOfFloats(walk, from + block - 1);
      double tolerance = FLOAT_TOLERANCE * Math.max(1, Math.abs(expected));
      require("xgboost", from, scorer.score(from, block), expected, tolerance);
    }
  }

  private static void require(
      String name, int from, double score, double expected, double tolerance) {
    if (Math.abs(score - expected) > tolerance) {
      throw new IllegalStateException(
          name + " must score block " + from + " as the walk does, " + expected + ": " + score);
    }
  }
}
