package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Check;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One column of the feature vector. Immutable.
 *
 * <p>A value is a double: the number itself, or the code of a category. NaN is a missing value, and
 * a category that is not in the list is missing too.
 */
public sealed interface Feature {

  /** The column's name: the field path in the user's record. */
  String name();

  /** Whether this is {@code older}, with perhaps more categories: its trees still mean the same. */
  boolean extendsOlder(Feature older);

  /** A numeric column; infinite values are allowed and sort at the ends. */
  record Numeric(String name) implements Feature {
    @Override
    public boolean extendsOlder(Feature older) {
      return equals(older);
    }
  }

  /**
   * A categorical column. The code of a category is its place in {@code categories}, so a list may
   * be appended to without changing what older trees mean.
   */
  record Categorical(String name, List<String> categories) implements Feature {
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

    @Override
    public boolean extendsOlder(Feature older) {
      return older instanceof Categorical that
          && name.equals(that.name)
          && categories.size() >= that.categories.size()
          && categories.subList(0, that.categories.size()).equals(that.categories);
    }
  }
}
