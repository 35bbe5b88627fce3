package io.holdfast.exchange.foreign;

import io.holdfast.schemas.CategoryText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The categories of one feature, and what the codes of another program are among them. Immutable.
 */
public final class CategoryCodes {
  /** Bytes of all names of a feature at most: with others it must fit into a manifest. */
  private static final int MOST_BYTES = 700_000;

  private static final int MOST_CATEGORIES = 100_000;

  private final List<String> categories;
  private final Map<Integer, Integer> ours;

  private CategoryCodes(List<String> categories, Map<Integer, Integer> ours) {
    this.categories = categories;
    this.ours = ours;
  }

  /**
   * Categories that have names: a code is a place in the list. No two may be spelt alike in files
   * and streams.
   */
  public static CategoryCodes named(String feature, List<String> names) throws ExchangeException {
    List<String> spelt = names.stream().map(CategoryText::of).toList();
    Set<String> different = new HashSet<>();
    Map<Integer, Integer> ours = new HashMap<>();
    for (int code = 0; code < spelt.size(); code++) {
      if (!different.add(spelt.get(code))) {
        throw ExchangeException.of(
            "the category %s of feature %s is spelt like another one, so no text could mean it:"
                + " rename it before training",
            names.get(code), feature);
      }
      ours.put(code, code);
    }
    return new CategoryCodes(fitting(feature, spelt), ours);
  }

  /**
   * Categories that are whole numbers.
   *
   * @param tested by some node: these need a place
   * @param known beside them, for trees to come; left out where there is no room
   */
  public static CategoryCodes numbers(
      String feature, Collection<Integer> tested, Collection<Integer> known)
      throws ExchangeException {
    Set<Integer> all = new HashSet<>(tested);
    all.addAll(known);
    long bytes = all.stream().mapToLong(code -> Integer.toString(code).length() + 1L).sum();
    boolean room = bytes <= MOST_BYTES && all.size() <= MOST_CATEGORIES;
    Map<Integer, Integer> ours = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (int code : new TreeSet<>(room ? all : tested)) {
      ours.put(code, names.size());
      names.add(Integer.toString(code));
    }
    return new CategoryCodes(fitting(feature, names), ours);
  }

  private static List<String> fitting(String feature, List<String> names) throws ExchangeException {
    long bytes =
        names.stream().mapToLong(name -> name.getBytes(StandardCharsets.UTF_8).length + 1L).sum();
    if (bytes > MOST_BYTES || names.size() > MOST_CATEGORIES) {
      throw ExchangeException.of(
          "feature %s has %d categories of %d bytes together, and a model holds %d of %d bytes",
          feature, names.size(), bytes, MOST_CATEGORIES, MOST_BYTES);
    }
    return names;
  }

  /** The categories, by our codes. */
  public List<String> categories() {
    return categories;
  }

  /** Our codes of the other program's; those that have none are left out. */
  public int[] of(int[] codes) {
    return Arrays.stream(codes).filter(ours::containsKey).map(ours::get).toArray();
  }
}
