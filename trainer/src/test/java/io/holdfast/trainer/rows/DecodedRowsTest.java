package io.holdfast.trainer.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Rows;
import io.holdfast.schemas.version.Digest;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Served;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DecodedRowsTest {
  private static final int ROWS = 200; // more than there is room for at first

  private final List<LabelledRow> rows = new ArrayList<>();
  private final DecodedRows decoded = new DecodedRows(Rows.builder(1));

  DecodedRowsTest() {
    byte[] record = {};
    Served served = new Served(0, 0, Digest.of(record));
    for (int row = 0; row < ROWS; row++) {
      String environment = row % 3 == 0 ? "a" : "b";
      rows.add(
          new LabelledRow(new Position(0, row, row), record, row, 1 + row, environment, served));
      decoded.add(rows.get(row), new double[] {row}, new double[0]);
    }
  }

  @Test
  void addTo_rowsInTheirOrder_fromAnyOfThem_givesThem() {
    assertThat(decoded.size()).isEqualTo(ROWS);
    for (int first : new int[] {0, 150, 3, ROWS - 1}) {
      List<LabelledRow> wanted = rows.subList(first, ROWS);
      assertThat(found(wanted)).isEqualTo(wanted.size());
    }
  }

  @Test
  void addTo_rowsInAnyOrder_givesThem() {
    List<LabelledRow> wanted = new ArrayList<>(rows);
    wanted.addAll(rows);
    Collections.shuffle(wanted, new Random(1));
    assertThat(found(wanted)).isEqualTo(wanted.size());
  }

  @Test
  void addTo_aRowThatIsNotThere_evenIfItEqualsOneThatIs_stopsThere() {
    LabelledRow known = rows.get(7);
    LabelledRow other =
        new LabelledRow(
            known.position(),
            known.record(),
            known.label(),
            known.weight(),
            known.environment(),
            known.anchors(),
            known.served());
    assertThat(other).isEqualTo(known);
    assertThat(found(List.of(rows.get(6), other, known))).isEqualTo(1);
    assertThat(decoded.holds(other)).isFalse();
    assertThat(decoded.holds(known)).isTrue();
  }

  @Test
  void add_rowsOfOthers_takesWhatTheyHave() {
    DecodedRows next = new DecodedRows(Rows.builder(1));
    for (LabelledRow row : rows.subList(50, 60)) {
      assertThat(next.add(row, decoded)).isTrue();
    }
    assertThat(next.add(rows.get(3), new DecodedRows(Rows.builder(1)))).isFalse();
    assertThat(next.size()).isEqualTo(10);
    Rows.Builder target = Rows.builder(1);
    assertThat(next.addTo(rows, 50, target)).isEqualTo(10);
    check(target.build(), rows.subList(50, 60));
  }

  /** How many of the first of these rows there are, each checked to be what it was. */
  private int found(List<LabelledRow> wanted) {
    Rows.Builder target = Rows.builder(1);
    int found = decoded.addTo(wanted, 0, target);
    check(target.build(), wanted.subList(0, found));
    return found;
  }

  private static void check(Rows rows, List<LabelledRow> wanted) {
    assertThat(rows.size()).isEqualTo(wanted.size());
    for (int row = 0; row < rows.size(); row++) {
      LabelledRow one = wanted.get(row);
      assertThat(rows.feature(row, 0)).isEqualTo(one.label());
      assertThat(rows.label(row)).isEqualTo(one.label());
      assertThat(rows.weight(row)).isEqualTo(one.weight());
      assertThat(rows.environments().get(rows.environment(row))).isEqualTo(one.environment());
    }
  }
}
