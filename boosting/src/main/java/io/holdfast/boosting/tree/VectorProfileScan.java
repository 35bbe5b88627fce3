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
   * Sums stay where they were added up, which is in the first cache, and are parted into their fields
   * in registers: as whole fields, where they stand, which the bound knows to be so many times as large.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final int LANES = PackedRows.LANES;
  private static final int STRIDE = 4; // bins that are looked at together for their rows

  private VectorProfileScan() {}

  /** One, if this machine has vectors of that size. */
  static List<ProfileScan> supported() {
    return LongVector.SPECIES_PREFERRED.length() >= LANES
        ? List.of(new VectorProfileScan())
        : List.of();
  }

  @Override
  public void most(
      long[] sums,
      PlaneScan.Plane plane,
      LeafScan leaf,
      ProfileCells cells,
      ProfileBound bound,
      double[] target) {
    int from = plane.from();
    int bins = plane.bins();
    bound.lanes = (1L << plane.width()) - 1;
    bound.countMask = cells.countMask;
    int last = from + (bins - 1) * LANES;
    int right = reach(sums, last, -LANES, bins, leaf.fewest, bound);
    int start = reach(sums, from, LANES, bins, leaf.fewest, bound);
    scan(sums, from + start * LANES, bins - 1 - right - start, leaf, cells, bound);
    bound.read(target);
  }

  /**
   * Adds bins up while they are too few rows for a side in all lanes; returns how many there are.
   *
   * @param step from a bin to the next one
   */
  private static int reach(
      long[] sums, int from, int step, int bins, long fewestRows, ProfileBound bound) {
    long every = bound.lanes;
    LongVector rows = LongVector.broadcast(LONGS, bound.countMask);
    LongVector fewest = LongVector.broadcast(LONGS, fewestRows);
    LongVector sum = LongVector.zero(LONGS);
    int bin = 0;
    for (; bin + STRIDE <= bins; bin += STRIDE) {
      int at = from + bin * step;
      LongVector two = LongVector.fromArray(LONGS, sums, at);
      two = two.add(LongVector.fromArray(LONGS, sums, at + step));
      LongVector next = sum.add(LongVector.fromArray(LONGS, sums, at + 2 * step));
      next = next.add(LongVector.fromArray(LONGS, sums, at + 3 * step)).add(two);
      if ((next.and(rows).compare(VectorOperators.GE, fewest).toLong() & every) != 0) {
        break;
      }
      sum = next;
    }
    sum.intoArray(bound.sums, 0);
    return bin;
  }

  /** Scans bins, from the sums that were reached before them. */
  private static void scan(
      long[] sums, int from, int bins, LeafScan leaf, ProfileCells cells, ProfileBound bound) {
    int gradientShift = cells.gradientShift;
    LongVector countMask = LongVector.broadcast(LONGS, cells.countMask);
    LongVector hessianMask = LongVector.broadcast(LONGS, cells.hessianMask);
    LongVector alongMask = LongVector.broadcast(LONGS, cells.alongMask);
    LongVector fewest = LongVector.broadcast(LONGS, leaf.fewest);
    LongVector rowSpan = LongVector.broadcast(LONGS, leaf.rowSpan);
    DoubleVector minusGradient = DoubleVector.broadcast(DOUBLES, -bound.gradient);
    DoubleVector unit = DoubleVector.broadcast(DOUBLES, bound.unit);
    DoubleVector ridge = DoubleVector.broadcast(DOUBLES, bound.ridge);
    DoubleVector share = DoubleVector.broadcast(DOUBLES, bound.share);
    DoubleVector pull = DoubleVector.broadcast(DOUBLES, bound.pull);
    DoubleVector wider = DoubleVector.broadcast(DOUBLES, bound.wider);
    DoubleVector minusLost = DoubleVector.broadcast(DOUBLES, -bound.lost);
    DoubleVector kept = DoubleVector.broadcast(DOUBLES, ProfileBound.KEPT);
    LongVector smallest =
        DoubleVector.broadcast(DOUBLES, ProfileBound.SMALLEST).reinterpretAsLongs();
    DoubleVector none = DoubleVector.broadcast(DOUBLES, Double.NEGATIVE_INFINITY);
    DoubleVector numerator = none;
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    DoubleVector otherNumerator = numerator; // of every other bin
    DoubleVector otherDenominator = denominator;
    LongVector sum = LongVector.fromArray(LONGS, bound.sums, 0);
    for (int bin = 0; bin < bins; bin++) {
      sum = sum.add(LongVector.fromArray(LONGS, sums, from + bin * LANES));
      VectorMask<Long> allowed =
          sum.and(countMask).sub(fewest).compare(VectorOperators.ULE, rowSpan);
      DoubleVector hessian = (DoubleVector) sum.and(hessianMask).convert(VectorOperators.L2D, 0);
      DoubleVector along = (DoubleVector) sum.and(alongMask).convert(VectorOperators.L2D, 0);
      DoubleVector gradient =
          (DoubleVector)
              sum.lanewise(VectorOperators.ASHR, gradientShift).convert(VectorOperators.L2D, 0);
      DoubleVector plain = hessian.fma(unit, ridge);
      DoubleVector own = share.mul(along).fma(along, plain);
      DoubleVector all = pull.fma(along, plain);
      DoubleVector determinant =
          own.fma(kept, minusLost)
              .sub(all.mul(all))
              .reinterpretAsLongs()
              .max(smallest)
              .reinterpretAsDoubles();
      DoubleVector across = minusGradient.fma(all, gradient).abs().add(wider);
      DoubleVector square = none.blend(across.mul(across), allowed.cast(DOUBLES));
      VectorMask<Double> better =
          square.mul(denominator).compare(VectorOperators.GT, numerator.mul(determinant));
      DoubleVector newer = numerator.blend(square, better);
      DoubleVector below = denominator.blend(determinant, better);
      numerator = otherNumerator;
      denominator = otherDenominator;
      otherNumerator = newer;
      otherDenominator = below;
    }
    VectorMask<Double> other =
        otherNumerator
            .mul(denominator)
            .compare(VectorOperators.GT, numerator.mul(otherDenominator));
    numerator.blend(otherNumerator, other).intoArray(bound.numerator, 0);
    denominator.blend(otherDenominator, other).intoArray(bound.denominator, 0);
  }
}
