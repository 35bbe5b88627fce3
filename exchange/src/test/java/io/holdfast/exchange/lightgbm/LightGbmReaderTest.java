package io.holdfast.exchange.lightgbm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.exchange.OddRows;
import io.holdfast.exchange.foreign.ForeignModel;
import java.io.BufferedReader;
import java.io.StringReader;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LightGbmReaderTest {
  private static final int MODELS = 240;
  private static final int ROWS = 60;

  /** Whose prediction is the raw score here, or another one of the same raw scores. */
  private static final Set<String> OTHER_LINK =
      Set.of("multiclassova", "cross_entropy_lambda", "regression reg_sqrt=true");

  @Test
  void randomModels_predictWhatLightGbmPredicts() throws Exception {
    Set<String> seen = new TreeSet<>();
    for (int number = 0; number < MODELS; number++) {
      try (RandomLightGbm theirs = RandomLightGbm.of(number)) {
        check(theirs, read(theirs.text), number, seen);
      }
    }
    assertThat(seen)
        .as("what the models have")
        .contains("categories", "zero as missing", "NaN as missing", "one leaf", "deep", "average");
  }

  private static ForeignModel read(String text) throws Exception {
    return LightGbmReader.read(new BufferedReader(new StringReader(text)));
  }

  private static void check(
      RandomLightGbm theirs, ForeignModel imported, int number, Set<String> seen) throws Exception {
    Model model = imported.model();
    note(model, theirs.text, seen);
    double[][] rows =
        OddRows.of(model, theirs.categorical, ROWS, true, new SplittableRandom(number));
    double[] raw = theirs.raw(rows);
    double[] predictions = theirs.predictions(rows);
    int outputs = theirs.outputs;
    Scorer scorer = Scorer.of(model);
    double[] ours = new double[outputs];
    double[] probabilities = new double[outputs];
    double scale = theirs.objective.endsWith("sigmoid=1.7") ? 1.7 : 1;
    if (theirs.text.contains("average_output")) {
      scale *= (double) outputs / model.trees(); // LightGBM's raw scores are sums still
    }
    for (int row = 0; row < rows.length; row++) {
      scorer.score(OddRows.decoded(model, rows[row]), ours);
      for (int k = 0; k < outputs; k++) {
        assertThat(ours[k])
            .as("model %s, %s, row %s, output %s", number, theirs.objective, row, k)
            .isCloseTo(scale * raw[row * outputs + k], within(1e-9));
      }
      if (OTHER_LINK.stream().anyMatch(theirs.objective::startsWith)) {
        assertThat(imported.notes()).hasSize(1);
      } else if (outputs == 1) {
        double prediction = predictions[row];
        assertThat(model.objective().prediction(ours))
            .as("model %s, %s, row %s", number, theirs.objective, row)
            .isCloseTo(prediction, within(1e-9 * Math.max(1, Math.abs(prediction))));
      } else {
        model.objective().probabilities(ours, probabilities);
        for (int k = 0; k < outputs; k++) {
          assertThat(probabilities[k]).isCloseTo(predictions[row * outputs + k], within(1e-9));
        }
      }
    }
  }

  private static void note(Model model, String text, Set<String> seen) {
    for (var segment : model.segments()) {
      for (var tree : segment.trees()) {
        seen.add(tree.leaves() == 1 ? "one leaf" : tree.leaves() > 31 ? "deep" : "tree");
        for (int node = 0; node < tree.innerNodes(); node++) {
          seen.add(tree.categorical(node) ? "categories" : "numbers");
        }
      }
    }
    for (var feature : model.features()) {
      if (feature instanceof io.holdfast.boosting.data.Feature.Numeric numeric
          && numeric.zeroMissing()) {
        seen.add("zero as missing");
      }
    }
    if (text.contains("decision_type=8") || text.contains("decision_type=10")) {
      seen.add("NaN as missing");
    }
    if (text.contains("average_output")) {
      seen.add("average");
    }
  }
}
