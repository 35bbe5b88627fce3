package io.holdfast.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.learn.FileRows;
import io.holdfast.cli.validate.FoldSplit.Fold;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoldSplitTest {
  private static FileRows rows(long seed, int latest) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(1);
    List<Double> times = new ArrayList<>();
    int size = random.nextInt(20, 200);
    for (int row = 0; row < size; row++) {
      rows.add(new double[] {row}, row, "e" + random.nextInt(7));
      times.add((double) random.nextInt(latest));
    }
    return FileRows.of(rows.build(), times);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 40, 1_000_000})
  void byTime_noFoldLearnsFromWhatIsNotBeforeAllThatItTests(int latest) {
    for (long seed = 0; seed < 200; seed++) {
      FileRows file = rows(seed, latest);
      Set<Integer> tested = new HashSet<>();
      for (Fold fold : FoldSplit.parse("time:5").of(file)) {
        double newest = Arrays.stream(fold.train()).mapToDouble(file.times()::get).max().orElse(0);
        double oldest = Arrays.stream(fold.test()).mapToDouble(file.times()::get).min().orElse(0);
        assertThat(newest).isLessThan(oldest);
        Arrays.stream(fold.test()).forEach(row -> assertThat(tested.add(row)).isTrue());
      }
    }
  }

  @Test
  void byEnvironment_eachIsLeftOutOnce_andNeverOnBothSides() {
    for (String text : List.of("environment", "environment:3")) {
      FileRows file = rows(1, 10);
      List<Fold> folds = FoldSplit.parse(text).of(file);
      assertThat(folds).hasSize(text.equals("environment") ? 7 : 3);
      int tested = 0;
      for (Fold fold : folds) {
        Set<Integer> left = new HashSet<>();
        Arrays.stream(fold.test()).forEach(row -> left.add(file.rows().environment(row)));
        assertThat(Arrays.stream(fold.train()).map(file.rows()::environment))
            .doesNotContainAnyElementsOf(left);
        assertThat(fold.train().length + fold.test().length).isEqualTo(file.rows().size());
        tested += fold.test().length;
      }
      assertThat(tested).isEqualTo(file.rows().size());
    }
  }

  @Test
  void text_isReadAndWritten() {
    for (String text : List.of("time:5", "time:2", "environment", "environment:4")) {
      assertThat(FoldSplit.parse(text)).hasToString(text);
    }
    assertThat(FoldSplit.parse("time")).hasToString("time:5");
  }
}
