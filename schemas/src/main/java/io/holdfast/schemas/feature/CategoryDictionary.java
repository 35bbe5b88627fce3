package io.holdfast.schemas.feature;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.Sentence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Categories by feature that grow as training meets new ones. Owned by one thread, with every
 * decoder compiled against it.
 *
 * <p>A category's code is its place in order of first appearance, so growing never changes what
 * older trees mean. A feature has at most 100,000 categories, each at most 1,024 bytes of valid
 * UTF-8, and all features together 720,000 bytes, since every manifest holds them; what is beyond
 * is a missing value, and counted ({@link #leftOut}).
 */
public final class CategoryDictionary {
  private static final long MAX_BYTES = 720_000;

  private List<Feature> features;
  private final Map<String, CategoryTable> tables = new HashMap<>();
  private final List<CategoryTable> growing = new ArrayList<>(); // the same, in order of features
  private int known; // categories of all features

  /** Starts with the categories of {@code features}. */
  public CategoryDictionary(List<Feature> features) {
    this.features = List.copyOf(features);
    CategoryTable.Budget budget = new CategoryTable.Budget(MAX_BYTES);
    for (Feature feature : features) {
      if (feature instanceof Feature.Categorical categorical) {
        CategoryTable table = new CategoryTable(categorical.categories(), budget);
        tables.put(categorical.name(), table);
        growing.add(table);
      }
    }
    known = size();
  }

  private int size() {
    int size = 0;
    for (int k = 0; k < growing.size(); k++) {
      size += growing.get(k).size();
    }
    return size;
  }

  /** The features with all categories met so far, appended in order of first appearance. */
  public List<Feature> features() {
    int size = size();
    if (size > known) { // it is asked for several times a window, and seldom has anything come
      features = features.stream().map(this::grown).toList();
      known = size;
    }
    return features;
  }

  /**
   * How many values so far had a category that there was no room for, so that they are missing: by
   * feature, of those that have any.
   */
  public SortedMap<String, Long> leftOut() {
    SortedMap<String, Long> leftOut = new TreeMap<>();
    tables.forEach(
        (feature, table) -> {
          if (table.leftOut() > 0) {
            leftOut.put(feature, table.leftOut());
          }
        });
    return leftOut;
  }

  /** What to say where that is so. */
  public static String leftOutNote(String column, long values) {
    return Sentence.of(
        "column %s has more categories than a model holds (%,d, and %,d bytes of all columns'"
            + " categories together): %,d values of the others count as missing",
        column, CategoryTable.MAX_CATEGORIES, MAX_BYTES, values);
  }

  private Feature grown(Feature feature) {
    if (!(feature instanceof Feature.Categorical categorical)) {
      return feature;
    }
    List<String> before = categorical.categories();
    List<String> added = table(categorical).from(before.size());
    return added.isEmpty()
        ? feature
        : categorical.with(Stream.concat(before.stream(), added.stream()).toList());
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
