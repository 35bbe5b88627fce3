package io.holdfast.boosting.data;

/** Row by row. */
final class ScalarDivideLoop implements DivideLoop {
  @Override
  public int divide(
      byte[] bins, int[] rows, int from, int to, int[] right, int[] scratch, int first) {
    int left = from;
    int moved = first;
    for (int k = from; k < to; k++) {
      int row = rows[k];
      int goesRight = right[bins[row] & 0xFF]; // no branch: it could not be guessed
      rows[left] = row;
      scratch[moved] = row;
      left += 1 - goesRight;
      moved += goesRight;
    }
    return left;
  }
}
