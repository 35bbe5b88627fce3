package io.holdfast.schemas.feature;

import io.holdfast.boosting.data.Feature;
import java.util.List;

/** SKELETON: categories by feature that grow as training meets new ones. Not thread-safe. */
public final class CategoryDictionary {
  private final List<Feature> features;

  /** Starts with the categories of {@code features}. */
  public CategoryDictionary(List<Feature> features) {
    this.features = List.copyOf(features);
  }

  /** The features with all categories met so far, appended in order of first appearance. */
  public List<Feature> features() {
    return features;
  }
}
