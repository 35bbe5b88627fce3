package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.CategoryGroups;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The category sets that nodes test a feature by, each a column of its own: 0 for a row that goes
 * left, 1 for one that goes right. Immutable.
 */
final class CategorySets {
  /*
   * Tests of the same groups are asked at once: each code, or group of codes, has a line of bits, one a
   * test, set where the code goes right. Behind the codes that some set holds are two more lines: of a
   * code that none holds, and of what is no code at all.
   */
  final int feature;
  final int firstColumn;
  final int tests;
  final int words; // longs of a line
  private final @Nullable CategoryGroups groups;
  private final int codes; // lines but for the last two
  private final long[] lines;

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

  private CategorySets(int firstColumn, List<Test> all) {
    feature = all.getFirst().feature();
    groups = all.getFirst().groups();
    this.firstColumn = firstColumn;
    tests = all.size();
    words = (tests + Long.SIZE - 1) / Long.SIZE;
    codes = Long.SIZE * all.stream().mapToInt(test -> test.words().size()).max().orElse(0);
    lines = new long[Math.multiplyExact(codes + 2, words)];
    for (int k = 0; k < tests; k++) {
      Test test = all.get(k);
      for (int code = 0; code <= codes + 1; code++) {
        boolean right = code <= codes ? test.goesRight(code) : !test.missingLeft();
        lines[code * words + (k >> 6)] |= right ? 1L << k : 0;
      }
    }
  }

  /** One for each feature and kind of groups; tests are in the order of their columns. */
  static CategorySets[] of(int firstColumn, List<Test> all) {
    List<CategorySets> sets = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= all.size(); to++) {
      if (to == all.size() || !all.get(to).together(all.get(from))) {
        sets.add(new CategorySets(firstColumn + from, all.subList(from, to)));
        from = to;
      }
    }
    return sets.toArray(CategorySets[]::new);
  }

  int line(double value) {
    int code = (int) value;
    if (code != value || code < 0) {
      return codes + 1;
    }
    int known = groups == null ? code : groups.of(code);
    return known < 0 ? codes : Math.min(known, codes);
  }

  /** The bits of tests {@code [64 * word, 64 * word + 64)}. */
  long bits(int line, int word) {
    return lines[line * words + word];
  }

  void rank(double[] features, int[] ranks) {
    int line = line(features[feature]);
    for (int test = 0; test < tests; test++) {
      ranks[firstColumn + test] = (int) (bits(line, test >> 6) >>> test) & 1;
    }
  }

  long bytes() {
    return 16 + 8L * lines.length;
  }
}
