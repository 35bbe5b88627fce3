package io.holdfast.boosting.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PartitionLoopTest {
  private static final int ROWS = 900;

  @Test
  void divide_byVectors_leavesWhatThePlainOneDoes() {
    PartitionLoop vectors = PartitionLoop.FORM.vectors();
    assumeTrue(vectors != null, "no vectors of 256 bits on this machine");
    for (int seed = 0; seed < 500; seed++) {
      var random = new SplittableRandom(seed);
      byte[] bins = new byte[ROWS];
      random.nextBytes(bins);
      int share = random.nextInt(BinColumn.Bytes.MOST_BINS + 1);
      int[] right =
          random
              .ints(BinColumn.Bytes.MOST_BINS, 0, BinColumn.Bytes.MOST_BINS)
              .map(k -> k < share ? 1 : 0)
              .toArray();
      int from = random.nextInt(ROWS);
      int to = from + random.nextInt(seed < 250 ? Math.min(40, ROWS - from) : ROWS - from);
      int[] rows = random.ints(ROWS, 0, ROWS).toArray();
      int first = random.nextInt(20);
      int[] plainRows = rows.clone();
      int[] plainScratch = new int[first + to - from];
      int[] scratch = new int[first + to - from];
      int plain =
          PartitionLoop.FORM.plain().divide(bins, plainRows, from, to, right, plainScratch, first);
      int end = vectors.divide(bins, rows, from, to, right, scratch, first);
      assertThat(end).isEqualTo(plain);
      // What stands between the left side and the end is no one's.
      Arrays.fill(plainRows, plain, to, 0);
      Arrays.fill(rows, end, to, 0);
      assertThat(rows).isEqualTo(plainRows);
      int moved = first + to - plain;
      assertThat(Arrays.copyOf(scratch, moved)).isEqualTo(Arrays.copyOf(plainScratch, moved));
    }
  }
}
