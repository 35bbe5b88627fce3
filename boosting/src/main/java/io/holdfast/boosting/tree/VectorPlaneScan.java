package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * All eight lanes at once, in vectors of 512 bits. Finds what {@link ScalarPlaneScan} finds, to the
 * bit. To be used only where the module {@code jdk.incubator.vector} is there: {@link PlaneScans}
 * sees to it.
 */
final class VectorPlaneScan implements PlaneScan {
  /*
   * The loops hold vectors in local variables, have no branches and call nothing of our own: that
   * is when the compiler keeps vectors in registers. Elsewhere each would be an object.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final int LANES = PackedRows.LANES;

  /** Whether this machine has vectors of that size. */
  static boolean supported() {
    return LongVector.SPECIES_PREFERRED.length() >= LANES;
  }

  @Override
  public void scan(long[] cells, int from, int bins, int width, LeafScan leaf, PlaneBests bests) {
    long missing = 0;
    for (int lane = 0; lane < width; lane++) {
      missing |= cells[from + bins * LANES + lane];
    }
    if (missing == 0) {
      scanPresent(cells, from, bins, leaf, bests);
    } else {
      scanWithMissing(cells, from, bins, leaf, bests);
    }
  }

  private static void scanPresent(
      long[] cells, int from, int bins, LeafScan leaf, PlaneBests bests) {
    int hessianShift = leaf.hessianShift;
    int gradientShift = leaf.gradientShift;
    LongVector countMask = LongVector.broadcast(LONGS, leaf.countMask);
    LongVector hessianMask = LongVector.broadcast(LONGS, leaf.hessianMask);
    LongVector fewest = LongVector.broadcast(LONGS, leaf.fewest);
    LongVector most = LongVector.broadcast(LONGS, leaf.most);
    LongVector leastHessian = LongVector.broadcast(LONGS, leaf.leastHessian);
    LongVector mostHessian = LongVector.broadcast(LONGS, leaf.mostHessian);
    DoubleVector ridge = DoubleVector.broadcast(DOUBLES, leaf.ridge);
    DoubleVector allHessian = DoubleVector.broadcast(DOUBLES, leaf.hessian);
    DoubleVector allGradient = DoubleVector.broadcast(DOUBLES, leaf.gradient);
    DoubleVector numerator = DoubleVector.broadcast(DOUBLES, leaf.leastRatio);
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split = LongVector.broadcast(LONGS, -1);
    LongVector best = LongVector.zero(LONGS);
    LongVector number = LongVector.zero(LONGS);
    LongVector sum = LongVector.zero(LONGS);
    for (int bin = 0; bin < bins; bin++) {
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
      LongVector count = sum.and(countMask);
      LongVector steps = sum.lanewise(VectorOperators.LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> allowed =
          count
              .compare(VectorOperators.GE, fewest)
              .and(count.compare(VectorOperators.LE, most))
              .and(steps.compare(VectorOperators.GE, leastHessian))
              .and(steps.compare(VectorOperators.LE, mostHessian));
      DoubleVector hessian = (DoubleVector) steps.convert(VectorOperators.L2D, 0);
      DoubleVector gradient =
          (DoubleVector)
              sum.lanewise(VectorOperators.ASHR, gradientShift).convert(VectorOperators.L2D, 0);
      DoubleVector a = hessian.add(ridge);
      DoubleVector b = allHessian.sub(hessian).add(ridge);
      DoubleVector c = gradient.mul(b).sub(allGradient.sub(gradient).mul(a));
      DoubleVector square = c.mul(c);
      DoubleVector product = a.mul(b);
      VectorMask<Double> better =
          square
              .mul(denominator)
              .compare(VectorOperators.GT, numerator.mul(product))
              .and(allowed.cast(DOUBLES));
      VectorMask<Long> taken = better.cast(LONGS);
      numerator = numerator.blend(square, better);
      denominator = denominator.blend(product, better);
      split = split.blend(number, taken);
      best = best.blend(sum, taken);
      number = number.add(2);
    }
    split.intoArray(bests.split, 0);
    best.intoArray(bests.left, 0);
  }

  private static void scanWithMissing(
      long[] cells, int from, int bins, LeafScan leaf, PlaneBests bests) {
    int hessianShift = leaf.hessianShift;
    int gradientShift = leaf.gradientShift;
    LongVector countMask = LongVector.broadcast(LONGS, leaf.countMask);
    LongVector hessianMask = LongVector.broadcast(LONGS, leaf.hessianMask);
    LongVector fewest = LongVector.broadcast(LONGS, leaf.fewest);
    LongVector most = LongVector.broadcast(LONGS, leaf.most);
    LongVector leastHessian = LongVector.broadcast(LONGS, leaf.leastHessian);
    LongVector mostHessian = LongVector.broadcast(LONGS, leaf.mostHessian);
    DoubleVector ridge = DoubleVector.broadcast(DOUBLES, leaf.ridge);
    DoubleVector allHessian = DoubleVector.broadcast(DOUBLES, leaf.hessian);
    DoubleVector allGradient = DoubleVector.broadcast(DOUBLES, leaf.gradient);
    DoubleVector numerator = DoubleVector.broadcast(DOUBLES, leaf.leastRatio);
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split = LongVector.broadcast(LONGS, -1);
    LongVector best = LongVector.zero(LONGS);
    LongVector missing = LongVector.fromArray(LONGS, cells, from + bins * LANES);
    LongVector present = LongVector.zero(LONGS);
    // Even rounds have the missing values right, odd ones left.
    for (int round = 0; round < 2 * bins; round++) {
      long left = -(round & 1L);
      int at = from + (round >> 1) * LANES;
      present = present.add(LongVector.fromArray(LONGS, cells, at).and(~left));
      LongVector sum = present.add(missing.and(left));
      LongVector count = sum.and(countMask);
      LongVector steps = sum.lanewise(VectorOperators.LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> allowed =
          count
              .compare(VectorOperators.GE, fewest)
              .and(count.compare(VectorOperators.LE, most))
              .and(steps.compare(VectorOperators.GE, leastHessian))
              .and(steps.compare(VectorOperators.LE, mostHessian))
              .and(present.and(countMask).compare(VectorOperators.GT, 0));
      DoubleVector hessian = (DoubleVector) steps.convert(VectorOperators.L2D, 0);
      DoubleVector gradient =
          (DoubleVector)
              sum.lanewise(VectorOperators.ASHR, gradientShift).convert(VectorOperators.L2D, 0);
      DoubleVector a = hessian.add(ridge);
      DoubleVector b = allHessian.sub(hessian).add(ridge);
      DoubleVector c = gradient.mul(b).sub(allGradient.sub(gradient).mul(a));
      DoubleVector square = c.mul(c);
      DoubleVector product = a.mul(b);
      VectorMask<Double> better =
          square
              .mul(denominator)
              .compare(VectorOperators.GT, numerator.mul(product))
              .and(allowed.cast(DOUBLES));
      VectorMask<Long> taken = better.cast(LONGS);
      numerator = numerator.blend(square, better);
      denominator = denominator.blend(product, better);
      split = split.blend(round, taken);
      best = best.blend(sum, taken);
    }
    split.intoArray(bests.split, 0);
    best.intoArray(bests.left, 0);
  }

  @Override
  public void scanBoth(
      long[] part, long[] rest, Plane plane, LeafScan[] leaves, PlaneBests[] bests) {
    boolean exact = leaves[0].exact && leaves[1].exact;
    boolean possible = possible(leaves[0]) && possible(leaves[1]);
    if (!exact || !possible || missing(rest, plane)) {
      PlaneScan.super.scanBoth(part, rest, plane, leaves, bests);
    } else if (leaves[0].hessianShift == 0) {
      VectorPairScan.scanCounts(part, rest, plane, leaves, bests);
    } else {
      VectorPairScan.scan(part, rest, plane, leaves, bests);
    }
  }

  private static boolean missing(long[] cells, Plane plane) {
    long missing = 0;
    int last = plane.from() + plane.bins() * LANES;
    for (int lane = 0; lane < plane.width(); lane++) {
      missing |= cells[last + lane];
    }
    return missing != 0;
  }

  private static boolean possible(LeafScan leaf) {
    return leaf.fewest <= leaf.most && leaf.leastHessian <= leaf.mostHessian;
  }
}
