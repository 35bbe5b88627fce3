package io.holdfast.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.ml.lightgbm.PredictionType;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.exchange.ModelExport.Format;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ExportedModel;
import io.holdfast.exchange.lightgbm.NativeLightGbm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of ours, by the runtimes that they are written for. */
class ModelExportTest {
  private static final int MODELS = 220;
  private static final int ROWS = 40;

  @TempDir Path folder;

  @BeforeAll
  static void load() throws IOException {
    LGBMBooster.loadNative();
  }

  private static void close(double theirs, double ours, double tolerance, String what) {
    assertThat(theirs).as(what).isCloseTo(ours, within(tolerance * Math.max(1, Math.abs(ours))));
  }

  @Test
  void lightGbm_ofRandomModels_predictsTheSame() throws Exception {
    for (int number = 0; number < MODELS; number++) {
      Model model = RandomModel.of(number);
      ExportedModel exported = ModelExport.of(model, Format.LIGHTGBM);
      double[][] rows = RandomModel.rows(model, ROWS, new SplittableRandom(number));
      int outputs = model.base().outputs();
      String text = new String(exported.bytes(), UTF_8);
      double[] raw =
          NativeLightGbm.predict(text, rows, outputs, PredictionType.C_API_PREDICT_RAW_SCORE);
      double[] predictions =
          NativeLightGbm.predict(text, rows, outputs, PredictionType.C_API_PREDICT_NORMAL);
      boolean linked = exported.notes().stream().noneMatch(note -> note.contains("no link"));
      assertThat(linked).isEqualTo(!Set.of("probit", "ordinal").contains(model.objective().name()));
      for (int row = 0; row < ROWS; row++) {
        if (withoutNote(exported, model, rows[row])) {
          continue;
        }
        OurScores ours = OurScores.of(model, nearZero(rows[row]));
        String what = "model " + number + ", row " + row + " " + Arrays.toString(rows[row]);
        for (int k = 0; k < outputs; k++) {
          close(raw[row * outputs + k], ours.raw()[k], 1e-9, what);
        }
        for (int k = 0; linked && k < outputs; k++) {
          double expected = outputs == 1 ? ours.prediction() : ours.probabilities()[k];
          close(predictions[row * outputs + k], expected, 1e-9, what);
        }
      }
    }
  }

  /** Whether a note says that a row's category is read otherwise. */
  private static boolean withoutNote(ExportedModel exported, Model model, double[] row) {
    for (int column = 0; column < row.length; column++) {
      String name = model.features().get(column).name();
      if (model.features().get(column) instanceof Feature.Categorical categorical
          && row[column] == categorical.categories().size()
          && exported.notes().stream().anyMatch(note -> note.contains(name + " "))) {
        return true;
      }
    }
    return false;
  }

  /** LightGBM takes for 0 what is nearly 0. */
  private static double[] nearZero(double[] row) {
    return Arrays.stream(row).map(value -> Math.abs(value) <= 1e-35f ? 0 : value).toArray();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[\"a\",\"b\",\"c\"]]",
        "[[1,2,10]]",
        "[[-3,0,4]]",
        "[[\"01\",\"2\",\"3\"]]",
        "[[\"a\",\"2\",\"3\"]]"
      })
  void lightGbm_levelsOfPandas_comeBackAsTheyWere(String levels, @TempDir Path folder)
      throws Exception {
    String text = BadModelsTest.LIGHTGBM.replace("[[\"a\", \"b\", \"c\"]]", levels);
    Path file = Files.writeString(folder.resolve("model.txt"), text);

    Model model = ModelImport.read(file).model();

    String exported = new String(ModelExport.of(model, Format.LIGHTGBM).bytes(), UTF_8);
    assertThat(exported).contains("\npandas_categorical:" + levels + "\n");
  }

  @Test
  void xgboost_ofRandomModels_predictsTheSame() throws Exception {
    for (int number = 0; number < MODELS; number++) {
      Model model = RandomModel.of(number);
      ExportedModel exported = ModelExport.of(model, Format.XGBOOST);
      double[][] rows = RandomModel.rows(model, ROWS, new SplittableRandom(number));
      int width = model.features().size();
      float[] matrix = new float[ROWS * width];
      for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < width; column++) {
          boolean tiny = Math.abs(rows[row][column]) < Float.MIN_NORMAL; // counts as 0 there
          rows[row][column] = tiny ? 0 : (float) rows[row][column];
          boolean gap =
              Math.abs(rows[row][column]) <= Feature.Numeric.LARGEST_ZERO
                  && model.features().get(column) instanceof Feature.Numeric numeric
                  && numeric.zeroMissing(); // as a note says
          matrix[row * width + column] = gap ? Float.NaN : (float) rows[row][column];
        }
      }
      Booster booster = XGBoost.loadModel(exported.bytes());
      DMatrix data = new DMatrix(matrix, ROWS, width, Float.NaN);
      float[][] raw = booster.predict(data, true);
      float[][] predictions = booster.predict(data);
      boolean linked = exported.notes().stream().noneMatch(note -> note.contains("no link"));
      double factor = model.objective().name().equals("exponential") ? 2 : 1;
      for (int row = 0; row < ROWS; row++) {
        OurScores ours = OurScores.of(model, rows[row]);
        String what = "model " + number + ", row " + row + " " + Arrays.toString(rows[row]);
        for (int k = 0; k < ours.raw().length; k++) {
          close(raw[row][k], factor * ours.raw()[k], 1e-5, what);
        }
        for (int k = 0; linked && k < ours.raw().length; k++) {
          double expected = ours.raw().length == 1 ? ours.prediction() : ours.probabilities()[k];
          close(predictions[row][k], expected, 1e-5, what);
        }
      }
      data.dispose();
      booster.dispose();
    }
  }

  @Test
  void json_ofRandomModels_isReadWithItsBits() throws Exception {
    for (int number = 0; number < MODELS; number++) {
      Model model = RandomModel.of(number);
      Path file = folder.resolve("model.json");
      Files.write(file, ModelExport.of(model, Format.JSON).bytes());
      Model read = ModelImport.read(file).model();
      assertThat(read.features()).isEqualTo(model.features());
      assertThat(read.objective()).isEqualTo(model.objective());
      for (double[] row : RandomModel.rows(model, ROWS, new SplittableRandom(number))) {
        assertThat(OurScores.of(read, row).raw()).containsExactly(OurScores.of(model, row).raw());
      }
    }
  }

  @Test
  void linearBase_isJsonAlone() throws Exception {
    Model linear =
        new Model(
            Objective.named("logistic"),
            List.of(new Feature.Numeric("x"), new Feature.Categorical("k", List.of("a", "b"))),
            Base.linear(
                new double[] {0.5},
                List.of(
                    new LinearTerm.Numeric(0, 0.25, 2), new LinearTerm.Categorical(1, 1, -1, 3))),
            List.of());
    Path file = Files.write(folder.resolve("m.json"), ModelExport.of(linear, Format.JSON).bytes());
    assertThat(ModelImport.read(file).model()).isEqualTo(linear);
    for (Format format : List.of(Format.LIGHTGBM, Format.XGBOOST, Format.ONNX, Format.PMML)) {
      assertThatThrownBy(() -> ModelExport.of(linear, format))
          .isInstanceOf(ExchangeException.class)
          .hasMessageContaining("linear base");
    }
  }
}
