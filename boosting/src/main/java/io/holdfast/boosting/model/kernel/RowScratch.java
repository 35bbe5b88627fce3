package io.holdfast.boosting.model.kernel;

/** What scoring a row writes to on the way. Owned by one thread; grows to its largest model. */
final class RowScratch {
  int[] ranks = new int[64];
  int[] reached = new int[64];

  void require(int columns, int trees) {
    if (ranks.length < columns) {
      ranks = new int[columns];
    }
    if (reached.length < trees) {
      reached = new int[trees];
    }
  }
}
