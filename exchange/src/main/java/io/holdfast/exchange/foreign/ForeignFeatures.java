package io.holdfast.exchange.foreign;

import io.holdfast.boosting.data.Feature;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The features of a model of another program, and what the codes of their categories are here.
 *
 * @param codes of each of its features; null of numeric ones
 * @param columns where each of its features is here; -1 if it was left out
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ForeignFeatures(
    List<Feature> features, @Nullable CategoryCodes[] codes, int[] columns) {
  /** Our codes of the categories of one of its features; those that have none are left out. */
  public int[] codes(int feature, int[] theirs) {
    CategoryCodes ofFeature = codes[feature];
    return ofFeature == null ? theirs : ofFeature.of(theirs);
  }
}
