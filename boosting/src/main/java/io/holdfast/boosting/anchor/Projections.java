package io.holdfast.boosting.anchor;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;

/** Projections onto the anchors of rows. Stateless. */
public final class Projections {
  private Projections() {}

  /** The projection onto the anchors that a design takes of these rows, which must have them. */
  public static Projection of(Rows rows, AnchorDesign design) {
    return of(rows, design, new Buffers());
  }

  /** As above; valid until {@code buffers} are recycled. */
  public static Projection of(Rows rows, AnchorDesign design, Buffers buffers) {
    return switch (design) {
      case AnchorDesign.Environments() -> GroupMeans.ofEnvironments(rows, buffers);
      case AnchorDesign.Continuous(boolean centred) ->
          centred
              ? ColumnSpan.centred(columns(rows), weights(rows))
              : new ColumnSpan(columns(rows), weights(rows));
      case AnchorDesign.Mixed() ->
          new Mixed(GroupMeans.ofEnvironments(rows), columns(rows), weights(rows));
    };
  }

  private static double[][] columns(Rows rows) {
    Check.that(
        rows.anchors() >= 1,
        "a continuous anchor needs rows with at least 1 anchor value: they have %s",
        rows.anchors());
    double[][] columns = new double[rows.anchors()][rows.size()];
    for (int column = 0; column < columns.length; column++) {
      for (int row = 0; row < rows.size(); row++) {
        columns[column][row] = rows.anchor(row, column);
      }
    }
    return columns;
  }

  private static double[] weights(Rows rows) {
    double[] weights = new double[rows.size()];
    Arrays.setAll(weights, rows::weight);
    return weights;
  }
}
