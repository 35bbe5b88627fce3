package io.holdfast.bench.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Rows;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitTest {
  /** Rows whose label is their number, in environments of 60, 30 and 10. */
  private static final Rows ROWS = rows();

  private static Rows rows() {
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < 100; row++) {
      String environment = row % 10 == 0 ? "few" : row % 10 < 4 ? "some" : "many";
      rows.add(new double[] {row}, row, environment);
    }
    return rows.build();
  }

  private static double[] labels(Rows rows) {
    return IntStream.range(0, rows.size()).mapToDouble(rows::label).toArray();
  }

  private static double[] labels(Split split) {
    double[] all = new double[split.train().size() + split.test().size()];
    System.arraycopy(labels(split.train()), 0, all, 0, split.train().size());
    System.arraycopy(labels(split.test()), 0, all, split.train().size(), split.test().size());
    return all;
  }

  private static long in(Rows rows, String environment) {
    return IntStream.range(0, rows.size())
        .filter(row -> rows.environments().get(rows.environment(row)).equals(environment))
        .count();
  }

  @Test
  void splitInOrder_hasThePastToTrainOn() {
    Split split = Split.inOrder(ROWS, 0.75);

    assertThat(labels(split.train())).hasSize(75).isSorted().endsWith(74);
    assertThat(labels(split.test())).hasSize(25).isSorted().startsWith(75);
  }

  @Test
  void stratifiedSplit_takesTheShareOfEachEnvironment_andLosesNoRow() {
    Split split = Split.stratified(ROWS, 0.8, 5);

    assertThat(in(split.train(), "many")).isEqualTo(48);
    assertThat(in(split.train(), "some")).isEqualTo(24);
    assertThat(in(split.train(), "few")).isEqualTo(8);
    assertThat(labels(split.train())).isSorted();
    assertThat(labels(split.test())).isSorted();
    assertThat(labels(split)).containsExactlyInAnyOrder(labels(ROWS));
  }

  @Test
  void stratifiedSplit_isAFunctionOfItsSeed() {
    double[] once = labels(Split.stratified(ROWS, 0.8, 5));

    assertThat(labels(Split.stratified(ROWS, 0.8, 5))).isEqualTo(once);
    assertThat(labels(Split.stratified(ROWS, 0.8, 6))).isNotEqualTo(once);
  }

  @Test
  void leavingOut_partsOneEnvironmentFromTheOthers() {
    Split split = Split.leavingOut(ROWS, ROWS.environments().indexOf("some"));

    assertThat(split.test().environments()).containsExactly("some");
    assertThat(split.test().size()).isEqualTo(30);
    assertThat(split.train().environments()).containsExactlyInAnyOrder("few", "many");
    assertThat(labels(split)).containsExactlyInAnyOrder(labels(ROWS));
  }

  @Test
  void sample_isASeededDrawInTheOrderOfTheRows() {
    Rows sample = Split.sample(ROWS, 40, 1);

    assertThat(labels(sample)).hasSize(40).isSorted().doesNotHaveDuplicates();
    assertThat(labels(Split.sample(ROWS, 40, 1))).isEqualTo(labels(sample));
    assertThat(labels(Split.sample(ROWS, 40, 2))).isNotEqualTo(labels(sample));
    assertThat(Split.sample(ROWS, 100, 1)).isSameAs(ROWS);
  }
}
