package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link TreeLanes} in vectors of 256 bits: one node of each of 32 trees at once. To
 * be loaded only where the incubator module is. Immutable; safe to share.
 */
final class VectorLanes implements LaneLoops {
  /*
   * A step stands there five times: as a method of its own the compiler makes it so large, with its
   * vectors on the heap, that it does not inline it later.
   *
   * While values are added steps go in pairs, with a value each and no question whether one is left:
   * 20% less for 100 trees (of 312 ns 62), quiet or with a neighbour on the same core.
   */
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_256;

  /** Trees side by side. */
  static final int LANES = 32;

  /** Bytes of a step and tree: column, bound, place, and place to the right. */
  static final int PARTS = 4;

  private static final int STEP = PARTS * LANES;

  private static final int LEAF = 0xFF;

  private final byte[] steps;
  private final double[] values; // of tree t and leaf l at t * leaves + l
  private final int leaves;

  VectorLanes(byte[] steps, double[] values, int leaves) {
    this.steps = steps;
    this.values = values;
    this.leaves = leaves;
  }

  @Override
  public void ask(RowScratch scratch, int tree, int from, int to) {
    if (scratch.twoTables) {
      askOfTwo(scratch.bytes, from, to, scratch.places);
      return;
    }
    byte[] steps = this.steps;
    ByteVector table = ByteVector.fromArray(BYTES, scratch.bytes, 0);
    ByteVector place = ByteVector.zero(BYTES);
    for (int at = from; at < to; at += STEP) {
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, steps, at)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      VectorMask<Byte> here =
          place.compare(VectorOperators.EQ, ByteVector.fromArray(BYTES, steps, at + 2 * LANES));
      place = place.blend(ByteVector.fromArray(BYTES, steps, at + 3 * LANES), right.and(here));
    }
    place.intoArray(scratch.places, 0);
  }

  @Override
  public double askAndAdd(RowScratch scratch, int from, int to, int first, int end, double sum) {
    byte[] places = scratch.places;
    if (scratch.twoTables) {
      double added = add(scratch, first, end, sum);
      askOfTwo(scratch.bytes, from, to, places);
      return added;
    }
    byte[] steps = this.steps;
    double[] values = this.values;
    int leaves = this.leaves;
    ByteVector table = ByteVector.fromArray(BYTES, scratch.bytes, 0);
    ByteVector place = ByteVector.zero(BYTES);
    double total = sum;
    int lane = first % LANES;
    int lanes = lane + end - first;
    int value = first * leaves;
    int at = from;
    int both = Math.min(lanes - 1, lane + (to - from) / STEP - 1);
    for (; lane < both; lane += 2, at += 2 * STEP, value += 2 * leaves) {
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, steps, at)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      VectorMask<Byte> here =
          place.compare(VectorOperators.EQ, ByteVector.fromArray(BYTES, steps, at + 2 * LANES));
      place = place.blend(ByteVector.fromArray(BYTES, steps, at + 3 * LANES), right.and(here));
      total += values[value + (places[lane] & LEAF)];
      right =
          ByteVector.fromArray(BYTES, steps, at + STEP)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + STEP + LANES));
      here =
          place.compare(
              VectorOperators.EQ, ByteVector.fromArray(BYTES, steps, at + STEP + 2 * LANES));
      place =
          place.blend(ByteVector.fromArray(BYTES, steps, at + STEP + 3 * LANES), right.and(here));
      total += values[value + leaves + (places[lane + 1] & LEAF)];
    }
    for (; lane < lanes; lane++, value += leaves) {
      total += values[value + (places[lane] & LEAF)];
    }
    for (; at < to; at += STEP) {
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, steps, at)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      VectorMask<Byte> here =
          place.compare(VectorOperators.EQ, ByteVector.fromArray(BYTES, steps, at + 2 * LANES));
      place = place.blend(ByteVector.fromArray(BYTES, steps, at + 3 * LANES), right.and(here));
    }
    place.intoArray(places, 0);
    return total;
  }

  @Override
  public double add(RowScratch scratch, int first, int end, double sum) {
    byte[] places = scratch.places;
    double[] values = this.values;
    double total = sum;
    for (int tree = first; tree < end; tree++) {
      total += values[tree * leaves + (places[tree % LANES] & LEAF)];
    }
    return total;
  }

  /** {@link #ask} for 64 columns: those of the second half have the bit of 32. */
  private void askOfTwo(byte[] ranks, int from, int to, byte[] places) {
    byte[] steps = this.steps;
    ByteVector low = ByteVector.fromArray(BYTES, ranks, 0);
    ByteVector high = ByteVector.fromArray(BYTES, ranks, LANES);
    ByteVector place = ByteVector.zero(BYTES);
    for (int at = from; at < to; at += STEP) {
      ByteVector column = ByteVector.fromArray(BYTES, steps, at);
      VectorMask<Byte> right =
          column
              .selectFrom(low)
              .blend(
                  column.selectFrom(high), column.and((byte) LANES).compare(VectorOperators.NE, 0))
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      VectorMask<Byte> here =
          place.compare(VectorOperators.EQ, ByteVector.fromArray(BYTES, steps, at + 2 * LANES));
      place = place.blend(ByteVector.fromArray(BYTES, steps, at + 3 * LANES), right.and(here));
    }
    place.intoArray(places, 0);
  }
}
