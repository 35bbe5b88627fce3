package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.CategoryGroups;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tests that are category sets, each a column of its own: 0 for a row that goes left, 1 for one
 * that goes right. Immutable.
 */
final class CategorySets {
  /*
   * A feature's tests of the same groups are asked all at once: each code, or group of codes, has a
   * line of bits, one a test, set where the code goes right. Behind the codes that some set holds
   * stand two more lines: of a code that none holds, and of what is no code at all.
   */
  private static final int BITS = Long.SIZE;

  private final int[] feature; // ascending; once for each kind of groups that it has
  private final @Nullable CategoryGroups[] groups; // of each feature
  private final int[] firstColumn; // of each feature's tests
  private final int[] tests; // of each feature
  private final int[] codes; // of each feature: its lines but for the last two
  private final long[][] lines; // of each feature: line by line, words(k) longs each

  /** One distinct set of a feature, and where its nodes send what is no code. */
  record Test(int feature, @Nullable CategoryGroups groups, boolean missingLeft, List<Long> words) {
    boolean together(Test other) {
      return feature == other.feature && Objects.equals(groups, other.groups);
    }

    boolean goesRight(int code) {
      int word = code >> 6;
      return word >= words.size() || (words.get(word) >>> code & 1) == 0;
    }
  }

  /**
   * Tests in the order of their columns, those of a feature and its groups together.
   *
   * @param firstColumn of the first test
   */
  CategorySets(int firstColumn, List<Test> all) {
    int features = 0;
    for (int k = 0; k < all.size(); k++) {
      features += k > 0 && all.get(k).together(all.get(k - 1)) ? 0 : 1;
    }
    feature = new int[features];
    groups = new @Nullable CategoryGroups[features];
    this.firstColumn = new int[features];
    tests = new int[features];
    codes = new int[features];
    lines = new long[features][];
    int from = 0;
    for (int k = 0; k < features; k++) {
      int to = from;
      feature[k] = all.get(from).feature();
      groups[k] = all.get(from).groups();
      this.firstColumn[k] = firstColumn + from;
      while (to < all.size() && all.get(to).together(all.get(from))) {
        codes[k] = Math.max(codes[k], BITS * all.get(to).words().size());
        to++;
      }
      tests[k] = to - from;
      lines[k] = lines(all.subList(from, to), codes[k]);
      from = to;
    }
  }

  private static long[] lines(List<Test> tests, int codes) {
    int words = (tests.size() + BITS - 1) / BITS;
    long[] lines = new long[Math.multiplyExact(codes + 2, words)];
    for (int k = 0; k < tests.size(); k++) {
      Test test = tests.get(k);
      for (int code = 0; code <= codes + 1; code++) {
        boolean right = code <= codes ? test.goesRight(code) : !test.missingLeft();
        lines[code * words + (k >> 6)] |= right ? 1L << k : 0;
      }
    }
    return lines;
  }

  /** How many features are tested, each as often as it has groups of its own kind. */
  int features() {
    return feature.length;
  }

  int feature(int k) {
    return feature[k];
  }

  int firstColumn(int k) {
    return firstColumn[k];
  }

  int tests(int k) {
    return tests[k];
  }

  /** Longs of a line. */
  int words(int k) {
    return (tests[k] + BITS - 1) / BITS;
  }

  /** Which line a value has. */
  int line(int k, double value) {
    int code = (int) value;
    if (code != value || code < 0) {
      return codes[k] + 1;
    }
    CategoryGroups ofFeature = groups[k];
    if (ofFeature != null) {
      int group = ofFeature.of(code);
      return group < 0 ? codes[k] : Math.min(group, codes[k]);
    }
    return Math.min(code, codes[k]);
  }

  /** The bits of tests {@code [64 * word, 64 * word + 64)}. */
  long bits(int k, int line, int word) {
    return lines[k][line * words(k) + word];
  }

  /** Writes the ranks of one row. */
  void rank(double[] features, int[] ranks) {
    for (int k = 0; k < feature.length; k++) {
      int line = line(k, features[feature[k]]);
      for (int test = 0; test < tests[k]; test++) {
        ranks[firstColumn[k] + test] = (int) (bits(k, line, test >> 6) >>> test) & 1;
      }
    }
  }

  long bytes() {
    long bytes = 16L * feature.length;
    for (long[] table : lines) {
      bytes += 8L * table.length;
    }
    return bytes;
  }
}
