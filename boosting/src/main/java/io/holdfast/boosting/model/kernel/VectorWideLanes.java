package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link TreeLanes} in vectors of 512 bits: one node of each of 64 trees at once, for
 * machines that permute bytes. To be loaded only where the incubator module is. Immutable; safe to
 * share.
 */
final class VectorWideLanes implements LaneLoops {
  /*
   * Nodes are asked in the order of the gaps between leaves that they stand for: that behind leaf 0
   * first. A node that answers right rules out the leaves from its first to the one before the gap,
   * and the place of a row is the first leaf that is not ruled out so far; at leaf n at most before
   * the gap behind leaf n. So it moves behind the gap if it is not before the node's first leaf. The
   * place to the right needs no byte then, but counts up: a step is read in three vectors, not four,
   * and that is what it takes, as on the heap they lie across lines of the cache.
   *
   * A step waits for the one before: a comparison into a mask, and a blend. So two values are added
   * beside each, which wait for one another about as long.
   *
   * Where a value stands is found by vectors before: instructions of a loop that reckons it are what
   * takes its time, not those that wait (10.4 cycles a step for 7).
   */
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;
  private static final VectorSpecies<Byte> QUARTER = ByteVector.SPECIES_128;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;

  /** Trees side by side. */
  static final int LANES = 64;

  /** Bytes of a step and tree: column, bound, first leaf. */
  static final int PARTS = 3;

  private static final int STEP = PARTS * LANES;

  /** Where a column's rank is. */
  private static final byte[] IN_TWO = inTables(LANES);

  private static final byte[] IN_FIRST = inTables(RankLanes.TABLE);

  private final byte[] steps;
  private final double[] values; // of tree t and leaf l at t * leaves + l
  private final int leaves;
  private final int[] laneStarts; // of each lane: where its values begin behind those of the first

  VectorWideLanes(byte[] steps, double[] values, int leaves) {
    this.steps = steps;
    this.values = values;
    this.leaves = leaves;
    laneStarts = new int[LANES];
    Arrays.setAll(laneStarts, lane -> lane * leaves);
  }

  private static byte[] inTables(int columns) {
    byte[] lanes = new byte[LANES];
    for (int k = 0; k < LANES; k++) {
      lanes[k] = (byte) (k % columns);
    }
    return lanes;
  }

  @Override
  public void ask(RowScratch scratch, int tree, int from, int to) {
    byte[] steps = this.steps;
    ByteVector table =
        ByteVector.fromArray(BYTES, scratch.twoTables ? IN_TWO : IN_FIRST, 0)
            .selectFrom(ByteVector.fromArray(BYTES, scratch.bytes, 0));
    ByteVector place = ByteVector.zero(BYTES);
    ByteVector next = place;
    for (int at = from; at < to; at += STEP) {
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, steps, at)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      next = next.add((byte) 1);
      VectorMask<Byte> here =
          place.compare(
              VectorOperators.UGE, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
      place = place.blend(next, here);
    }
    place.intoArray(scratch.places, 0);
    findValues(scratch, tree);
  }

  @Override
  public double askAndAdd(RowScratch scratch, int from, int to, int first, int end, double sum) {
    byte[] steps = this.steps;
    int[] valueAt = scratch.valueAt;
    double[] values = this.values;
    ByteVector table =
        ByteVector.fromArray(BYTES, scratch.twoTables ? IN_TWO : IN_FIRST, 0)
            .selectFrom(ByteVector.fromArray(BYTES, scratch.bytes, 0));
    ByteVector place = ByteVector.zero(BYTES);
    ByteVector next = place;
    double total = sum;
    int lane = first % LANES;
    int lanes = lane + end - first;
    int at = from;
    int both = Math.min(lanes - 1, lane + 2 * ((to - from) / STEP) - 1);
    for (; lane < both; lane += 2, at += STEP) {
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, steps, at)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      next = next.add((byte) 1);
      VectorMask<Byte> here =
          place.compare(
              VectorOperators.UGE, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
      place = place.blend(next, here);
      total += values[valueAt[lane]];
      total += values[valueAt[lane + 1]];
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
              VectorOperators.UGE, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
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
              ByteVector.fromArray(QUARTER, scratch.places, k)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0))
          .add(IntVector.fromArray(INTS, laneStarts, k))
          .add(start)
          .intoArray(valueAt, k);
    }
  }

  @Override
  public double add(RowScratch scratch, int first, int end, double sum) {
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
