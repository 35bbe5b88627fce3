package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;
import java.util.List;
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

  private final boolean pairs;

  /**
   * A scan.
   *
   * @param pairs whether two leaves that have not room in one vector are scanned in one loop
   */
  private VectorPlaneScan(boolean pairs) {
    this.pairs = pairs;
  }

  /** By one leaf, and by two, if this machine has vectors of that size. */
  static List<PlaneScan> supported() {
    return LongVector.SPECIES_PREFERRED.length() >= LANES
        ? List.of(new VectorPlaneScan(false), new VectorPlaneScan(true))
        : List.of();
  }

  @Override
  public void scan(long[] cells, int from, int bins, int width, LeafScan leaf, PlaneBests bests) {
    long missing = 0;
    for (int lane = 0; lane < width; lane++) {
      missing |= cells[from + bins * LANES + lane];
    }
    if (missing == 0 && leaf.exact && leaf.splittable()) {
      VectorExactPlaneScan.scan(cells, from, bins, width, leaf, bests);
    } else if (missing == 0) {
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
    LongVector rowSpan = LongVector.broadcast(LONGS, leaf.rowSpan);
    LongVector leastHessian = LongVector.broadcast(LONGS, leaf.leastHessian);
    LongVector hessianSpan = LongVector.broadcast(LONGS, leaf.hessianSpan);
    DoubleVector ridge = DoubleVector.broadcast(DOUBLES, leaf.ridge);
    DoubleVector allHessian = DoubleVector.broadcast(DOUBLES, leaf.hessian);
    DoubleVector allGradient = DoubleVector.broadcast(DOUBLES, leaf.gradient);
    DoubleVector none = DoubleVector.broadcast(DOUBLES, Double.NEGATIVE_INFINITY);
    DoubleVector numerator = DoubleVector.broadcast(DOUBLES, leaf.leastRatio);
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split = LongVector.broadcast(LONGS, -1);
    LongVector two = LongVector.broadcast(LONGS, 2);
    LongVector best = LongVector.zero(LONGS);
    LongVector number = LongVector.zero(LONGS);
    LongVector sum = LongVector.zero(LONGS);
    for (int bin = 0; bin < bins; bin++) {
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
      LongVector count = sum.and(countMask);
      LongVector steps = sum.lanewise(VectorOperators.LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> allowed =
          count
              .sub(fewest)
              .compare(VectorOperators.ULE, rowSpan)
              .and(steps.sub(leastHessian).compare(VectorOperators.ULE, hessianSpan));
      DoubleVector hessian = (DoubleVector) steps.convert(VectorOperators.L2D, 0);
      DoubleVector gradient =
          (DoubleVector)
              sum.lanewise(VectorOperators.ASHR, gradientShift).convert(VectorOperators.L2D, 0);
      DoubleVector a = hessian.add(ridge);
      DoubleVector b = allHessian.sub(hessian).add(ridge);
      DoubleVector c = gradient.mul(b).sub(allGradient.sub(gradient).mul(a));
      DoubleVector square = none.blend(c.mul(c), allowed.cast(DOUBLES));
      DoubleVector product = a.mul(b);
      VectorMask<Double> better =
          square.mul(denominator).compare(VectorOperators.GT, numerator.mul(product));
      numerator = numerator.blend(square, better);
      denominator = denominator.blend(product, better);
      split = split.blend(number, better.cast(LONGS));
      best = best.blend(sum, better.cast(LONGS));
      number = number.add(two);
    }
    split.intoArray(bests.split, 0);
    best.intoArray(bests.left, 0);
  }

  /**
   * Of each bin first the split that has the missing values right, then the one that has them left.
   */
  @SuppressWarnings("MethodLength")
  private static void scanWithMissing(
      long[] cells, int from, int bins, LeafScan leaf, PlaneBests bests) {
    int hessianShift = leaf.hessianShift;
    int gradientShift = leaf.gradientShift;
    LongVector countMask = LongVector.broadcast(LONGS, leaf.countMask);
    LongVector hessianMask = LongVector.broadcast(LONGS, leaf.hessianMask);
    LongVector fewest = LongVector.broadcast(LONGS, leaf.fewest);
    LongVector rowSpan = LongVector.broadcast(LONGS, leaf.rowSpan);
    LongVector leastHessian = LongVector.broadcast(LONGS, leaf.leastHessian);
    LongVector hessianSpan = LongVector.broadcast(LONGS, leaf.hessianSpan);
    DoubleVector ridge = DoubleVector.broadcast(DOUBLES, leaf.ridge);
    DoubleVector allHessian = DoubleVector.broadcast(DOUBLES, leaf.hessian);
    DoubleVector allGradient = DoubleVector.broadcast(DOUBLES, leaf.gradient);
    DoubleVector none = DoubleVector.broadcast(DOUBLES, Double.NEGATIVE_INFINITY);
    DoubleVector numerator = DoubleVector.broadcast(DOUBLES, leaf.leastRatio);
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split = LongVector.broadcast(LONGS, -1);
    LongVector one = LongVector.broadcast(LONGS, 1);
    LongVector best = LongVector.zero(LONGS);
    LongVector number = LongVector.zero(LONGS);
    LongVector nobody = LongVector.zero(LONGS);
    LongVector missing = LongVector.fromArray(LONGS, cells, from + bins * LANES);
    LongVector present = LongVector.zero(LONGS);
    for (int bin = 0; bin < bins; bin++) {
      present = present.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
      VectorMask<Long> somebody = present.and(countMask).compare(VectorOperators.NE, nobody);

      LongVector steps1 = present.lanewise(VectorOperators.LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> allowed1 =
          present
              .and(countMask)
              .sub(fewest)
              .compare(VectorOperators.ULE, rowSpan)
              .and(steps1.sub(leastHessian).compare(VectorOperators.ULE, hessianSpan))
              .and(somebody);
      DoubleVector h1 = (DoubleVector) steps1.convert(VectorOperators.L2D, 0);
      DoubleVector g1 =
          (DoubleVector)
              present.lanewise(VectorOperators.ASHR, gradientShift).convert(VectorOperators.L2D, 0);
      DoubleVector a1 = h1.add(ridge);
      DoubleVector b1 = allHessian.sub(h1).add(ridge);
      DoubleVector c1 = g1.mul(b1).sub(allGradient.sub(g1).mul(a1));
      DoubleVector square1 = none.blend(c1.mul(c1), allowed1.cast(DOUBLES));
      DoubleVector product1 = a1.mul(b1);
      VectorMask<Double> better1 =
          square1.mul(denominator).compare(VectorOperators.GT, numerator.mul(product1));
      numerator = numerator.blend(square1, better1);
      denominator = denominator.blend(product1, better1);
      split = split.blend(number, better1.cast(LONGS));
      best = best.blend(present, better1.cast(LONGS));
      number = number.add(one);

      LongVector sum = present.add(missing);
      LongVector steps2 = sum.lanewise(VectorOperators.LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> allowed2 =
          sum.and(countMask)
              .sub(fewest)
              .compare(VectorOperators.ULE, rowSpan)
              .and(steps2.sub(leastHessian).compare(VectorOperators.ULE, hessianSpan))
              .and(somebody);
      DoubleVector h2 = (DoubleVector) steps2.convert(VectorOperators.L2D, 0);
      DoubleVector g2 =
          (DoubleVector)
              sum.lanewise(VectorOperators.ASHR, gradientShift).convert(VectorOperators.L2D, 0);
      DoubleVector a2 = h2.add(ridge);
      DoubleVector b2 = allHessian.sub(h2).add(ridge);
      DoubleVector c2 = g2.mul(b2).sub(allGradient.sub(g2).mul(a2));
      DoubleVector square2 = none.blend(c2.mul(c2), allowed2.cast(DOUBLES));
      DoubleVector product2 = a2.mul(b2);
      VectorMask<Double> better2 =
          square2.mul(denominator).compare(VectorOperators.GT, numerator.mul(product2));
      numerator = numerator.blend(square2, better2);
      denominator = denominator.blend(product2, better2);
      split = split.blend(number, better2.cast(LONGS));
      best = best.blend(sum, better2.cast(LONGS));
      number = number.add(one);
    }
    split.intoArray(bests.split, 0);
    best.intoArray(bests.left, 0);
  }

  @Override
  public void scanBoth(
      long[] part, long[] rest, Plane plane, LeafScan[] leaves, PlaneBests[] bests) {
    long missing = 0;
    int last = plane.from() + plane.bins() * LANES;
    for (int lane = 0; lane < plane.width(); lane++) {
      missing |= rest[last + lane];
    }
    boolean joins = missing == 0 && leaves[0].joins(leaves[1]);
    if (joins && plane.width() <= LANES / 2) {
      VectorExactPlaneScan.scanJoint(part, rest, plane, leaves, bests);
    } else if (missing != 0 || !pairs) {
      PlaneScan.super.scanBoth(part, rest, plane, leaves, bests);
    } else if (joins) {
      VectorExactPlaneScan.scanBoth(part, rest, plane, leaves, bests);
    } else {
      scanBothPresent(part, rest, plane.from(), plane.bins(), leaves, bests);
    }
  }

  /*
   * Two leaves at a time, since a scan is waiting most of the time: whether a split is the best so
   * far is known some ten cycles after it is known for the one before. All of it is written out, since
   * a call inside of the loop would have the compiler make an object of each vector.
   */
  @SuppressWarnings("MethodLength")
  private static void scanBothPresent(
      long[] part, long[] rest, int from, int bins, LeafScan[] leaves, PlaneBests[] bests) {
    LeafScan one = leaves[0];
    LeafScan other = leaves[1];
    int hessianShift = one.hessianShift;
    int gradientShift = one.gradientShift;
    LongVector countMask = LongVector.broadcast(LONGS, one.countMask);
    LongVector hessianMask = LongVector.broadcast(LONGS, one.hessianMask);
    DoubleVector ridge = DoubleVector.broadcast(DOUBLES, one.ridge);
    DoubleVector none = DoubleVector.broadcast(DOUBLES, Double.NEGATIVE_INFINITY);

    LongVector fewest1 = LongVector.broadcast(LONGS, one.fewest);
    LongVector fewest2 = LongVector.broadcast(LONGS, other.fewest);
    LongVector rows1 = LongVector.broadcast(LONGS, one.rowSpan);
    LongVector rows2 = LongVector.broadcast(LONGS, other.rowSpan);
    LongVector least1 = LongVector.broadcast(LONGS, one.leastHessian);
    LongVector least2 = LongVector.broadcast(LONGS, other.leastHessian);
    LongVector steps1 = LongVector.broadcast(LONGS, one.hessianSpan);
    LongVector steps2 = LongVector.broadcast(LONGS, other.hessianSpan);
    DoubleVector hessian1 = DoubleVector.broadcast(DOUBLES, one.hessian);
    DoubleVector hessian2 = DoubleVector.broadcast(DOUBLES, other.hessian);
    DoubleVector gradient1 = DoubleVector.broadcast(DOUBLES, one.gradient);
    DoubleVector gradient2 = DoubleVector.broadcast(DOUBLES, other.gradient);

    DoubleVector numerator1 = DoubleVector.broadcast(DOUBLES, one.leastRatio);
    DoubleVector numerator2 = DoubleVector.broadcast(DOUBLES, other.leastRatio);
    DoubleVector denominator1 = DoubleVector.broadcast(DOUBLES, 1);
    DoubleVector denominator2 = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split1 = LongVector.broadcast(LONGS, -1);
    LongVector split2 = LongVector.broadcast(LONGS, -1);
    LongVector best1 = LongVector.zero(LONGS);
    LongVector best2 = LongVector.zero(LONGS);
    LongVector sum1 = LongVector.zero(LONGS);
    LongVector sum2 = LongVector.zero(LONGS);
    LongVector number = LongVector.zero(LONGS);
    LongVector two = LongVector.broadcast(LONGS, 2);
    for (int bin = 0; bin < bins; bin++) {
      int at = from + bin * LANES;
      LongVector cell1 = LongVector.fromArray(LONGS, part, at);
      LongVector cell2 = LongVector.fromArray(LONGS, rest, at).sub(cell1);
      cell2.intoArray(rest, at);
      sum1 = sum1.add(cell1);
      sum2 = sum2.add(cell2);

      LongVector count1 = sum1.and(countMask);
      LongVector left1 = sum1.lanewise(VectorOperators.LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> allowed1 =
          count1
              .sub(fewest1)
              .compare(VectorOperators.ULE, rows1)
              .and(left1.sub(least1).compare(VectorOperators.ULE, steps1));
      DoubleVector h1 = (DoubleVector) left1.convert(VectorOperators.L2D, 0);
      DoubleVector g1 =
          (DoubleVector)
              sum1.lanewise(VectorOperators.ASHR, gradientShift).convert(VectorOperators.L2D, 0);
      DoubleVector a1 = h1.add(ridge);
      DoubleVector b1 = hessian1.sub(h1).add(ridge);
      DoubleVector c1 = g1.mul(b1).sub(gradient1.sub(g1).mul(a1));
      DoubleVector square1 = none.blend(c1.mul(c1), allowed1.cast(DOUBLES));
      DoubleVector product1 = a1.mul(b1);
      VectorMask<Double> better1 =
          square1.mul(denominator1).compare(VectorOperators.GT, numerator1.mul(product1));
      numerator1 = numerator1.blend(square1, better1);
      denominator1 = denominator1.blend(product1, better1);
      split1 = split1.blend(number, better1.cast(LONGS));
      best1 = best1.blend(sum1, better1.cast(LONGS));

      LongVector count2 = sum2.and(countMask);
      LongVector left2 = sum2.lanewise(VectorOperators.LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> allowed2 =
          count2
              .sub(fewest2)
              .compare(VectorOperators.ULE, rows2)
              .and(left2.sub(least2).compare(VectorOperators.ULE, steps2));
      DoubleVector h2 = (DoubleVector) left2.convert(VectorOperators.L2D, 0);
      DoubleVector g2 =
          (DoubleVector)
              sum2.lanewise(VectorOperators.ASHR, gradientShift).convert(VectorOperators.L2D, 0);
      DoubleVector a2 = h2.add(ridge);
      DoubleVector b2 = hessian2.sub(h2).add(ridge);
      DoubleVector c2 = g2.mul(b2).sub(gradient2.sub(g2).mul(a2));
      DoubleVector square2 = none.blend(c2.mul(c2), allowed2.cast(DOUBLES));
      DoubleVector product2 = a2.mul(b2);
      VectorMask<Double> better2 =
          square2.mul(denominator2).compare(VectorOperators.GT, numerator2.mul(product2));
      numerator2 = numerator2.blend(square2, better2);
      denominator2 = denominator2.blend(product2, better2);
      split2 = split2.blend(number, better2.cast(LONGS));
      best2 = best2.blend(sum2, better2.cast(LONGS));
      number = number.add(two);
    }
    split1.intoArray(bests[0].split, 0);
    split2.intoArray(bests[1].split, 0);
    best1.intoArray(bests[0].left, 0);
    best2.intoArray(bests[1].left, 0);
  }
}
