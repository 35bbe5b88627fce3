package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.ledger.Digest;
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
  private final DecodedRows decoded = new DecodedRows();

  DecodedRowsTest() {
    byte[] record = {};
    Served served = new Served(0, 0, Digest.of(record));
    for (int row = 0; row < ROWS; row++) {
      rows.add(new LabelledRow(new Position(0, row, row), record, 0, 1, "", served));
      decoded.add(rows.get(row), new double[] {row});
    }
  }

  @Test
  void of_rowsInTheirOrder_fromAnyOfThem_givesTheirNumbers() {
    assertThat(decoded.size()).isEqualTo(ROWS);
    for (int first : new int[] {0, 150, 3, ROWS - 1}) {
      for (int row = first; row < ROWS; row++) {
        assertThat(decoded.of(rows.get(row))).containsExactly(row);
      }
    }
  }

  @Test
  void of_rowsInAnyOrder_givesTheirNumbers() {
    List<Integer> order = new ArrayList<>();
    for (int row = 0; row < 2 * ROWS; row++) {
      order.add(row % ROWS);
    }
    Collections.shuffle(order, new Random(1));
    for (int row : order) {
      assertThat(decoded.of(rows.get(row))).containsExactly(row);
    }
  }

  @Test
  void of_aRowThatIsNotThere_evenIfItEqualsOneThatIs_givesNothing() {
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
    assertThat(decoded.of(rows.get(6))).containsExactly(6);
    assertThat(decoded.of(other)).isNull();
    assertThat(decoded.of(known)).containsExactly(7);
  }
}
