package io.holdfast.boosting.scoring;

import static jdk.incubator.vector.VectorOperators.B2I;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.NE;

import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link TreeLanes} by vectors of the preferred width: a node of each of 32 or 64
 * trees at once. To be loaded only where the incubator module is. Immutable; safe to share.
 */
final class VectorLanes {
  /*
   * Nodes are asked in the order of the gaps between leaves that they stand for. A node that answers
   * right rules out the leaves from its first to the one before the gap, and the place of a row is the
   * first leaf that is not ruled out: at leaf n at most before the gap behind leaf n. So it moves
   * behind the gap unless it is before the node's first leaf. Places are bytes from -128 on, so that
   * signed ones have the order of leaves.
   *
   * A step waits for the one before, and so do additions: values of the group before are added beside.
   *
   * The step stands here twice: as a method of its own it would not be inlined, and its vectors would
   * be objects.
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

  private static final byte[] IN_TWO = inTables(TreeLanes.COLUMNS); // where a column's rank is
  private static final byte[] IN_FIRST = inTables(TreeLanes.TABLE);

  private final byte[] steps;
  private final double[] values; // of tree t and leaf l at t * leaves + l
  private final int leaves;
  private final int[] laneStarts; // of the values of each lane, behind those of the first

  VectorLanes(byte[] steps, double[] values, int leaves) {
    this.steps = steps;
    this.values = values;
    this.leaves = leaves;
    laneStarts = new int[LANES];
    Arrays.setAll(laneStarts, lane -> lane * leaves - Byte.MIN_VALUE);
  }

  private static byte[] inTables(int columns) {
    byte[] lanes = new byte[TreeLanes.COLUMNS];
    for (int k = 0; k < lanes.length; k++) {
      lanes[k] = (byte) (k % columns);
    }
    return lanes;
  }

  /**
   * Asks the nodes of the steps in {@code [from, to)}, of the group of {@code tree}, and writes the
   * places where rows end to {@code scratch.places}. Ranks are in {@code scratch.bytes}.
   */
  void ask(RowScratch scratch, int tree, int from, int to) {
    if (scratch.twoTables && !WIDE) {
      askOfTwo(scratch.bytes, from, to, scratch.places);
      findValues(scratch, tree);
    } else {
      askAndAdd(scratch, from, to, tree, tree, 0);
    }
  }

  /** The places, for two tables of a vector each. */
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
              .blend(column.selectFrom(high), column.and((byte) LANES).compare(NE, 0))
              .compare(GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      next = next.add((byte) 1);
      VectorMask<Byte> here =
          place.compare(GE, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
      place = place.blend(next, here);
    }
    place.intoArray(places, 0);
  }

  /**
   * The same for the group whose first tree is {@code end}; returns {@code sum} and the values of
   * trees {@code [first, end)}, which are all of the group before.
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
    for (int at = from; at < to; at += STEP) {
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, steps, at)
              .selectFrom(table)
              .compare(GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      next = next.add((byte) 1);
      VectorMask<Byte> here =
          place.compare(GE, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
      place = place.blend(next, here);
      for (int k = 0; k < (WIDE ? 2 : 1) && lane < lanes; k++) {
        total += values[valueAt[lane++]];
      }
    }
    for (; lane < lanes; lane++) {
      total += values[valueAt[lane]];
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
              ByteVector.fromArray(BYTES_OF_INTS, scratch.places, k).convertShape(B2I, INTS, 0))
          .add(IntVector.fromArray(INTS, laneStarts, k))
          .add(start)
          .intoArray(valueAt, k);
    }
  }

  /** Returns {@code sum} and the values of trees {@code [first, end)} of the group asked last. */
  double add(RowScratch scratch, int first, int end, double sum) {
    double total = sum;
    int lane = first % LANES;
    for (int lanes = lane + end - first; lane < lanes; lane++) {
      total += values[scratch.valueAt[lane]];
    }
    return total;
  }
}
