package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import java.util.List;

/** The columns that are category sets: 0 for a row in the set, 1 for another. Immutable. */
final class CategorySets {
  private final int firstColumn;
  private final int[] feature; // ascending
  private final boolean[] missingLeft;
  private final int[] end; // of the set's words; the first begin at 0, others where the last end
  private final long[] words;

  /** One distinct set of a feature, and where its nodes send what is no code. */
  record Test(int feature, boolean missingLeft, List<Long> words) {}

  CategorySets(int firstColumn, List<Test> tests) {
    this.firstColumn = firstColumn;
    int size = tests.size();
    feature = new int[size];
    missingLeft = new boolean[size];
    end = new int[size];
    long[] all = new long[16];
    int used = 0;
    for (int k = 0; k < size; k++) {
      Test test = tests.get(k);
      feature[k] = test.feature();
      missingLeft[k] = test.missingLeft();
      all =
          used + test.words().size() > all.length
              ? Arrays.copyOf(all, 2 * (used + test.words().size()))
              : all;
      for (long word : test.words()) {
        all[used++] = word;
      }
      end[k] = used;
    }
    words = Arrays.copyOf(all, used);
  }

  void rank(double[] features, int[] ranks) {
    int from = 0;
    for (int k = 0; k < feature.length; k++) {
      double value = features[feature[k]];
      int code = (int) value;
      int to = end[k];
      boolean left;
      if (code != value || code < 0) {
        left = missingLeft[k];
      } else {
        int word = from + (code >> 6); // at most 2^25 more: no overflow
        left = word < to && (words[word] >>> code & 1) != 0;
      }
      ranks[firstColumn + k] = left ? 0 : 1;
      from = to;
    }
  }

  long bytes() {
    return 8L * words.length + 9L * feature.length;
  }
}
