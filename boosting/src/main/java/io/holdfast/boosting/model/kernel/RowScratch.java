package io.holdfast.boosting.model.kernel;

/** What scoring a row writes to on the way. Owned by one thread; grows to its largest model. */
final class RowScratch {
  int[] ranks = new int[NodeTable.COLUMNS + 1];
  double[] values = new double[64];
  int[] found = new int[64];
  int[] reached = new int[64];
  final byte[] bytes = new byte[NodeTable.COLUMNS];
  boolean twoTables; // of bytes
  final short[] shorts = new short[NodeTable.COLUMNS];
  final int[] leaves = new int[VectorNodes.TREES];
  int[] answers = new int[64];
  int[] out = new int[64];
  int[] line = new int[64];
  int[] from = new int[64];
  int[] to = new int[64];
  final byte[] places = new byte[VectorWideLanes.LANES];
  final int[] valueAt = new int[VectorWideLanes.LANES]; // of these places

  void require(int columns, int trees) {
    if (ranks.length <= columns) {
      ranks = new int[columns + 1]; // and one that nobody reads
      found = new int[columns];
      values = new double[columns];
    }
    if (reached.length < trees) {
      reached = new int[trees];
    }
  }

  void requireLeaves(int words, int lines) {
    if (out.length < words) {
      out = new int[words];
    }
    if (line.length < lines) {
      line = new int[lines];
      from = new int[lines];
      to = new int[lines];
    }
  }

  void requireAnswers(int words) {
    if (answers.length < words) {
      answers = new int[words];
    }
  }
}
