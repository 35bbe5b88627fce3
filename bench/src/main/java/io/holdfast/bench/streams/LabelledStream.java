package io.holdfast.bench.streams;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.List;

/**
 * The rows of a stream, oldest first. Immutable.
 *
 * @param classes how many classes labels have, which then are 0, 1, ...; 0 if they are real
 */
record LabelledStream(String name, List<Feature> features, int classes, Rows rows) {
  LabelledStream {
    features = List.copyOf(features);
  }

  boolean classifies() {
    return classes > 0;
  }
}
