package io.holdfast.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.exchange.ModelExport.Format;
import io.holdfast.exchange.foreign.ExportedModel;
import io.holdfast.schemas.ClassLabels;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Models of ours by ONNX Runtime, which does not bear LightGBM in the same process. */
class OnnxExportTest {
  private static final int MODELS = 220;
  private static final int ROWS = 40;

  private static void close(double theirs, double ours, double tolerance, String what) {
    assertThat(theirs).as(what).isCloseTo(ours, within(tolerance * Math.max(1, Math.abs(ours))));
  }

  @Test
  void onnx_withNamesOfClasses_saysTheLikeliest() throws Exception {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    for (int number = 0; number < 40; number++) {
      Model model = RandomModel.of(number);
      int count = model.objective().classes();
      if (count == 0 || model.objective().name().equals("probit")) {
        continue;
      }
      List<String> names = IntStream.range(0, count).mapToObj(k -> "class " + k).toList();
      double[][] rows = RandomModel.rows(model, ROWS, new SplittableRandom(number));
      ExportedModel exported = ModelExport.of(model, names, Format.ONNX);
      try (OrtSession session = environment.createSession(exported.bytes());
          OnnxTensor input = OnnxTensor.createTensor(environment, rows);
          OrtSession.Result result = session.run(Map.of("features", input))) {
        String[][] labels = (String[][]) result.get("label").orElseThrow().getValue();
        for (int row = 0; row < ROWS; row++) {
          double prediction = OurScores.of(model, rows[row]).prediction();
          int predicted = ClassLabels.predicted(model.objective(), prediction);
          assertThat(labels[row][0])
              .as("model %s, row %s", number, row)
              .isEqualTo(names.get(predicted));
        }
        assertThat(session.getMetadata().getCustomMetadata())
            .containsEntry("classes", "[\"" + String.join("\",\"", names) + "\"]");
      }
    }
  }

  @Test
  void onnx_ofRandomModels_predictsTheSame() throws Exception {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    for (int number = 0; number < MODELS; number++) {
      Model model = RandomModel.of(number);
      ExportedModel exported = ModelExport.of(model, Format.ONNX);
      double[][] rows = RandomModel.rows(model, ROWS, new SplittableRandom(number));
      try (OrtSession session = environment.createSession(exported.bytes());
          OnnxTensor input = OnnxTensor.createTensor(environment, rows);
          OrtSession.Result result = session.run(Map.of("features", input))) {
        double[][] raw = (double[][]) result.get("rawScores").orElseThrow().getValue();
        Object prediction = result.get("prediction").orElseThrow().getValue();
        for (int row = 0; row < ROWS; row++) {
          OurScores ours = OurScores.of(model, rows[row]);
          String what = "model " + number + ", row " + row + " " + Arrays.toString(rows[row]);
          for (int k = 0; k < ours.raw().length; k++) {
            close(raw[row][k], ours.raw()[k], 1e-12, what);
          }
          boolean linked = exported.notes().isEmpty();
          assertThat(linked).isEqualTo(!model.objective().name().equals("probit"));
          if (linked && model.objective().classes() > 2) {
            double[][] probabilities =
                (double[][]) result.get("probabilities").orElseThrow().getValue();
            for (int k = 0; k < ours.probabilities().length; k++) {
              close(probabilities[row][k], ours.probabilities()[k], 1e-9, what);
            }
            assertThat((double) ((long[][]) prediction)[row][0])
                .as(what)
                .isEqualTo(ours.prediction());
          } else if (linked) {
            close(((double[][]) prediction)[row][0], ours.prediction(), 1e-9, what);
          }
        }
        assertThat(session.getMetadata().getCustomMetadata())
            .containsKey("features")
            .hasSize(
                2
                    + (int)
                        model.features().stream()
                            .filter(Feature.Categorical.class::isInstance)
                            .count());
      }
    }
  }
}
