package io.holdfast.boosting.tree;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.L2D;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.ULE;

import io.holdfast.boosting.data.PackedRows;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Two leaves that share a parent, taken apart and scanned in one pass over a plane without missing
 * values. Finds what two scans of {@link VectorPlaneScan} find, to the bit, where {@link
 * LeafScan#exact} holds for both, and each may be split somewhere.
 */
final class VectorPairScan {
  /*
   * Whether a split is the best so far is known some ten cycles after it is known for the one before,
   * so two leaves in turn cost less than one after the other. The rest is fewer operations: where
   * products are exact, c takes two of them; and whether a number is from least to most is one, of
   * the number − least without a sign.
   *
   * A call inside of the loops is one too many for the compiler, which then makes an object of each
   * vector: fifteen times the time. So they are long, and written twice.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final int LANES = PackedRows.LANES;

  private VectorPairScan() {}

  /** Of leaves whose hessians differ. */
  @SuppressWarnings("MethodLength") // see above
  static void scan(
      long[] part, long[] rest, PlaneScan.Plane plane, LeafScan[] leaves, PlaneBests[] bests) {
    LeafScan one = leaves[0];
    LeafScan two = leaves[1];
    int shift = one.gradientShift;
    LongVector countMask = of(one.countMask);
    DoubleVector ridge = of(one.ridge);
    int hessianShift = one.hessianShift;
    LongVector hessianMask = of(one.hessianMask);
    LongVector fewest = of(one.fewest);
    LongVector least = of(one.leastHessian);
    LongVector rows1 = of(one.most - one.fewest);
    LongVector steps1 = of(one.mostHessian - one.leastHessian);
    DoubleVector gradient1 = of(-one.gradient);
    DoubleVector both1 = of(one.hessian + 2 * one.ridge);
    DoubleVector over1 = of(one.leastRatio);
    DoubleVector under1 = of(1.0);
    LongVector split1 = of(-1);
    LongVector best1 = of(0);
    LongVector sum1 = of(0);
    LongVector rows2 = of(two.most - two.fewest);
    LongVector steps2 = of(two.mostHessian - two.leastHessian);
    DoubleVector gradient2 = of(-two.gradient);
    DoubleVector both2 = of(two.hessian + 2 * two.ridge);
    DoubleVector over2 = of(two.leastRatio);
    DoubleVector under2 = of(1.0);
    LongVector split2 = of(-1);
    LongVector best2 = of(0);
    LongVector sum2 = of(0);
    for (int bin = 0, at = plane.from(); bin < plane.bins(); bin++, at += LANES) {
      LongVector cell = LongVector.fromArray(LONGS, part, at);
      LongVector other = LongVector.fromArray(LONGS, rest, at).sub(cell);
      other.intoArray(rest, at);
      sum1 = sum1.add(cell);
      LongVector count1 = sum1.and(countMask);
      LongVector left1 = sum1.lanewise(LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> enough1 = count1.sub(fewest).compare(ULE, rows1);
      VectorMask<Long> allowed1 = left1.sub(least).compare(ULE, steps1, enough1);
      DoubleVector a1 = ((DoubleVector) left1.convert(L2D, 0)).add(ridge);
      DoubleVector g1 = (DoubleVector) sum1.lanewise(ASHR, shift).convert(L2D, 0);
      DoubleVector c1 = g1.fma(both1, a1.mul(gradient1));
      DoubleVector square1 = c1.mul(c1);
      DoubleVector product1 = a1.mul(both1.sub(a1));
      VectorMask<Double> better1 =
          square1.mul(under1).compare(GT, over1.mul(product1), allowed1.cast(DOUBLES));
      over1 = over1.blend(square1, better1);
      under1 = under1.blend(product1, better1);
      split1 = split1.blend(2L * bin, better1.cast(LONGS));
      best1 = best1.blend(sum1, better1.cast(LONGS));
      sum2 = sum2.add(other);
      LongVector count2 = sum2.and(countMask);
      LongVector left2 = sum2.lanewise(LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> enough2 = count2.sub(fewest).compare(ULE, rows2);
      VectorMask<Long> allowed2 = left2.sub(least).compare(ULE, steps2, enough2);
      DoubleVector a2 = ((DoubleVector) left2.convert(L2D, 0)).add(ridge);
      DoubleVector g2 = (DoubleVector) sum2.lanewise(ASHR, shift).convert(L2D, 0);
      DoubleVector c2 = g2.fma(both2, a2.mul(gradient2));
      DoubleVector square2 = c2.mul(c2);
      DoubleVector product2 = a2.mul(both2.sub(a2));
      VectorMask<Double> better2 =
          square2.mul(under2).compare(GT, over2.mul(product2), allowed2.cast(DOUBLES));
      over2 = over2.blend(square2, better2);
      under2 = under2.blend(product2, better2);
      split2 = split2.blend(2L * bin, better2.cast(LONGS));
      best2 = best2.blend(sum2, better2.cast(LONGS));
    }
    store(split1, best1, bests[0]);
    store(split2, best2, bests[1]);
  }

  /** Of leaves whose hessians are all the same, so that counts are their sums. */
  @SuppressWarnings("MethodLength") // see above
  static void scanCounts(
      long[] part, long[] rest, PlaneScan.Plane plane, LeafScan[] leaves, PlaneBests[] bests) {
    LeafScan one = leaves[0];
    LeafScan two = leaves[1];
    int shift = one.gradientShift;
    LongVector countMask = of(one.countMask);
    DoubleVector ridge = of(one.ridge);
    long least = Math.max(one.fewest, one.leastHessian);
    LongVector fewest = of(least);
    LongVector rows1 = of(Math.min(one.most, one.mostHessian) - least);
    DoubleVector gradient1 = of(-one.gradient);
    DoubleVector both1 = of(one.hessian + 2 * one.ridge);
    DoubleVector over1 = of(one.leastRatio);
    DoubleVector under1 = of(1.0);
    LongVector split1 = of(-1);
    LongVector best1 = of(0);
    LongVector sum1 = of(0);
    LongVector rows2 = of(Math.min(two.most, two.mostHessian) - least);
    DoubleVector gradient2 = of(-two.gradient);
    DoubleVector both2 = of(two.hessian + 2 * two.ridge);
    DoubleVector over2 = of(two.leastRatio);
    DoubleVector under2 = of(1.0);
    LongVector split2 = of(-1);
    LongVector best2 = of(0);
    LongVector sum2 = of(0);
    for (int bin = 0, at = plane.from(); bin < plane.bins(); bin++, at += LANES) {
      LongVector cell = LongVector.fromArray(LONGS, part, at);
      LongVector other = LongVector.fromArray(LONGS, rest, at).sub(cell);
      other.intoArray(rest, at);
      sum1 = sum1.add(cell);
      LongVector count1 = sum1.and(countMask);
      VectorMask<Long> allowed1 = count1.sub(fewest).compare(ULE, rows1);
      DoubleVector a1 = ((DoubleVector) count1.convert(L2D, 0)).add(ridge);
      DoubleVector g1 = (DoubleVector) sum1.lanewise(ASHR, shift).convert(L2D, 0);
      DoubleVector c1 = g1.fma(both1, a1.mul(gradient1));
      DoubleVector square1 = c1.mul(c1);
      DoubleVector product1 = a1.mul(both1.sub(a1));
      VectorMask<Double> better1 =
          square1.mul(under1).compare(GT, over1.mul(product1), allowed1.cast(DOUBLES));
      over1 = over1.blend(square1, better1);
      under1 = under1.blend(product1, better1);
      split1 = split1.blend(2L * bin, better1.cast(LONGS));
      best1 = best1.blend(sum1, better1.cast(LONGS));
      sum2 = sum2.add(other);
      LongVector count2 = sum2.and(countMask);
      VectorMask<Long> allowed2 = count2.sub(fewest).compare(ULE, rows2);
      DoubleVector a2 = ((DoubleVector) count2.convert(L2D, 0)).add(ridge);
      DoubleVector g2 = (DoubleVector) sum2.lanewise(ASHR, shift).convert(L2D, 0);
      DoubleVector c2 = g2.fma(both2, a2.mul(gradient2));
      DoubleVector square2 = c2.mul(c2);
      DoubleVector product2 = a2.mul(both2.sub(a2));
      VectorMask<Double> better2 =
          square2.mul(under2).compare(GT, over2.mul(product2), allowed2.cast(DOUBLES));
      over2 = over2.blend(square2, better2);
      under2 = under2.blend(product2, better2);
      split2 = split2.blend(2L * bin, better2.cast(LONGS));
      best2 = best2.blend(sum2, better2.cast(LONGS));
    }
    store(split1, best1, bests[0]);
    store(split2, best2, bests[1]);
  }

  private static LongVector of(long value) {
    return LongVector.broadcast(LONGS, value);
  }

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(DOUBLES, value);
  }

  private static void store(LongVector split, LongVector left, PlaneBests bests) {
    split.intoArray(bests.split, 0);
    left.intoArray(bests.left, 0);
  }
}
