package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexSortTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 9, 15, 16, 17, 33, 64, 1001})
  void ascending_withTies_asAStableSort(int n) {
    var random = new SplittableRandom(n);
    double[] keys = new double[n];
    for (int k = 0; k < n; k++) {
      keys[k] = random.nextInt(5);
    }
    int[] indices = IntStream.range(0, n).map(k -> n - 1 - k).toArray();
    int[] expected =
        Arrays.stream(indices)
            .boxed()
            .sorted(Comparator.comparingDouble(k -> keys[k]))
            .mapToInt(Integer::intValue)
            .toArray();
    IndexSort.ascending(indices, n, keys, new int[n]);
    assertThat(indices).isEqualTo(expected);
  }
}
