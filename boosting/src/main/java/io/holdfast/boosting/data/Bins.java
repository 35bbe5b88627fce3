package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Check;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bins of numeric features with more values than bins, for other rows as well. Immutable.
 *
 * @param maxBins bins a feature may have, 2 to 65535
 * @param features of each such feature, in the order of features
 */
public record Bins(int maxBins, List<FeatureBins> features) {
  public Bins {
    features = List.copyOf(features);
    Check.that(maxBins >= 2 && maxBins <= 65535, "maxBins must be 2 to 65535: %s", maxBins);
    int last = -1;
    for (FeatureBins bins : features) {
      int feature = bins.feature();
      int count = bins.bins();
      Check.that(
          feature > last,
          "features must come in their order, each once: %s after %s",
          feature,
          last);
      Check.that(
          count <= maxBins, "feature %s must have at most %s bins: %s", feature, maxBins, count);
      last = feature;
    }
  }

  /** Those of a feature, by its place among all; null if there are none. */
  public @Nullable FeatureBins of(int feature) {
    int low = 0;
    int high = features.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (features.get(middle).feature() < feature) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    boolean found = low < features.size() && features.get(low).feature() == feature;
    return found ? features.get(low) : null;
  }
}
