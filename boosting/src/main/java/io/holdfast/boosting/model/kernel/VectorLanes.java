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

  /** Planes that a step of {@link #askAll} adds to. */
  static final int PLANES = 4;

  /** Bytes of a step: columns, bounds, and the leaves of one plane that a node rules out. */
  static final int STEP = 3 * LANES;

  /** The same of four planes. */
  static final int WIDE_STEP = (2 + PLANES) * LANES;

  private static final int LEAVES_OF_PLANE = Byte.SIZE;

  private VectorLanes() {}

  /**
   * Asks the nodes of the steps in {@code [from, to)}, and writes which leaves of a plane they rule
   * out.
   *
   * @param ranks of 32 columns
   */
  static void ask(byte[] ranks, byte[] steps, int from, int to, byte[] planes, int plane) {
    ByteVector table = ByteVector.fromArray(BYTES, ranks, 0);
    ByteVector out = ByteVector.zero(BYTES);
    for (int at = from; at < to; at += STEP) {
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, steps, at)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      out =
          out.lanewise(
              VectorOperators.OR, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
    }
    out.intoArray(planes, plane);
  }

  /** The same of 64 columns: those of the second half have the sign bit. */
  static void askOfTwo(byte[] ranks, byte[] steps, int from, int to, byte[] planes, int plane) {
    ByteVector low = ByteVector.fromArray(BYTES, ranks, 0);
    ByteVector high = ByteVector.fromArray(BYTES, ranks, LANES);
    ByteVector out = ByteVector.zero(BYTES);
    for (int at = from; at < to; at += STEP) {
      ByteVector column = ByteVector.fromArray(BYTES, steps, at);
      VectorMask<Byte> right =
          column
              .selectFrom(low)
              .blend(column.selectFrom(high), column.compare(VectorOperators.LT, 0))
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      out =
          out.lanewise(
              VectorOperators.OR, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
    }
    out.intoArray(planes, plane);
  }

  /** Asks nodes that rule leaves of several planes out, and adds these to four planes. */
  static void askAll(byte[] ranks, byte[] steps, int from, int to, byte[] planes, int plane) {
    ByteVector table = ByteVector.fromArray(BYTES, ranks, 0);
    ByteVector a = ByteVector.fromArray(BYTES, planes, plane);
    ByteVector b = ByteVector.fromArray(BYTES, planes, plane + LANES);
    ByteVector c = ByteVector.fromArray(BYTES, planes, plane + 2 * LANES);
    ByteVector d = ByteVector.fromArray(BYTES, planes, plane + 3 * LANES);
    for (int at = from; at < to; at += WIDE_STEP) {
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, steps, at)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      a = a.lanewise(VectorOperators.OR, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
      b = b.lanewise(VectorOperators.OR, ByteVector.fromArray(BYTES, steps, at + 3 * LANES), right);
      c = c.lanewise(VectorOperators.OR, ByteVector.fromArray(BYTES, steps, at + 4 * LANES), right);
      d = d.lanewise(VectorOperators.OR, ByteVector.fromArray(BYTES, steps, at + 5 * LANES), right);
    }
    a.intoArray(planes, plane);
    b.intoArray(planes, plane + LANES);
    c.intoArray(planes, plane + 2 * LANES);
    d.intoArray(planes, plane + 3 * LANES);
  }

  /** The same of 64 columns. */
  static void askAllOfTwo(byte[] ranks, byte[] steps, int from, int to, byte[] planes, int plane) {
    ByteVector low = ByteVector.fromArray(BYTES, ranks, 0);
    ByteVector high = ByteVector.fromArray(BYTES, ranks, LANES);
    ByteVector a = ByteVector.fromArray(BYTES, planes, plane);
    ByteVector b = ByteVector.fromArray(BYTES, planes, plane + LANES);
    ByteVector c = ByteVector.fromArray(BYTES, planes, plane + 2 * LANES);
    ByteVector d = ByteVector.fromArray(BYTES, planes, plane + 3 * LANES);
    for (int at = from; at < to; at += WIDE_STEP) {
      ByteVector column = ByteVector.fromArray(BYTES, steps, at);
      VectorMask<Byte> right =
          column
              .selectFrom(low)
              .blend(column.selectFrom(high), column.compare(VectorOperators.LT, 0))
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, steps, at + LANES));
      a = a.lanewise(VectorOperators.OR, ByteVector.fromArray(BYTES, steps, at + 2 * LANES), right);
      b = b.lanewise(VectorOperators.OR, ByteVector.fromArray(BYTES, steps, at + 3 * LANES), right);
      c = c.lanewise(VectorOperators.OR, ByteVector.fromArray(BYTES, steps, at + 4 * LANES), right);
      d = d.lanewise(VectorOperators.OR, ByteVector.fromArray(BYTES, steps, at + 5 * LANES), right);
    }
    a.intoArray(planes, plane);
    b.intoArray(planes, plane + LANES);
    c.intoArray(planes, plane + 2 * LANES);
    d.intoArray(planes, plane + 3 * LANES);
  }

  /** Writes each tree's first leaf that is not ruled out. */
  static void leaves(byte[] planes, int count, byte[] leaves, int from) {
    int last = count - 1;
    ByteVector out = ByteVector.fromArray(BYTES, planes, last * LANES);
    ByteVector before = ByteVector.broadcast(BYTES, (byte) (last * LEAVES_OF_PLANE));
    for (int plane = last - 1; plane >= 0; plane--) {
      ByteVector earlier = ByteVector.fromArray(BYTES, planes, plane * LANES);
      VectorMask<Byte> some = earlier.compare(VectorOperators.NE, -1);
      out = out.blend(earlier, some);
      before = before.blend((byte) (plane * LEAVES_OF_PLANE), some);
    }
    out.not().lanewise(VectorOperators.TRAILING_ZEROS_COUNT).add(before).intoArray(leaves, from);
  }
}
