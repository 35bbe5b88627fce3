package io.holdfast.boosting.anchor;

/** What the columns of the anchor matrix are (docs/math.md, "The anchor objective"). Immutable. */
public sealed interface AnchorDesign {

  /** An indicator for each environment of the rows. */
  record Environments() implements AnchorDesign {}

  /** The rows' continuous anchors; {@code centred} takes each column's weighted mean off first. */
  record Continuous(boolean centred) implements AnchorDesign {}

  /** The environments' indicators and the continuous anchors in one design. */
  record Mixed() implements AnchorDesign {}
}
