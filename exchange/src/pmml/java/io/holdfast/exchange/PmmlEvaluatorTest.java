package io.holdfast.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.exchange.ModelExport.Format;
import io.holdfast.exchange.foreign.ExportedModel;
import io.holdfast.schemas.ClassLabels;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import org.jpmml.evaluator.Evaluator;
import org.jpmml.evaluator.EvaluatorUtil;
import org.jpmml.evaluator.LoadingModelEvaluatorBuilder;
import org.jpmml.model.JAXBUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Models of ours by JPMML: in a profile ({@code -Ppmml}), as its licence is the AGPL. */
class PmmlEvaluatorTest {
  private static final int MODELS = 260;
  private static final int ROWS = 40;

  private final Schema schema;

  PmmlEvaluatorTest() throws Exception {
    schema = JAXBUtil.getSchema();
  }

  private static void close(@Nullable Object theirs, double ours, String what) {
    assertThat((Double) theirs)
        .as(what)
        .isCloseTo(ours, within(1e-9 * Math.max(1, Math.abs(ours))));
  }

  private Evaluator evaluator(ExportedModel exported) throws Exception {
    schema.newValidator().validate(new StreamSource(new ByteArrayInputStream(exported.bytes())));
    Evaluator evaluator =
        new LoadingModelEvaluatorBuilder().load(new ByteArrayInputStream(exported.bytes())).build();
    return evaluator.verify();
  }

  @Test
  void jpmml_ofRandomModels_predictsTheSame() throws Exception {
    for (int number = 0; number < MODELS; number++) {
      Model model = RandomModel.of(number);
      int count = model.objective().classes();
      List<String> names = IntStream.range(0, count).mapToObj(k -> "c " + k).toList();
      ExportedModel exported = ModelExport.of(model, names, Format.PMML);
      assertThat(exported.notes()).isEmpty();
      Evaluator evaluator = evaluator(exported);
      SplittableRandom random = new SplittableRandom(number);
      for (double[] row : RandomModel.rows(model, ROWS, random, true)) {
        OurScores ours = OurScores.of(model, row);
        String what = "model " + number + ", row " + Arrays.toString(row);
        Map<String, ?> theirs =
            EvaluatorUtil.decodeAll(evaluator.evaluate(PmmlExportTest.named(model, row, random)));
        double[] raw = ours.raw();
        for (int k = 0; k < raw.length; k++) {
          String name = raw.length == 1 ? "rawScore" : "rawScore" + k;
          assertThat(theirs.get(name)).as(what).isEqualTo(raw[k]);
        }
        if (count == 0) {
          close(theirs.get("prediction"), ours.prediction(), what);
          continue;
        }
        for (int k = 0; k < count; k++) {
          close(theirs.get("probability(c " + k + ")"), ours.probabilities()[k], what);
        }
        int predicted = ClassLabels.predicted(model.objective(), ours.prediction());
        assertThat(theirs.get("label")).as(what).isEqualTo(names.get(predicted));
      }
    }
  }

  @Test
  void jpmml_ofNamesAndEnds_predictsTheSame() throws Exception {
    List<String> odd = List.of("a b", "\"", "a\\b", "<&>", "' '", "é😀", " x ", "-", "1.0");
    Model categories = PmmlExportTest.ofOneNode(new Feature.Categorical("x y", odd), 0, 0b10101010);
    check(categories, IntStream.range(0, odd.size()).mapToDouble(code -> code).toArray());
    Model none = PmmlExportTest.ofOneNode(new Feature.Categorical("x", odd), 0, 0);
    check(none, 0, 1, Double.NaN);
    double[] ends = {
      Double.NEGATIVE_INFINITY, -Double.MAX_VALUE, -0.0, Double.MAX_VALUE, Double.POSITIVE_INFINITY
    };
    for (double threshold : ends) {
      check(PmmlExportTest.ofOneNode(new Feature.Numeric("x"), threshold), ends);
    }
  }

  @Test
  void jpmml_ofEquallyLikelyClasses_saysTheFirst() throws Exception {
    for (String name : List.of("logistic", "exponential", "softmax")) {
      Objective objective =
          Objective.of(name, name.equals("softmax") ? Map.of("classes", 3.0) : Map.of());
      Model model =
          new Model(
              objective,
              List.of(new Feature.Numeric("x")),
              Base.constant(new double[objective.outputs()]),
              List.of());
      Evaluator evaluator = evaluator(ModelExport.of(model, Format.PMML));
      assertThat(EvaluatorUtil.decodeAll(evaluator.evaluate(Map.of("x", 1.0))).get("label"))
          .as(name)
          .isEqualTo("0");
    }
  }

  private void check(Model model, double... values) throws Exception {
    Evaluator evaluator = evaluator(ModelExport.of(model, Format.PMML));
    for (double value : values) {
      double[] row = {value};
      Map<String, Object> named = PmmlExportTest.named(model, row, new SplittableRandom(1));
      Map<String, ?> theirs = EvaluatorUtil.decodeAll(evaluator.evaluate(named));
      assertThat(theirs.get("rawScore"))
          .as("%s of %s", named, model.features())
          .isEqualTo(OurScores.of(model, row).raw()[0]);
      assertThat(theirs.get("label")).isEqualTo(OurScores.of(model, row).raw()[0] > 0 ? "1" : "0");
    }
  }
}
