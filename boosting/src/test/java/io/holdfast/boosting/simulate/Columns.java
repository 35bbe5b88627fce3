package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Lists of columns. Stateless. */
final class Columns {
  private Columns() {}

  /** {@code x1, x2, ...}, all numeric. */
  static List<Feature> numeric(int count) {
    List<Feature> features = new ArrayList<>();
    for (int k = 1; k <= count; k++) {
      features.add(new Feature.Numeric("x" + k));
    }
    return List.copyOf(features);
  }

  /** A column of the categories {@code prefix + first} and so on. */
  static Feature categorical(String name, String prefix, int first, int count) {
    return new Feature.Categorical(
        name, IntStream.range(first, first + count).mapToObj(k -> prefix + k).toList());
  }
}
