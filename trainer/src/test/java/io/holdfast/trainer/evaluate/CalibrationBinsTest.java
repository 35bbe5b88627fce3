package io.holdfast.trainer.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.schemas.avro.CalibrationBin;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CalibrationBinsTest {
  private static Rows rows(double... labels) {
    Rows.Builder rows = Rows.builder(1);
    for (int i = 0; i < labels.length; i++) {
      rows.add(new double[1], labels[i], i % 2 + 1, i % 2 == 0 ? "north" : "south");
    }
    return rows.build();
  }

  private static CalibrationBins of(Objective objective, Rows rows, double... scores) {
    return new CalibrationBins(
        rows,
        new VersionObjectives.ServedScores(Collections.nCopies(rows.size(), objective), scores));
  }

  @Test
  void probabilities_ofOne_areBinnedByTenths_withTheShareOfOnes() {
    double score = Math.log(0.25 / 0.75); // a probability of a quarter
    CalibrationBins bins =
        of(new Logistic(), rows(1, 0, 0, 0, 1), score, score, score, score, -score);

    List<CalibrationBin> all = bins.all();
    assertThat(all).extracting(CalibrationBin::getRows).containsExactly(4L, 1L);
    assertThat(all.getFirst().getPredicted()).isCloseTo(0.25, within(1e-12));
    assertThat(all.getFirst().getObserved()).isCloseTo(1 / 6.0, within(1e-12)); // by weight
    assertThat(all.getLast().getObserved()).isEqualTo(1);
    assertThat(bins.byEnvironment()).hasSize(2);
    assertThat(bins.byEnvironment().getFirst())
        .extracting(CalibrationBin::getRows)
        .containsExactly(2L, 1L);
    assertThat(bins.byEnvironment().getLast())
        .extracting(CalibrationBin::getObserved)
        .containsExactly(0.0);
  }

  @Test
  void classes_areJudgedByTheLikeliest() {
    double sure = Math.log(8); // 0.8 of three classes
    CalibrationBins bins = of(new Softmax(3), rows(0, 2, 1), sure, 0, 0, 0, sure, sure, 0, 0, 0);

    assertThat(bins.all()).hasSize(1);
    assertThat(bins.all().getFirst().getPredicted()).isCloseTo(0.8, within(1e-12));
    assertThat(bins.all().getFirst().getObserved()).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void numbers_areBinnedByTenthsOfTheRows_andFewRowsByFewer() {
    double[] values = IntStream.range(0, 200).mapToDouble(i -> 199 - i).toArray();
    CalibrationBins bins = of(new Squared(), rows(values), values);

    assertThat(bins.all()).hasSize(10);
    assertThat(bins.all()).extracting(CalibrationBin::getRows).containsOnly(20L);
    assertThat(bins.all())
        .allSatisfy(bin -> assertThat(bin.getObserved()).isEqualTo(bin.getPredicted()));
    assertThat(of(new Squared(), rows(1, 2, 3), 1, 2, 3).all()).hasSize(1);
  }

  @Test
  void quantiles_haveNone() {
    assertThat(of(new Quantile(0.9), rows(1, 2), 1, 2).all()).isEmpty();
  }
}
