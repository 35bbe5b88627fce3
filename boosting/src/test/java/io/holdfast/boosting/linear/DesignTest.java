package io.holdfast.boosting.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DesignTest {
  @Test
  void tooManyColumns_keepTheHeaviestCategories_orAreRefused() {
    List<String> names = IntStream.range(0, 5000).mapToObj(k -> "c" + k).toList();
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < 10_000; row++) {
      int code = row < 5000 ? row : row - 5000 < 3000 ? row - 5000 : 0;
      builder.add(new double[] {code}, 0, "e");
    }
    Design design =
        Design.of(
            builder.build(),
            List.of(new Feature.Categorical("kind", names)),
            false,
            Design.MOST_KEPT);
    assertThat(design.columns()).isEqualTo(1 + 3000); // those of one row are left out
    assertThat(design.leftOut).containsExactly(0);
    Rows wide = Rows.builder(5000).add(new double[5000], 0, "e").add(filled(5000), 1, "e").build();
    assertThatThrownBy(() -> Design.of(wide, LinearSamples.numeric(5000), false, Design.MOST_KEPT))
        .hasMessage("a linear base can have at most 4095 numeric features: 5000");
  }

  @Test
  void columnsThatAreKept_giveWhatThoseMadeAnewGive() {
    RandomGenerator random = new SplittableRandom(3);
    Rows.Builder builder = Rows.builder(4);
    for (int row = 0; row < 101; row++) {
      double missing = random.nextInt(9) == 0 ? Double.NaN : random.nextGaussian();
      double code = random.nextInt(5) - 1.0;
      builder.add(new double[] {random.nextGaussian(), code, missing, 7}, 0, "e");
    }
    Rows rows = builder.build();
    List<Feature> features =
        List.of(
            new Feature.Numeric("a"),
            new Feature.Categorical("kind", List.of("x", "y", "z")),
            new Feature.Numeric("b"),
            new Feature.Numeric("constant"));
    double[] weights = random.doubles(101).toArray();
    List<double[]> kept = products(Design.of(rows, features, false, Integer.MAX_VALUE), weights);
    List<double[]> anew = products(Design.of(rows, features, false, 0), weights);
    assertThat(kept).usingRecursiveComparison().isEqualTo(anew);
    assertThat(kept.getFirst()).doesNotContain(Double.NaN);
  }

  private static List<double[]> products(Design design, double[] weights) {
    int columns = design.columns();
    double[] rows = new double[weights.length];
    design.multiply(new SplittableRandom(4).doubles(columns).toArray(), 0, rows, 0);
    double[] transposed = new double[columns];
    design.transposeMultiply(weights, 0, transposed, 0);
    double[] gram = new double[columns * columns];
    design.gram(weights, gram);
    List<double[]> products = new ArrayList<>(List.of(rows, transposed, gram));
    for (int part = 0; part < design.parts(); part++) {
      double[] entries = new double[weights.length];
      design.part(part, weights, 0, entries, new int[weights.length]);
      products.add(entries);
    }
    return products;
  }

  private static double[] filled(int size) {
    double[] values = new double[size];
    Arrays.fill(values, 1);
    return values;
  }
}
