package io.holdfast.boosting.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.boosting.data.BinColumn;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowSumsTest {
  private static final int ROWS = 300;

  @ParameterizedTest
  @CsvSource({"2, 5", "4, 2", "6, 300", "10, 2", "14, 40", "20, 5", "22, 1000", "200, 3"})
  void add_byVectors_isWhatTheScalarOneAdds(int channels, int bins) {
    RowSums vectors = RowSums.FORM.vectors();
    assumeTrue(vectors != null, "no vectors of 256 bits on this machine");
    for (int seed = 0; seed < 20; seed++) {
      var random = new SplittableRandom(seed);
      BinColumn column = BinColumn.of(random.ints(ROWS, 0, bins).toArray(), bins);
      var values = new RowSums.Values(channels, draw(random, ROWS * channels));
      int[] rows = random.ints(ROWS, 0, ROWS).toArray();
      int from = random.nextInt(ROWS);
      int to = from + random.nextInt(ROWS - from);
      int first = random.nextInt(3);
      long[] plain = draw(random, (first + bins) * (1 + channels));
      long[] cells = plain.clone();
      RowSums.FORM.plain().add(values, column, first, rows, from, to, plain);
      vectors.add(values, column, first, rows, from, to, cells);
      assertThat(cells).isEqualTo(plain);
    }
  }

  private static long[] draw(SplittableRandom random, int size) {
    long[] drawn = new long[size];
    Arrays.setAll(drawn, k -> random.nextLong());
    return drawn;
  }
}
