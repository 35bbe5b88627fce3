package io.holdfast.schemas.feature;

import io.holdfast.boosting.data.Feature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Categories by feature that grow as training meets new ones. Owned by one thread, with every
 * decoder compiled against it.
 *
 * <p>A category's code is its place in order of first appearance, so growing never changes what
 * older trees mean. A feature has at most 4,096 categories, each at most 1,024 bytes of valid
 * UTF-8, and all features together 256 KiB, since every manifest holds them; what is beyond is a
 * missing value.
 */
public final class CategoryDictionary {
  private static final long MAX_BYTES = 256 << 10;

  private List<Feature> features;
  private final Map<String, CategoryTable> tables = new HashMap<>();

  /** Starts with the categories of {@code features}. */
  public CategoryDictionary(List<Feature> features) {
    this.features = List.copyOf(features);
    CategoryTable.Budget budget = new CategoryTable.Budget(MAX_BYTES);
    for (Feature feature : features) {
      if (feature instanceof Feature.Categorical categorical) {
        tables.put(categorical.name(), new CategoryTable(categorical.categories(), budget));
      }
    }
  }

  /** The features with all categories met so far, appended in order of first appearance. */
  public List<Feature> features() {
    List<Feature> grown = null;
    for (int i = 0; i < features.size(); i++) {
      if (features.get(i) instanceof Feature.Categorical categorical) {
        CategoryTable table = table(categorical);
        int known = categorical.categories().size();
        if (table.size() > known) {
          List<String> all = new ArrayList<>(categorical.categories());
          all.addAll(table.from(known));
          grown = grown == null ? new ArrayList<>(features) : grown;
          grown.set(i, new Feature.Categorical(categorical.name(), all));
        }
      }
    }
    if (grown != null) {
      features = List.copyOf(grown);
    }
    return features;
  }

  /**
   * The growing table of a feature.
   *
   * @throws IllegalArgumentException if the dictionary was made without that feature
   */
  CategoryTable table(Feature.Categorical feature) {
    CategoryTable table = tables.get(feature.name());
    if (table == null) {
      throw new IllegalArgumentException(
          "the dictionary must be made with the features it is used for: " + feature.name());
    }
    return table;
  }
}
