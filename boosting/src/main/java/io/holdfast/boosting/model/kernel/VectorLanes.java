package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link TreeLanes} in vectors of 256 bits: one node of each of 32 trees at once. To
 * be loaded only where the incubator module is. Stateless.
 */
final class VectorLanes {
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_256;

  /** Trees side by side. */
  static final int LANES = 32;

  /** Bytes of a step: columns, bounds, places, and places to the right. */
  static final int STEP = 4 * LANES;

  private VectorLanes() {}

  /**
   * Asks the nodes of the steps in {@code [from, to)}, and writes the places where rows end.
   *
   * @param ranks of 32 columns
   */
  static void ask(byte[] ranks, byte[] steps, int from, int to, byte[] places) {
    ByteVector table = ByteVector.fromArray(BYTES, ranks, 0);
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
    place.intoArray(places, 0);
  }

  /** The same of 64 columns: those of the second half have the sign bit. */
  static void askOfTwo(byte[] ranks, byte[] steps, int from, int to, byte[] places) {
    ByteVector low = ByteVector.fromArray(BYTES, ranks, 0);
    ByteVector high = ByteVector.fromArray(BYTES, ranks, LANES);
    ByteVector place = ByteVector.zero(BYTES);
    for (int at = from; at < to; at += STEP) {
      ByteVector column = ByteVector.fromArray(BYTES, steps, at);
      VectorMask<Byte> right =
          column
              .selectFrom(low)
              .blend(column.selectFrom(high), column.compare(VectorOperators.LT, 0))
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      VectorMask<Byte> here =
          place.compare(VectorOperators.EQ, ByteVector.fromArray(BYTES, steps, at + 2 * LANES));
      place = place.blend(ByteVector.fromArray(BYTES, steps, at + 3 * LANES), right.and(here));
    }
    place.intoArray(places, 0);
  }
}
