package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link RowLanes} in vectors of 512 bits: 64 rows, one vector. To be loaded only
 * where the incubator module is. Stateless.
 */
final class VectorWideRows {
  /*
   * Nodes are asked in the order of the gaps between leaves, as in VectorWideLanes. A tree's nodes
   * wait for one another, so two trees are asked in turn, which count the same gaps.
   */
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;
  private static final int ROWS = 64;

  /** Bytes of a node: line of ranks, bound, first leaf. */
  static final int NODE = 3;

  private VectorWideRows() {}

  /** Copies 64 packed ranks, which are made signed. */
  static void take(byte[] packed, byte[] ranks, int to) {
    ByteVector.fromArray(BYTES, packed, 0)
        .lanewise(VectorOperators.XOR, Byte.MIN_VALUE)
        .intoArray(ranks, to);
  }

  /** Copies 64 ranks, but for rows where a feature is missing. */
  static void copy(byte[] ranks, int from, long missing, byte rankOfMissing, int to) {
    ByteVector.fromArray(BYTES, ranks, from)
        .blend(rankOfMissing, VectorMask.fromLong(BYTES, missing))
        .intoArray(ranks, to);
  }

  /**
   * Asks the nodes {@code [from, middle)} of a tree and those of the next, up to {@code to}, and
   * writes the places where 64 rows end, as bytes of labels: the second's from {@link
   * VectorSlices#SECOND} on.
   */
  static void askTwo(byte[] ranks, byte[] nodes, int from, int middle, int to, long[] labels) {
    ByteVector place = ByteVector.zero(BYTES);
    ByteVector other = place;
    ByteVector next = place;
    int behind = middle - from;
    int at = from;
    int both = from + Math.min(behind, to - middle);
    for (; at < both; at += NODE) {
      next = next.add((byte) 1);
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, ranks, (nodes[at] & 0xFF) * ROWS)
              .compare(VectorOperators.GT, nodes[at + 1]);
      VectorMask<Byte> otherRight =
          ByteVector.fromArray(BYTES, ranks, (nodes[at + behind] & 0xFF) * ROWS)
              .compare(VectorOperators.GT, nodes[at + behind + 1]);
      ByteVector first = ByteVector.broadcast(BYTES, nodes[at + 2]);
      ByteVector otherFirst = ByteVector.broadcast(BYTES, nodes[at + behind + 2]);
      place = place.blend(next, place.compare(VectorOperators.GE, first, right));
      other = other.blend(next, other.compare(VectorOperators.GE, otherFirst, otherRight));
    }
    ByteVector rest = next;
    for (int k = at; k < middle; k += NODE) {
      rest = rest.add((byte) 1);
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, ranks, (nodes[k] & 0xFF) * ROWS)
              .compare(VectorOperators.GT, nodes[k + 1]);
      ByteVector first = ByteVector.broadcast(BYTES, nodes[k + 2]);
      place = place.blend(rest, place.compare(VectorOperators.GE, first, right));
    }
    for (int k = at + behind; k < to; k += NODE) {
      next = next.add((byte) 1);
      VectorMask<Byte> right =
          ByteVector.fromArray(BYTES, ranks, (nodes[k] & 0xFF) * ROWS)
              .compare(VectorOperators.GT, nodes[k + 1]);
      ByteVector first = ByteVector.broadcast(BYTES, nodes[k + 2]);
      other = other.blend(next, other.compare(VectorOperators.GE, first, right));
    }
    place.reinterpretAsLongs().intoArray(labels, 0);
    other.reinterpretAsLongs().intoArray(labels, VectorSlices.SECOND);
  }
}
