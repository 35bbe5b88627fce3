package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Check;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One column of the feature vector. Immutable.
 *
 * <p>A value is a double: the number itself, or the code of a category. NaN is a missing value, and
 * so is a category that is not in the list, unless the feature of an imported model says otherwise.
 */
public sealed interface Feature {

  /** The column's name: the field path in the user's record. */
  String name();

  /** Whether this is {@code older}, perhaps with more categories: its trees mean the same. */
  boolean extendsOlder(Feature older);

  /**
   * A numeric column; infinite values are allowed and sort at the ends.
   *
   * @param zeroMissing whether a size of at most {@link #LARGEST_ZERO} means a missing value
   */
  record Numeric(String name, boolean zeroMissing) implements Feature {
    /** What counts as 0 where zero is missing: LightGBM's bound, a float. */
    public static final double LARGEST_ZERO = 1e-35f;

    /** A column whose zeros are values like any other. */
    public Numeric(String name) {
      this(name, false);
    }

    public Numeric named(String other) {
      return new Numeric(other, zeroMissing);
    }

    @Override
    public boolean extendsOlder(Feature older) {
      return equals(older);
    }
  }

  /**
   * A categorical column. A category's code is its place in {@code categories}, so a list may be
   * appended to without changing what older trees mean.
   *
   * @param otherCategory whether unlisted categories have a code, their number, and are not missing
   */
  record Categorical(String name, List<String> categories, boolean otherCategory)
      implements Feature {
    public Categorical {
      categories = List.copyOf(categories);
      Set<String> names = new HashSet<>();
      for (String category : categories) {
        Check.that(
            names.add(category),
            "the categories of feature %s must be different: %s is there twice",
            name,
            category);
      }
    }

    /** A column whose other categories are missing values. */
    public Categorical(String name, List<String> categories) {
      this(name, categories, false);
    }

    public Categorical named(String other) {
      return new Categorical(other, categories, otherCategory);
    }

    public Categorical with(List<String> longer) {
      return new Categorical(name, longer, otherCategory);
    }

    @Override
    public boolean extendsOlder(Feature older) {
      return older instanceof Categorical that
          && name.equals(that.name)
          && otherCategory == that.otherCategory
          && categories.size() >= that.categories.size()
          && categories.subList(0, that.categories.size()).equals(that.categories);
    }
  }
}
