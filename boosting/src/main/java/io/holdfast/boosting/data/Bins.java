package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Check;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bins of numeric features with more values than bins, to be used for other rows as well.
 * Immutable.
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
      Check.that(
          bins.feature() > last,
          "features must come in their order, each once: %s after %s",
          bins.feature(),
          last);
      Check.that(
          bins.bins() <= maxBins,
          "feature %s must have at most %s bins: %s",
          bins.feature(),
          maxBins,
          bins.bins());
      last = bins.feature();
    }
  }

  /** Those of a feature, by its place among all; null if there are none. */
  public @Nullable FeatureBins of(int feature) {
    int low = 0;
    int high = features.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = features.get(middle).feature();
      if (found == feature) {
        return features.get(middle);
      }
      if (found < feature) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }
}
