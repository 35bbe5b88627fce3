package io.holdfast.boosting.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.List;
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
    Design design = Design.of(builder.build(), List.of(new Feature.Categorical("kind", names)));
    assertThat(design.columns()).isEqualTo(1 + 3000); // those of one row are left out
    Rows wide = Rows.builder(5000).add(new double[5000], 0, "e").add(filled(5000), 1, "e").build();
    assertThatThrownBy(() -> Design.of(wide, LinearSamples.numeric(5000)))
        .hasMessage("a linear base can have at most 4095 numeric features: 5000");
  }

  private static double[] filled(int size) {
    double[] values = new double[size];
    Arrays.fill(values, 1);
    return values;
  }
}
