package io.holdfast.bench;

import io.holdfast.bench.data.GeneratedRows;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.scoring.TreeWalkScorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One row scored by the scorer that serves and by the plain tree walk. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScorerBenchmark {
  private static final int WIDTH = 30;
  private static final int ROWS = 1024;
  private static final Scorer UNTRAINED =
      Scorer.of(new Model(Objective.named("squared"), GeneratedRows.features(WIDTH), 0, List.of()));

  @Param({"100", "500"})
  int trees;

  private final double[][] rows = new double[ROWS][WIDTH];
  private Scorer flat = UNTRAINED;
  private Scorer walk = UNTRAINED;
  private int next;

  /** Trains an ensemble to score with. */
  @Setup
  public void train() {
    Rows train = GeneratedRows.of(10_000, WIDTH, 4, false, 1);
    var settings =
        BoosterSettings.builder(Objective.named("squared"))
            .gamma(1)
            .rounds(trees)
            .learningRate(0.1)
            .trees(new TreeLimits(31, 64, 20, 1e-3, 0))
            .penalties(Penalties.ridge(0))
            .maxBins(255)
            .seed(1)
            .build();
    List<Feature> features = GeneratedRows.features(WIDTH);
    Model model =
        new Booster(settings)
            .extend(Booster.untrained(settings, features), features, train, FitListener.NONE)
            .model();
    flat = Scorer.of(model);
    walk = new TreeWalkScorer(model);
    for (int row = 0; row < ROWS; row++) {
      train.copyFeatures(row, rows[row]);
    }
  }

  @Benchmark
  public double flat() {
    return flat.score(rows[next++ & (ROWS - 1)]);
  }

  @Benchmark
  public double walk() {
    return walk.score(rows[next++ & (ROWS - 1)]);
  }
}
