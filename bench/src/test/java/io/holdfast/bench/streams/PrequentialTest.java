package io.holdfast.bench.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrequentialTest {
  @TempDir Path folder;

  private static LabelledStream stream(int classes, double... labels) {
    Rows.Builder rows = Rows.builder(1);
    for (double label : labels) {
      rows.add(new double[] {label}, label);
    }
    return new LabelledStream("s", List.of(new Feature.Numeric("x")), classes, rows.build());
  }

  /** What a learner is asked, in order: p for predict, l for learn. */
  private static final class Recorder implements StreamLearner {
    private final List<String> calls = new ArrayList<>();

    @Override
    public double predict(int row) {
      calls.add("p" + row);
      return 0;
    }

    @Override
    public void learn(int row) {
      calls.add("l" + row);
    }
  }

  @Test
  void labels_withoutDelay_areLearnedBeforeTheNextRow() {
    Recorder recorder = new Recorder();
    Prequential.run(stream(2, 0, 1, 0), 0, recorder);
    assertThat(recorder.calls).containsExactly("p0", "l0", "p1", "l1", "p2", "l2");
  }

  @Test
  void labels_delayed_areLearnedThatManyRowsLater() {
    Recorder recorder = new Recorder();
    Prequential.run(stream(2, 0, 1, 0, 1), 2, recorder);
    assertThat(recorder.calls).containsExactly("p0", "p1", "p2", "l0", "p3", "l1");
  }

  @Test
  void kappas_areOfTheDefinitions() {
    // Learned at once: no-change predicts 0, then the label before; majority 0, 0, 0, 1, 1, 1.
    LabelledStream stream = stream(2, 0, 1, 1, 1, 0, 1);
    StreamFigures figures = Prequential.run(stream, 0, new NoChange(stream));
    assertThat(figures.accuracy()).isCloseTo(3.0 / 6, within(1e-12)); // 0 0 1 1 1 0
    double byChance = 3.0 / 6 * 2 / 6 + 3.0 / 6 * 4 / 6;
    assertThat(figures.kappa()).isCloseTo((0.5 - byChance) / (1 - byChance), within(1e-12));
    assertThat(figures.kappaTemporal()).isCloseTo(0, within(1e-12));
    StreamFigures majority = Prequential.run(stream, 0, new Majority(stream));
    assertThat(majority.kappaM()).isCloseTo(0, within(1e-12));
  }

  @Test
  void errors_ofNumbers_areOfTheDefinitions() {
    StreamFigures figures = Prequential.run(stream(0, 1, 3), 0, new Recorder());
    assertThat(figures.rmse()).isCloseTo(Math.sqrt(5), within(1e-12));
    assertThat(figures.mae()).isCloseTo(2, within(1e-12));
    assertThat(figures.r2()).isCloseTo(1 - 10.0 / 2, within(1e-12));
    assertThat(figures.accuracy()).isNaN();
  }

  @Test
  void results_addedByOneRun_areThereForTheNext() {
    ResultsFile file = new ResultsFile(folder.resolve("results.csv"));
    assertThat(file.read()).isEmpty();
    var cell = new ResultsFile.Cell("s", 3, 0, "NoChange");
    LabelledStream stream = stream(2, 0, 1, 1);
    StreamFigures figures = Prequential.run(stream, 0, new NoChange(stream));
    file.add(cell, figures);
    file.add(new ResultsFile.Cell("s", 3, 1000, "NoChange"), figures);
    assertThat(new ResultsFile(folder.resolve("results.csv")).read())
        .hasSize(2)
        .containsEntry(cell, figures);
    assertThat(ResultsTables.of(file.read())).contains("NoChange", "mean rank", "kappa-temporal");
  }

  /** Each learner in our harness does better than no learner on what it is made for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Holdfast",
        "HoeffdingTree",
        "ARF",
        "LeveragingBag",
        "SRP",
        "SGBT",
        "FIMT-DD",
        "ARF-Reg"
      })
  void learner_onAnEasyStream_beatsTheMajority(String name) {
    boolean classes = !name.equals("FIMT-DD") && !name.equals("ARF-Reg");
    Rows.Builder rows = Rows.builder(4);
    var random = new SplittableRandom(5);
    for (int row = 0; row < 3_000; row++) {
      double x = random.nextDouble();
      double category = row % 3;
      double missing = row % 50 == 0 ? Double.NaN : x;
      double[] values = {missing, category, random.nextDouble(), random.nextDouble()};
      rows.add(values, classes ? (x > 0.5 ? 1 : 0) : 10 * x);
    }
    LabelledStream stream =
        new LabelledStream(
            "easy",
            List.of(
                new Feature.Numeric("x"),
                new Feature.Categorical("c", List.of("a", "b", "c")),
                new Feature.Numeric("y"),
                new Feature.Numeric("z")),
            classes ? 2 : 0,
            rows.build());
    StreamFigures trivial = Prequential.run(stream, 0, new Majority(stream));
    StreamFigures learned =
        Prequential.run(stream, 0, Contestant.named(name).maker().of(stream, 0));
    assertThat(learned.merit()).isGreaterThan(trivial.merit());
  }
}
