package io.holdfast.boosting.select;

import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Environments to hold out, in groups that are held out together. Immutable.
 *
 * @param environments those held out, in the order of {@link Rows#environments()}
 * @param groups each environment is in one; none if there are too few environments
 */
record HeldOutGroups(List<String> environments, List<Group> groups) {

  /** The rows that are trained on, and those held out, both ascending. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and only this package sees it
  record Group(int[] train, int[] test) {}

  /**
   * Environments of at least {@code minRows} rows, in at most {@code parts} groups: the largest
   * environment first (of equal ones the first to appear), each to the group of fewest rows so far
   * (of equal ones the first).
   */
  static HeldOutGroups of(Rows rows, int minEnvironments, int minRows, int parts) {
    int[] sizes = new int[rows.environments().size()];
    for (int row = 0; row < rows.size(); row++) {
      sizes[rows.environment(row)]++;
    }
    List<Integer> held =
        IntStream.range(0, sizes.length).filter(e -> sizes[e] >= minRows).boxed().toList();
    if (held.size() < minEnvironments) {
      return new HeldOutGroups(List.of(), List.of());
    }
    int[] groupOf = new int[sizes.length];
    Arrays.fill(groupOf, -1);
    int[] load = new int[Math.min(parts, held.size())];
    for (int environment :
        held.stream().sorted(Comparator.comparingInt(e -> -sizes[e])).toList()) { // a stable sort
      int lightest = 0;
      for (int group = 1; group < load.length; group++) {
        if (load[group] < load[lightest]) {
          lightest = group;
        }
      }
      groupOf[environment] = lightest;
      load[lightest] += sizes[environment];
    }
    List<Group> groups =
        IntStream.range(0, load.length).mapToObj(group -> group(rows, groupOf, group)).toList();
    return new HeldOutGroups(held.stream().map(rows.environments()::get).toList(), groups);
  }

  private static Group group(Rows rows, int[] groupOf, int group) {
    IntPredicate tested = row -> groupOf[rows.environment(row)] == group;
    return new Group(
        IntStream.range(0, rows.size()).filter(tested.negate()).toArray(),
        IntStream.range(0, rows.size()).filter(tested).toArray());
  }

  /** Where the environments of {@code held} stand in {@link #environments()}. */
  int[] places(Rows held) {
    return held.environments().stream().mapToInt(environments::indexOf).toArray();
  }
}
