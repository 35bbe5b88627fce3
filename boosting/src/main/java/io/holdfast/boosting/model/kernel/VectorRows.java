package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link RowLanes} in vectors of 256 bits: 64 rows, two vectors. To be loaded only
 * where the incubator module is. Stateless.
 */
final class VectorRows {
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_256;
  private static final int LANES = 32;
  private static final int ROWS = 2 * LANES;

  /** Bytes of a node: line of ranks, bound, first leaf, first leaf to the right. */
  static final int NODE = 4;

  private VectorRows() {}

  /** Copies 64 packed ranks, which are made signed. */
  static void take(byte[] packed, byte[] ranks, int to) {
    ByteVector.fromArray(BYTES, packed, 0)
        .lanewise(VectorOperators.XOR, Byte.MIN_VALUE)
        .intoArray(ranks, to);
    ByteVector.fromArray(BYTES, packed, LANES)
        .lanewise(VectorOperators.XOR, Byte.MIN_VALUE)
        .intoArray(ranks, to + LANES);
  }

  /** Copies 64 ranks, but for rows where a feature is missing. */
  static void copy(byte[] ranks, int from, long missing, byte rankOfMissing, int to) {
    ByteVector.fromArray(BYTES, ranks, from)
        .blend(rankOfMissing, VectorMask.fromLong(BYTES, missing & 0xFFFF_FFFFL))
        .intoArray(ranks, to);
    ByteVector.fromArray(BYTES, ranks, from + LANES)
        .blend(rankOfMissing, VectorMask.fromLong(BYTES, missing >>> LANES))
        .intoArray(ranks, to + LANES);
  }

  /** Asks the nodes {@code [from, to)} of a tree, and writes the places where 64 rows end. */
  static void ask(byte[] ranks, byte[] nodes, int from, int to, byte[] places, int at) {
    ByteVector place = ByteVector.zero(BYTES);
    ByteVector other = ByteVector.zero(BYTES);
    for (int k = from; k < to; k += NODE) {
      int line = (nodes[k] & 0xFF) * ROWS;
      ByteVector bound = ByteVector.broadcast(BYTES, nodes[k + 1]);
      ByteVector first = ByteVector.broadcast(BYTES, nodes[k + 2]);
      ByteVector next = ByteVector.broadcast(BYTES, nodes[k + 3]);
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, ranks, line).compare(VectorOperators.GT, bound);
      place = place.blend(next, right.and(place.compare(VectorOperators.EQ, first)));
      VectorMask<Byte> otherRight =
          ByteVector.fromArray(BYTES, ranks, line + LANES).compare(VectorOperators.GT, bound);
      other = other.blend(next, otherRight.and(other.compare(VectorOperators.EQ, first)));
    }
    place.intoArray(places, at);
    other.intoArray(places, at + LANES);
  }
}
