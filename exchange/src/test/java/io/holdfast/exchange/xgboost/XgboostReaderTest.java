package io.holdfast.exchange.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.exchange.OddRows;
import io.holdfast.exchange.document.Document;
import io.holdfast.exchange.document.JsonDocument;
import io.holdfast.exchange.document.UbjDocument;
import io.holdfast.exchange.foreign.ForeignModel;
import java.io.ByteArrayInputStream;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class XgboostReaderTest {
  private static final int MODELS = 220;
  private static final int ROWS = 60;

  /** Sums of floats against sums of doubles. */
  private static final double FLOAT = 3e-5;

  /** Whose predictions are made otherwise of the same raw scores. */
  private static final Set<String> OTHER_LINK = Set.of("binary:logitraw", "binary:hinge");

  @Test
  void randomModels_predictWhatXgboostPredicts() throws Exception {
    Set<String> seen = new TreeSet<>();
    for (int number = 0; number < MODELS; number++) {
      try (RandomXgboost theirs = RandomXgboost.of(number)) {
        Document json = JsonDocument.read(new ByteArrayInputStream(theirs.bytes("json")));
        Document ubj = UbjDocument.parse(theirs.bytes("ubj"));
        ForeignModel imported = XgboostReader.read(number % 2 == 0 ? json : ubj);
        if (number % 10 == 0) {
          assertThat(XgboostReader.read(ubj)).isEqualTo(XgboostReader.read(json));
        }
        check(theirs, imported, number, seen);
      }
    }
    assertThat(seen)
        .as("what the models have")
        .contains("categories", "numbers", "one leaf", "deep", "missing left and right");
  }

  private static void check(
      RandomXgboost theirs, ForeignModel imported, int number, Set<String> seen) throws Exception {
    Model model = imported.model();
    note(model, seen);
    double[][] rows =
        OddRows.of(model, theirs.categorical, ROWS, false, new SplittableRandom(number));
    float[][] margins = theirs.margins(rows);
    float[][] predictions = theirs.predictions(rows);
    int outputs = theirs.outputs;
    Scorer scorer = Scorer.of(model);
    double[] ours = new double[outputs];
    double[] probabilities = new double[outputs];
    for (int row = 0; row < rows.length; row++) {
      scorer.score(OddRows.decoded(model, rows[row]), ours);
      for (int k = 0; k < outputs; k++) {
        close(
            ours[k],
            margins[row][k],
            "model %s, %s, row %s, output %s",
            number,
            theirs.objective,
            row,
            k);
      }
      if (OTHER_LINK.contains(theirs.objective)) {
        assertThat(imported.notes()).hasSize(1);
      } else if (theirs.objective.equals("multi:softprob")) {
        model.objective().probabilities(ours, probabilities);
        for (int k = 0; k < outputs; k++) {
          close(
              probabilities[k], predictions[row][k], "model %s, row %s, class %s", number, row, k);
        }
      } else if (outputs == 1 || clear(margins[row])) {
        close(
            model.objective().prediction(ours),
            predictions[row][0],
            "model %s, %s, row %s",
            number,
            theirs.objective,
            row);
      }
    }
  }

  private static void close(double ours, double theirs, String format, Object... arguments) {
    assertThat(ours)
        .as(format, arguments)
        .isCloseTo(theirs, within(FLOAT * Math.max(1, Math.abs(theirs))));
  }

  /** Whether the likeliest class does not hang on a rounding. */
  private static boolean clear(float[] margins) {
    double first = Double.NEGATIVE_INFINITY;
    double second = Double.NEGATIVE_INFINITY;
    for (float margin : margins) {
      second = Math.max(second, Math.min(first, margin));
      first = Math.max(first, margin);
    }
    return first - second > FLOAT;
  }

  private static void note(Model model, Set<String> seen) {
    boolean left = false;
    boolean right = false;
    for (var segment : model.segments()) {
      for (var tree : segment.trees()) {
        seen.add(tree.leaves() == 1 ? "one leaf" : tree.leaves() > 31 ? "deep" : "tree");
        for (int node = 0; node < tree.innerNodes(); node++) {
          seen.add(tree.categorical(node) ? "categories" : "numbers");
          left |= tree.missingLeft(node);
          right |= !tree.missingLeft(node);
        }
      }
    }
    if (left && right) {
      seen.add("missing left and right");
    }
    assertThat(model.features())
        .allMatch(
            feature ->
                !(feature instanceof Feature.Categorical categorical)
                    || categorical.otherCategory());
  }
}
