package io.holdfast.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.exchange.foreign.ForeignModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models and predictions of LightGBM 2, which the treelite project keeps for its own tests. */
class ModelsFromElsewhereTest {
  private static final Path MODELS =
      Path.of(System.getProperty("holdfast.shared", "../../shared"), "data", "models");

  @TempDir Path folder;

  @Test
  void toyCategorical_predictsWhatLightGbmDid() throws Exception {
    assumeTrue(Files.isDirectory(MODELS), "the shared models are not there");
    Model model = ModelImport.read(MODELS.resolve("toy_categorical_model.txt")).model();

    List<double[]> raw = scores(model, MODELS.resolve("toy_categorical.test"));

    List<Double> expected = numbers(MODELS.resolve("toy_categorical.test.pred"));
    assertThat(raw).hasSameSizeAs(expected).hasSize(180);
    for (int row = 0; row < raw.size(); row++) {
      assertThat(raw.get(row)[0]).isCloseTo(expected.get(row), within(1e-9));
    }
  }

  @Test
  void sparseCategorical_predictsWhatLightGbmDid_withoutTheFeaturesThatNoTreeTests()
      throws Exception {
    assumeTrue(Files.isDirectory(MODELS), "the shared models are not there");
    Path file = folder.resolve("sparse.txt");
    try (InputStream in =
        new GZIPInputStream(
            Files.newInputStream(MODELS.resolve("sparse_categorical_model.txt.gz")))) {
      Files.copy(in, file);
    }
    ForeignModel imported = ModelImport.read(file);

    List<double[]> raw = scores(imported.model(), MODELS.resolve("sparse_categorical.test"));

    List<Double> expected = numbers(MODELS.resolve("sparse_categorical.test.margin"));
    assertThat(raw).hasSameSizeAs(expected).hasSize(3);
    for (int row = 0; row < raw.size(); row++) {
      assertThat(raw.get(row)[0]).isCloseTo(expected.get(row), within(1e-9));
    }
    assertThat(imported.notes()).singleElement().asString().contains("were left out");
  }

  private static List<Double> numbers(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(Double::valueOf).toList();
  }

  /** Rows in libsvm's form: what is not named is missing. */
  private static List<double[]> scores(Model model, Path file) throws IOException {
    Map<Integer, Integer> columns = new HashMap<>();
    for (int column = 0; column < model.features().size(); column++) {
      String name = model.features().get(column).name();
      columns.put(Integer.valueOf(name.substring("Column_".length())), column);
    }
    List<double[]> scores = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      double[] row = new double[model.features().size()];
      Arrays.fill(row, Double.NaN);
      String[] words = line.split(" ", -1);
      for (String word : Arrays.copyOfRange(words, 1, words.length)) {
        int colon = word.indexOf(':');
        Integer column = columns.get(Integer.valueOf(word.substring(0, colon)));
        if (column != null) {
          row[column] = Double.parseDouble(word.substring(colon + 1));
        }
      }
      double[] raw = new double[1];
      Scorer.of(model).score(OddRows.decoded(model, row), raw);
      scores.add(raw);
    }
    assertThat(model.features()).anyMatch(Feature.Categorical.class::isInstance);
    return scores;
  }
}
