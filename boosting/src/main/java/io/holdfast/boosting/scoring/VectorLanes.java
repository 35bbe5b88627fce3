package io.holdfast.boosting.scoring;

import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link TreeLanes} in vectors of the machine's preferred width: one node of each of
 * 32 trees, or of 64, at once. To be loaded only where the incubator module is. Immutable; safe to
 * share.
 */
final class VectorLanes {
  /*
   * Nodes are asked in the order of the gaps between leaves that they stand for: that behind leaf 0
   * first. A node that answers right rules out the leaves from its first to the one before the gap,
   * and the place of a row is the first leaf that is not ruled out so far; at leaf n at most before
   * the gap behind leaf n. So it moves behind the gap if it is not before the node's first leaf.
   * Places are bytes from -128 on, so that signed ones have the order of leaves.
   *
   * A step waits for the one before: two comparisons and a blend. So values are added beside each, one
   * for each 32 lanes, which wait for one another about as long. Where a value stands is found by
   * vectors before.
   *
   * The step stands there several times: as a method of its own the compiler makes it so large, with
   * its vectors on the heap, that it does not inline it later.
   */
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Byte> BYTES_OF_INTS =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(INTS.length() * Byte.SIZE));

  /** Trees side by side. */
  static final int LANES = BYTES.length();

  /** Bytes of a step and tree: column, bound, first leaf. */
  static final int PARTS = 3;

  private static final int STEP = PARTS * LANES;
  private static final boolean WIDE = LANES > TreeLanes.TABLE; // both tables in one vector

  /** Where a column's rank is. */
  private static final byte[] IN_TWO = inTables(TreeLanes.COLUMNS);

  private static final byte[] IN_FIRST = inTables(TreeLanes.TABLE);

  private final byte[] steps;
  private final double[] values; // of tree t and leaf l at t * leaves + l
  private final int leaves;
  private final int[] laneStarts; // of each lane: where its values begin behind those of the first

  VectorLanes(byte[] steps, double[] values, int leaves) {
    this.steps = steps;
    this.values = values;
    this.leaves = leaves;
    laneStarts = new int[LANES];
    Arrays.setAll(laneStarts, lane -> lane * leaves - Byte.MIN_VALUE);
  }

  /** How wide this machine's vectors are. */
  static int bits() {
    return BYTES.vectorBitSize();
  }

  private static byte[] inTables(int columns) {
    byte[] lanes = new byte[TreeLanes.COLUMNS];
    for (int k = 0; k < lanes.length; k++) {
      lanes[k] = (byte) (k % columns);
    }
    return lanes;
  }

  /**
   * Asks the nodes of the steps in {@code [from, to)}, and writes the places where rows end to
   * {@code scratch.places}. Ranks are in {@code scratch.bytes}.
   *
   * @param tree the first of the group
   */
  void ask(RowScratch scratch, int tree, int from, int to) {
    if (scratch.twoTables && !WIDE) {
      askOfTwo(scratch.bytes, from, to, scratch.places);
      findValues(scratch, tree);
    } else {
      askAndAdd(scratch, from, to, tree, tree, 0);
    }
  }

  /** The places, for columns in two tables, each of a vector. */
  private void askOfTwo(byte[] ranks, int from, int to, byte[] places) {
    byte[] steps = this.steps;
    ByteVector low = ByteVector.fromArray(BYTES, ranks, 0);
    ByteVector high = ByteVector.fromArray(BYTES, ranks, LANES);
    ByteVector place = ByteVector.broadcast(BYTES, Byte.MIN_VALUE);
    ByteVector next = place;
    for (int at = from; at < to; at += STEP) {
      ByteVector column = ByteVector.fromArray(BYTES, steps, at);
      VectorMask<Byte> right =
          column
              .selectFrom(low)
              .blend(
                  column.selectFrom(high), column.and((byte) LANES).compare(VectorOperators.NE, 0))
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      next = next.add((byte) 1);
      VectorMask<Byte> here =
          place.compare(
              VectorOperators.GE, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
      place = place.blend(next, here);
    }
    place.intoArray(places, 0);
  }

  /**
   * The same for the group whose first tree is {@code end}, while the values of trees {@code
   * [first, end)} are added, which stand at the places of the group before: additions wait for one
   * another, asking does not wait for them.
   *
   * @return {@code sum} and these values
   */
  double askAndAdd(RowScratch scratch, int from, int to, int first, int end, double sum) {
    if (scratch.twoTables && !WIDE) {
      double added = add(scratch, first, end, sum);
      ask(scratch, end, from, to);
      return added;
    }
    byte[] steps = this.steps;
    int[] valueAt = scratch.valueAt;
    double[] values = this.values;
    ByteVector table =
        ByteVector.fromArray(BYTES, scratch.twoTables ? IN_TWO : IN_FIRST, 0)
            .selectFrom(ByteVector.fromArray(BYTES, scratch.bytes, 0));
    ByteVector place = ByteVector.broadcast(BYTES, Byte.MIN_VALUE);
    ByteVector next = place;
    double total = sum;
    int lane = first % LANES;
    int lanes = lane + end - first;
    int at = from;
    int each = WIDE ? 2 : 1;
    int both = Math.min(lanes - each + 1, lane + each * ((to - from) / STEP));
    for (; lane < both; lane += each, at += STEP) {
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, steps, at)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      next = next.add((byte) 1);
      VectorMask<Byte> here =
          place.compare(
              VectorOperators.GE, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
      place = place.blend(next, here);
      total += values[valueAt[lane]];
      if (WIDE) {
        total += values[valueAt[lane + 1]];
      }
    }
    for (; lane < lanes; lane++) {
      total += values[valueAt[lane]];
    }
    for (; at < to; at += STEP) {
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, steps, at)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      next = next.add((byte) 1);
      VectorMask<Byte> here =
          place.compare(
              VectorOperators.GE, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
      place = place.blend(next, here);
    }
    place.intoArray(scratch.places, 0);
    findValues(scratch, end);
    return total;
  }

  private void findValues(RowScratch scratch, int tree) {
    int[] laneStarts = this.laneStarts;
    int[] valueAt = scratch.valueAt;
    int start = tree * leaves;
    for (int k = 0; k < LANES; k += INTS.length()) {
      ((IntVector)
              ByteVector.fromArray(BYTES_OF_INTS, scratch.places, k)
                  .convertShape(VectorOperators.B2I, INTS, 0))
          .add(IntVector.fromArray(INTS, laneStarts, k))
          .add(start)
          .intoArray(valueAt, k);
    }
  }

  /**
   * Adds the values of trees {@code [first, end)}, all of the group that was asked last.
   *
   * @return {@code sum} and these values
   */
  double add(RowScratch scratch, int first, int end, double sum) {
    int[] valueAt = scratch.valueAt;
    double[] values = this.values;
    double total = sum;
    int lane = first % LANES;
    int lanes = lane + end - first;
    for (; lane < lanes; lane++) {
      total += values[valueAt[lane]];
    }
    return total;
  }
}
