package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;
import java.util.List;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * All columns of a plane at once, in vectors of 512 bits. To be used only where the module {@code
 * jdk.incubator.vector} is there: {@link ProfileScans} sees to it.
 */
final class VectorProfileScan implements ProfileScan {
  /*
   * Pairs stay where they were added up, which is in the first cache, and are parted when their sums
   * are in registers. To part them first, and to add up the parted numbers of bins that are not
   * scanned, took nearly half of all that a small leaf takes until it has its promises.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final int LANES = PackedRows.LANES;
  private static final int PAIRS = 2 * PackedRows.LANES;
  private static final int STRIDE = 4; // bins that are looked at together for their rows
  private static final long[] EVEN = {0, 2, 4, 6, 8, 10, 12, 14};
  private static final long[] ODD = {1, 3, 5, 7, 9, 11, 13, 15};
  private static final long[] CELLS = {-1, 0, -1, 0, -1, 0, -1, 0};

  private VectorProfileScan() {}

  /** One, if this machine has vectors of that size. */
  static List<ProfileScan> supported() {
    return LongVector.SPECIES_PREFERRED.length() >= LANES
        ? List.of(new VectorProfileScan())
        : List.of();
  }

  @Override
  public void most(
      long[] pairs, PlaneScan.Plane plane, LeafScan leaf, ProfileBound bound, double[] target) {
    int from = plane.from();
    int bins = plane.bins();
    long every = (1L << (2 * plane.width())) - 1;
    int right = reach(pairs, from + (bins - 1) * PAIRS, -PAIRS, bins, every, leaf, bound.sums);
    int start = reach(pairs, from, PAIRS, bins, every, leaf, bound.sums);
    scan(pairs, from + start * PAIRS, bins - 1 - right - start, leaf, bound);
    bound.read(target);
  }

  /**
   * Adds bins up while they are too few rows for a side in all lanes; returns how many there are.
   *
   * @param step from a bin to the next one
   * @param every bits of the lanes' cells
   */
  private static int reach(
      long[] pairs, int from, int step, int bins, long every, LeafScan leaf, long[] target) {
    LongVector countMask = LongVector.fromArray(LONGS, CELLS, 0).and(leaf.countMask);
    LongVector fewest = LongVector.broadcast(LONGS, leaf.fewest);
    LongVector low = LongVector.zero(LONGS);
    LongVector high = LongVector.zero(LONGS);
    int bin = 0;
    for (; bin + STRIDE <= bins; bin += STRIDE) {
      int at = from + bin * step;
      LongVector lows = LongVector.fromArray(LONGS, pairs, at);
      LongVector highs = LongVector.fromArray(LONGS, pairs, at + LANES);
      at += step;
      lows = lows.add(LongVector.fromArray(LONGS, pairs, at));
      highs = highs.add(LongVector.fromArray(LONGS, pairs, at + LANES));
      at += step;
      LongVector nextLow = low.add(LongVector.fromArray(LONGS, pairs, at));
      LongVector nextHigh = high.add(LongVector.fromArray(LONGS, pairs, at + LANES));
      at += step;
      nextLow = nextLow.add(LongVector.fromArray(LONGS, pairs, at)).add(lows);
      nextHigh = nextHigh.add(LongVector.fromArray(LONGS, pairs, at + LANES)).add(highs);
      long enough = nextLow.and(countMask).compare(VectorOperators.GE, fewest).toLong();
      enough |= nextHigh.and(countMask).compare(VectorOperators.GE, fewest).toLong() << LANES;
      if ((enough & every) != 0) {
        break;
      }
      low = nextLow;
      high = nextHigh;
    }
    low.intoArray(target, 0);
    high.intoArray(target, LANES);
    return bin;
  }

  /** Scans bins, from the sums that were reached before them. */
  private static void scan(long[] pairs, int from, int bins, LeafScan leaf, ProfileBound bound) {
    int gradientShift = leaf.gradientShift;
    LongVector even = LongVector.fromArray(LONGS, EVEN, 0);
    LongVector odd = LongVector.fromArray(LONGS, ODD, 0);
    LongVector countMask = LongVector.broadcast(LONGS, leaf.countMask);
    LongVector hessianMask = LongVector.broadcast(LONGS, leaf.hessianMask << leaf.hessianShift);
    LongVector fewest = LongVector.broadcast(LONGS, leaf.fewest);
    LongVector rowSpan = LongVector.broadcast(LONGS, leaf.rowSpan);
    DoubleVector minusGradient = DoubleVector.broadcast(DOUBLES, -bound.gradient);
    DoubleVector unit = DoubleVector.broadcast(DOUBLES, bound.unit);
    DoubleVector ridge = DoubleVector.broadcast(DOUBLES, bound.ridge);
    DoubleVector share = DoubleVector.broadcast(DOUBLES, bound.share);
    DoubleVector pull = DoubleVector.broadcast(DOUBLES, bound.pull);
    DoubleVector kept = DoubleVector.broadcast(DOUBLES, ProfileBound.KEPT);
    DoubleVector smallest = DoubleVector.broadcast(DOUBLES, ProfileBound.SMALLEST);
    DoubleVector none = DoubleVector.broadcast(DOUBLES, Double.NEGATIVE_INFINITY);
    DoubleVector numerator = none;
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    LongVector low = LongVector.fromArray(LONGS, bound.sums, 0);
    LongVector high = LongVector.fromArray(LONGS, bound.sums, LANES);
    for (int bin = 0; bin < bins; bin++) {
      low = low.add(LongVector.fromArray(LONGS, pairs, from + bin * PAIRS));
      high = high.add(LongVector.fromArray(LONGS, pairs, from + bin * PAIRS + LANES));
      LongVector sum = even.selectFrom(low, high);
      DoubleVector along = (DoubleVector) odd.selectFrom(low, high).convert(VectorOperators.L2D, 0);
      VectorMask<Long> allowed =
          sum.and(countMask).sub(fewest).compare(VectorOperators.ULE, rowSpan);
      DoubleVector hessian = (DoubleVector) sum.and(hessianMask).convert(VectorOperators.L2D, 0);
      DoubleVector gradient =
          (DoubleVector)
              sum.lanewise(VectorOperators.ASHR, gradientShift).convert(VectorOperators.L2D, 0);
      DoubleVector plain = hessian.fma(unit, ridge);
      DoubleVector own = share.mul(along).fma(along, plain);
      DoubleVector all = pull.fma(along, plain);
      DoubleVector determinant = own.mul(kept).sub(all.mul(all)).max(smallest);
      DoubleVector across = minusGradient.fma(all, gradient);
      DoubleVector square = none.blend(across.mul(across), allowed.cast(DOUBLES));
      VectorMask<Double> better =
          square.mul(denominator).compare(VectorOperators.GT, numerator.mul(determinant));
      numerator = numerator.blend(square, better);
      denominator = denominator.blend(determinant, better);
    }
    numerator.intoArray(bound.numerator, 0);
    denominator.intoArray(bound.denominator, 0);
  }
}
