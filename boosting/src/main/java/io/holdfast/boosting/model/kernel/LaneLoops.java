package io.holdfast.boosting.model.kernel;

/** The loops of {@link TreeLanes} for vectors of one width. */
interface LaneLoops {
  /**
   * Asks the nodes of the steps in {@code [from, to)}, and writes the places where rows end to
   * {@code scratch.places}. Ranks are in {@code scratch.bytes}.
   *
   * @param tree the first of the group
   */
  void ask(RowScratch scratch, int tree, int from, int to);

  /**
   * The same for the group whose first tree is {@code end}, while the values of trees {@code
   * [first, end)} are added, which stand at the places of the group before: additions wait for one
   * another, asking does not wait for them.
   *
   * @return {@code sum} and these values
   */
  double askAndAdd(RowScratch scratch, int from, int to, int first, int end, double sum);

  /**
   * Adds the values of trees {@code [first, end)}, all of the group that was asked last.
   *
   * @return {@code sum} and these values
   */
  double add(RowScratch scratch, int first, int end, double sum);
}
