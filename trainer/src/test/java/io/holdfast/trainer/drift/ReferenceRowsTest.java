package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Rows;
import io.holdfast.schemas.reference.EnvironmentReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.version.Digest;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReferenceRowsTest {
  private static final int ROWS = 2_000;

  @Test
  void rows_areCountedByEnvironment_andTheirPlacesRemembered() {
    TrainingReference made = reference(5, 3);
    assertThat(made.parts()).extracting(EnvironmentReference::environment).hasSize(3).isSorted();
    assertThat(made.rows()).isEqualTo(ROWS);
    assertThat(made.seen()).isEqualTo(ROWS);
    assertThat(made.others()).isEmpty();
    assertThat(made.through()).isEqualTo(Map.of(0, (long) ROWS - 1, 1, (long) ROWS));
  }

  @Test
  void environmentsWithFewerRows_haveOnePartTogether() {
    TrainingReference made = reference(3, 30);
    assertThat(made.parts()).hasSize(21);
    assertThat(made.parts().getLast().environment()).isNull();
    assertThat(made.others()).hasSize(10);
    assertThat(made.rows()).isEqualTo(ROWS);
    for (int environment = 0; environment < 30; environment++) {
      assertThat(made.knows(name(environment))).isTrue();
    }
    assertThat(made.knows("another")).isFalse();
  }

  @Test
  void manyFeatures_haveCoarserSketches_withinTheBytesOfARecord() {
    TrainingReference few = reference(10, 20);
    TrainingReference many = reference(80, 20);
    assertThat(many.parts()).hasSize(20);
    assertThat(many.bytes()).isLessThanOrEqualTo(TrainingReference.MOST_BYTES);
    assertThat(size(many)).isBetween(10, size(few) - 10);
  }

  @Test
  void veryManyFeatures_haveNoPartsByEnvironment() {
    TrainingReference made = reference(400, 20);
    assertThat(made.parts()).hasSize(1);
    assertThat(made.parts().getFirst().environment()).isNull();
    assertThat(made.others()).hasSize(20);
    assertThat(made.bytes()).isLessThanOrEqualTo(TrainingReference.MOST_BYTES);
    assertThat(new ReferenceCurves(made).pooled()).hasSize(401);
  }

  /** Rows that are added in parts are as many, and their ranks as good. */
  @Test
  void rowsAddedToAReference_areThoseOfBoth() {
    TrainingReference first = reference(3, 2);
    ReferenceRows rows = new ReferenceRows();
    List<LabelledRow> labelled = new ArrayList<>();
    rows.add(labelled, decoded(9, 3, 2, labelled), position -> true);
    TrainingReference both = Objects.requireNonNull(rows.added(first, 2L * ROWS));
    assertThat(both.rows()).isEqualTo(2 * ROWS);
    assertThat(both.parts()).hasSize(2);
    List<ReferenceDistribution> curves = new ReferenceCurves(both).pooled();
    assertThat(curves.getFirst().upTo(0)).isBetween(0.47, 0.53);
    assertThat(curves.getFirst().upTo(1)).isBetween(0.82, 0.87);
  }

  private static int size(TrainingReference reference) {
    return reference.parts().getFirst().quantities().getFirst().size();
  }

  private static TrainingReference reference(int features, int environments) {
    ReferenceRows rows = new ReferenceRows();
    List<LabelledRow> labelled = new ArrayList<>();
    rows.add(labelled, decoded(3, features, environments, labelled), position -> true);
    return Objects.requireNonNull(rows.added(null, rows.size()));
  }

  private static Rows decoded(
      long seed, int features, int environments, List<LabelledRow> labelled) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(features);
    for (int row = 0; row < ROWS; row++) {
      double[] values = new double[features];
      for (int k = 0; k < features; k++) {
        values[k] = random.nextGaussian();
      }
      String environment = name(row % environments);
      rows.add(values, random.nextGaussian(), 1, environment);
      labelled.add(
          new LabelledRow(
              new Position(row % 2, row, row),
              new byte[0],
              0,
              1,
              environment,
              new Served(0, 1, Digest.of(new byte[0]))));
    }
    return rows.build();
  }

  private static String name(int environment) {
    return "e" + (10 + environment); // in the order of numbers
  }
}
