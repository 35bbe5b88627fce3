package io.holdfast.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.exchange.ModelExport.Format;
import io.holdfast.exchange.foreign.ExchangeException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Models of ours as PMML, read by a walk of the document; the profile {@code pmml} has JPMML. */
class PmmlExportTest {
  private static final int MODELS = 220;
  private static final int ROWS = 40;

  /** A row by name, with what a name means that is not listed, and nothing or NaN if missing. */
  static Map<String, Object> named(Model model, double[] row, SplittableRandom random) {
    Map<String, Object> named = new HashMap<>();
    for (int column = 0; column < row.length; column++) {
      Feature feature = model.features().get(column);
      double value = row[column];
      if (feature instanceof Feature.Categorical categorical) {
        List<String> categories = categorical.categories();
        if (!Double.isNaN(value)) {
          int code = (int) value;
          named.put(feature.name(), code < categories.size() ? categories.get(code) : "new");
        } else if (!categorical.otherCategory() && random.nextBoolean()) {
          named.put(feature.name(), "new");
        }
      } else if (!Double.isNaN(value) || random.nextBoolean()) {
        named.put(feature.name(), value);
      }
    }
    return named;
  }

  /** A tree of one node, which compares its one feature. */
  static Model ofOneNode(Feature feature, double threshold, long... categories) {
    Tree tree =
        new Tree(
            new int[1],
            new double[] {threshold},
            new boolean[1],
            new long[][] {categories},
            new int[] {-1},
            new int[] {-2},
            new double[] {-1, 1});
    return new Model(
        Objective.named("logistic"),
        List.of(feature),
        Base.constant(new double[] {0}),
        List.of(new Segment(List.of(tree), 1)));
  }

  @Test
  void pmml_ofRandomModels_hasTheBitsOfRawScores() throws Exception {
    for (int number = 0; number < MODELS; number++) {
      Model model = RandomModel.of(number);
      PmmlWalk pmml = new PmmlWalk(ModelExport.of(model, Format.PMML).bytes());
      SplittableRandom random = new SplittableRandom(number);
      for (double[] row : RandomModel.rows(model, ROWS, random, true)) {
        assertThat(pmml.rawScores(named(model, row, random)))
            .as("model %s, row %s", number, Arrays.toString(row))
            .containsExactly(OurScores.of(model, row).raw());
      }
    }
  }

  @Test
  void pmml_namesClassesAndLinks() throws Exception {
    Model logistic = ofOneNode(new Feature.Numeric("label"), Double.POSITIVE_INFINITY);
    String pmml =
        new String(ModelExport.of(logistic, List.of("<no>", "yes"), Format.PMML).bytes(), UTF_8);
    assertThat(pmml)
        .contains("normalizationMethod=\"softmax\"")
        .contains("targetCategory=\"yes\"")
        .contains("name=\"probability(&lt;no&gt;)\"")
        .contains("value=\"INF\"")
        .contains("name=\"label_\""); // a feature has the name
  }

  @Test
  void whatPmmlCannotName_isOneSentence() {
    for (String name : List.of("a\tb", "a\nb", "a\\", "a\\\"b", "\u0001", "\ud800")) {
      Model model = ofOneNode(new Feature.Categorical("kind", List.of(name)), 0, 1);
      assertThatThrownBy(() -> ModelExport.of(model, Format.PMML))
          .isInstanceOf(ExchangeException.class)
          .hasMessageContaining("PMML cannot name the category")
          .hasMessageContaining("kind")
          .hasMessageNotContaining("\n");
    }
  }
}
