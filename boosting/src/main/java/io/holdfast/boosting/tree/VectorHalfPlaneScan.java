package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;
import java.util.Arrays;
import java.util.List;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Four lanes at once, in vectors of 256 bits. Finds what {@link ScalarPlaneScan} finds, to the bit.
 * To be used only where the module {@code jdk.incubator.vector} is there: {@link PlaneScans} sees
 * to it.
 */
final class VectorHalfPlaneScan implements PlaneScan {
  /*
   * What such machines lack is gone round: whole numbers come to doubles as the last digits of 2⁵² or
   * 1.5 · 2⁵², and a bound is kept where a difference has no sign. A hessian is not even shifted: it
   * is the same field of the double, and so 2^hessianShift times too large, as then are the sides'
   * hessians and what is compared, on both sides.
   *
   * Rows and hessians left of a threshold grow from bin to bin, so that bins come in stretches: first
   * those that leave too little left in every lane, then in some, then in none, and the same for the
   * right. The first and the last are not scanned at all, and that in the middle, which is most,
   * without a look at the limits; nor is anything rounded there but the products that are compared.
   * That takes 20 operations a bin for 39, 0.8 ns a cell where the scalar scan takes 2.8. Where enough
   * rows are enough hessian anyway, the others are scanned with a look at the rows alone, 1.0 ns a
   * cell, and else with a look at both, 1.1 ns; they are many where a lane's column has been split
   * before. Where sums are rounded they take 1.75. All of that hangs on lanes whose rows are the
   * leaf's.
   *
   * Columns come in fours, and if one or two are left over, those of a split's two children are scanned
   * together, each lane with the numbers of its own leaf: with ten columns five times for six.
   *
   * Loops hold vectors in local variables, have no branches and call nothing of our own, for the
   * reason VectorPlaneScan gives.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_256;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_256;
  private static final int HALF = 4;
  private static final int STRIDE = 4; // bins that are looked at together for their rows
  private static final int LANES = PackedRows.LANES;

  private VectorHalfPlaneScan() {}

  /** One, if this machine has vectors of that size. */
  static List<PlaneScan> supported() {
    return LongVector.SPECIES_PREFERRED.length() >= HALF
        ? List.of(new VectorHalfPlaneScan())
        : List.of();
  }

  @Override
  public void scan(long[] cells, int from, int bins, int width, LeafScan leaf, PlaneBests bests) {
    for (int lane = 0; lane < width; lane += HALF) {
      if (lane == width - 1) {
        ScalarPlaneScan.scanLane(cells, from, bins, leaf, bests, lane); // takes less by itself
      } else {
        scanHalf(cells, from, bins, Math.min(HALF, width - lane), leaf, bests, lane);
      }
    }
  }

  @Override
  public void scanBoth(
      long[] part, long[] rest, Plane plane, LeafScan[] leaves, PlaneBests[] bests) {
    int from = plane.from();
    int bins = plane.bins();
    int end = from + LANES * (bins + 1);
    for (int k = from; k < end; k++) {
      rest[k] -= part[k];
    }
    int few = plane.width() % HALF;
    int width = plane.width() - few;
    if ((few == 1 || few == 2)
        && leaves[0].joins(leaves[1])
        && (missing(part, from + bins * LANES, width, plane.width())
                | missing(rest, from + bins * LANES, width, plane.width()))
            == 0) {
      scanJoint(part, rest, plane, leaves, bests);
    } else {
      width = plane.width();
    }
    scan(part, from, bins, width, leaves[0], bests[0]);
    scan(rest, from, bins, width, leaves[1], bests[1]);
  }

  /**
   * Scans the one or two lanes that a plane has beyond whole vectors of both leaves together: the
   * second one's are copied to where the first one has no columns.
   */
  private static void scanJoint(
      long[] part, long[] rest, Plane plane, LeafScan[] leaves, PlaneBests[] bests) {
    int few = plane.width() % HALF;
    int lane = plane.width() - few;
    int from = plane.from() + lane;
    int end = from + plane.bins() * LANES;
    for (int at = from; at < end; at += LANES) {
      part[at + few] = rest[at];
      part[at + 2 * few - 1] = rest[at + few - 1];
    }
    PlaneBests found = bests[0];
    found.joint.join(leaves[0], leaves[1], few);
    start(found, lane, leaves[0].leastRatio);
    Arrays.fill(found.numerator, lane + few, lane + HALF, leaves[1].leastRatio);
    scanPresent(part, from, plane.bins(), 2 * few, found.joint, found, lane);
    for (int k = lane; k < lane + few; k++) {
      found.left[k] ^= LeafConstants.BIAS;
      bests[1].split[k] = found.split[k + few];
      bests[1].left[k] = found.left[k + few] ^ LeafConstants.BIAS;
    }
  }

  private static long missing(long[] cells, int at, int lane, int end) {
    long missing = 0;
    for (int k = lane; k < end; k++) {
      missing |= cells[at + k];
    }
    return missing;
  }

  private static void scanHalf(
      long[] cells, int from, int bins, int lanes, LeafScan leaf, PlaneBests bests, int lane) {
    start(bests, lane, leaf.leastRatio);
    if (missing(cells, from + bins * LANES, lane, lane + lanes) != 0) {
      scanWithMissing(cells, from + lane, bins, leaf, bests, lane);
    } else if (leaf.splittable()) {
      scanPresent(cells, from + lane, bins, lanes, leaf, bests, lane);
    }
    for (int k = lane; k < lane + HALF; k++) {
      bests.left[k] ^= LeafConstants.BIAS;
    }
  }

  private static void start(PlaneBests bests, int lane, double leastRatio) {
    for (int k = lane; k < lane + HALF; k++) {
      bests.split[k] = -1;
      bests.left[k] = LeafConstants.BIAS;
      bests.numerator[k] = leastRatio;
      bests.denominator[k] = 1;
    }
  }

  private static void scanPresent(
      long[] cells, int from, int bins, int lanes, LeafScan leaf, PlaneBests bests, int lane) {
    int last = from + (bins - 1) * LANES;
    bests.lanes = lanes;
    Arrays.fill(bests.next, LeafConstants.BIAS);
    int right = reach(cells, last, -LANES, bins, leaf, 1, bests);
    int fullRight =
        right + reach(cells, last - right * LANES, -LANES, bins - right, leaf, lanes, bests);
    Arrays.fill(bests.next, LeafConstants.BIAS);
    int start = reach(cells, from, LANES, bins, leaf, 1, bests);
    System.arraycopy(bests.next, 0, bests.sum, 0, HALF);
    int left = start + reach(cells, from + start * LANES, LANES, bins - start, leaf, lanes, bests);
    int end = bins - 1 - right;
    int fullStart = left + STRIDE;
    int fullEnd = bins - fullRight - STRIDE;
    fullEnd -= fullEnd - fullStart & 1; // by two
    if (leaf.exact && fullStart < fullEnd) {
      scanEnd(cells, from, start, fullStart, leaf, bests, lane);
      VectorExactScan.scanAll(cells, from, fullStart, fullEnd, leaf, bests, lane);
      scanEnd(cells, from, fullEnd, end, leaf, bests, lane);
    } else {
      scanEnd(cells, from, start, end, leaf, bests, lane);
    }
  }

  private static void scanEnd(
      long[] cells, int from, int start, int end, LeafScan leaf, PlaneBests bests, int lane) {
    // By two: the bin after the last, if need be, which leaves too little on the right.
    int evenEnd = end + (end - start & 1);
    if (leaf.exact && leaf.counted) {
      VectorExactScan.scanCounted(cells, from, start, evenEnd, leaf, bests, lane);
    } else if (leaf.exact) {
      VectorExactScan.scanLimited(cells, from, start, evenEnd, leaf, bests, lane);
    } else {
      scanSome(cells, from, start, end, leaf, bests, lane);
    }
  }

  /**
   * How many bins, counted from {@code from} in that direction, are too little in all lanes but
   * fewer than {@code enough}; looks at {@code STRIDE} of them at a time, so that as many more may
   * be. Goes on from the sums in {@code bests.next}.
   */
  static int reach(
      long[] cells, int from, int step, int bins, LeafScan leaf, int enough, PlaneBests bests) {
    int lanes = bests.lanes;
    long[] constants = leaf.constants.values;
    LongVector countMask = LongVector.fromArray(LONGS, constants, LeafConstants.COUNT_MASK);
    LongVector hessianMask = LongVector.fromArray(LONGS, constants, LeafConstants.FIELD);
    LongVector fewest = LongVector.fromArray(LONGS, constants, LeafConstants.FEWEST);
    LongVector least = LongVector.fromArray(LONGS, constants, LeafConstants.LEAST_IN_FIELD);
    LongVector nothing = LongVector.zero(LONGS);
    LongVector sum = LongVector.fromArray(LONGS, bests.next, 0);
    long every = (1L << lanes) - 1;
    int bin = 0;
    for (; bin + STRIDE <= bins; bin += STRIDE) {
      int at = from + bin * step;
      LongVector two = LongVector.fromArray(LONGS, cells, at);
      two = two.add(LongVector.fromArray(LONGS, cells, at + step));
      LongVector next = sum.add(LongVector.fromArray(LONGS, cells, at + 2 * step));
      next = next.add(LongVector.fromArray(LONGS, cells, at + 3 * step)).add(two);
      LongVector over = next.and(countMask).sub(fewest).or(next.and(hessianMask).sub(least));
      long lacking = over.compare(VectorOperators.LT, nothing).toLong() & every;
      if (lanes - Long.bitCount(lacking) >= enough) {
        break;
      }
      sum = next;
    }
    sum.intoArray(bests.next, 0);
    return bin;
  }

  /** Scans bins of which some lanes' may leave too little. */
  @SuppressWarnings("MethodLength")
  private static void scanSome(
      long[] cells, int from, int start, int end, LeafScan leaf, PlaneBests bests, int lane) {
    long[] constants = leaf.constants.values;
    int gradientShift = leaf.gradientShift;
    int hessianShift = leaf.hessianShift;
    LongVector countMask = LongVector.fromArray(LONGS, constants, LeafConstants.COUNT_MASK);
    LongVector hessianMask = LongVector.fromArray(LONGS, constants, LeafConstants.HESSIAN_MASK);
    LongVector fewest = LongVector.fromArray(LONGS, constants, LeafConstants.FEWEST);
    LongVector most = LongVector.fromArray(LONGS, constants, LeafConstants.MOST);
    LongVector leastHessian = LongVector.fromArray(LONGS, constants, LeafConstants.LEAST_HESSIAN);
    LongVector mostHessian = LongVector.fromArray(LONGS, constants, LeafConstants.MOST_HESSIAN);
    LongVector whole = LongVector.fromArray(LONGS, constants, LeafConstants.WHOLE_BITS);
    LongVector signed = LongVector.fromArray(LONGS, constants, LeafConstants.SIGNED_BITS);
    LongVector nothing = LongVector.zero(LONGS);
    DoubleVector middle = whole.reinterpretAsDoubles();
    DoubleVector sign =
        LongVector.fromArray(LONGS, constants, LeafConstants.SIGN).reinterpretAsDoubles();
    DoubleVector ridge =
        LongVector.fromArray(LONGS, constants, LeafConstants.RIDGE).reinterpretAsDoubles();
    DoubleVector allHessian =
        LongVector.fromArray(LONGS, constants, LeafConstants.HESSIAN).reinterpretAsDoubles();
    DoubleVector allGradient =
        LongVector.fromArray(LONGS, constants, LeafConstants.GRADIENT).reinterpretAsDoubles();
    DoubleVector none =
        LongVector.fromArray(LONGS, constants, LeafConstants.NONE).reinterpretAsDoubles();
    DoubleVector numerator = DoubleVector.fromArray(DOUBLES, bests.numerator, lane);
    DoubleVector denominator = DoubleVector.fromArray(DOUBLES, bests.denominator, lane);
    LongVector split = LongVector.fromArray(LONGS, bests.split, lane);
    LongVector best = LongVector.fromArray(LONGS, bests.left, lane);
    LongVector number = LongVector.broadcast(LONGS, 2L * start);
    LongVector two = LongVector.broadcast(LONGS, 2);
    LongVector sum = LongVector.fromArray(LONGS, bests.sum, 0);
    for (int bin = start; bin < end; bin++) {
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
      LongVector count = sum.and(countMask);
      LongVector steps = sum.lanewise(VectorOperators.LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> refused =
          count
              .sub(fewest)
              .or(most.sub(count))
              .or(steps.sub(leastHessian))
              .or(mostHessian.sub(steps))
              .compare(VectorOperators.LT, nothing);
      DoubleVector hessian = steps.or(whole).reinterpretAsDoubles().sub(middle);
      DoubleVector gradient =
          sum.lanewise(VectorOperators.LSHR, gradientShift)
              .add(signed)
              .reinterpretAsDoubles()
              .sub(sign);
      DoubleVector a = hessian.add(ridge);
      DoubleVector b = allHessian.sub(hessian).add(ridge);
      DoubleVector c = gradient.mul(b).sub(allGradient.sub(gradient).mul(a));
      DoubleVector square = c.mul(c).blend(none, refused.cast(DOUBLES));
      DoubleVector product = a.mul(b);
      VectorMask<Double> better =
          square.mul(denominator).compare(VectorOperators.GT, numerator.mul(product));
      numerator = numerator.blend(square, better);
      denominator = denominator.blend(product, better);
      split = split.blend(number, better.cast(LONGS));
      best = best.blend(sum, better.cast(LONGS));
      number = number.add(two);
    }
    sum.intoArray(bests.sum, 0);
    numerator.intoArray(bests.numerator, lane);
    denominator.intoArray(bests.denominator, lane);
    split.intoArray(bests.split, lane);
    best.intoArray(bests.left, lane);
  }

  /**
   * Of each bin first the split that has the missing values right, then the one that has them left.
   */
  @SuppressWarnings("MethodLength")
  private static void scanWithMissing(
      long[] cells, int from, int bins, LeafScan leaf, PlaneBests bests, int lane) {
    long[] constants = leaf.constants.values;
    int gradientShift = leaf.gradientShift;
    int hessianShift = leaf.hessianShift;
    LongVector countMask = LongVector.fromArray(LONGS, constants, LeafConstants.COUNT_MASK);
    LongVector hessianMask = LongVector.fromArray(LONGS, constants, LeafConstants.HESSIAN_MASK);
    LongVector fewest = LongVector.fromArray(LONGS, constants, LeafConstants.FEWEST);
    LongVector most = LongVector.fromArray(LONGS, constants, LeafConstants.MOST);
    LongVector leastHessian = LongVector.fromArray(LONGS, constants, LeafConstants.LEAST_HESSIAN);
    LongVector mostHessian = LongVector.fromArray(LONGS, constants, LeafConstants.MOST_HESSIAN);
    LongVector whole = LongVector.fromArray(LONGS, constants, LeafConstants.WHOLE_BITS);
    LongVector signed = LongVector.fromArray(LONGS, constants, LeafConstants.SIGNED_BITS);
    LongVector nothing = LongVector.zero(LONGS);
    LongVector one = LongVector.broadcast(LONGS, 1);
    DoubleVector middle = whole.reinterpretAsDoubles();
    DoubleVector sign =
        LongVector.fromArray(LONGS, constants, LeafConstants.SIGN).reinterpretAsDoubles();
    DoubleVector ridge =
        LongVector.fromArray(LONGS, constants, LeafConstants.RIDGE).reinterpretAsDoubles();
    DoubleVector allHessian =
        LongVector.fromArray(LONGS, constants, LeafConstants.HESSIAN).reinterpretAsDoubles();
    DoubleVector allGradient =
        LongVector.fromArray(LONGS, constants, LeafConstants.GRADIENT).reinterpretAsDoubles();
    DoubleVector none =
        LongVector.fromArray(LONGS, constants, LeafConstants.NONE).reinterpretAsDoubles();
    DoubleVector numerator = DoubleVector.fromArray(DOUBLES, bests.numerator, lane);
    DoubleVector denominator = DoubleVector.fromArray(DOUBLES, bests.denominator, lane);
    LongVector split = LongVector.fromArray(LONGS, bests.split, lane);
    LongVector best = LongVector.fromArray(LONGS, bests.left, lane);
    LongVector number = LongVector.zero(LONGS);
    LongVector missing = LongVector.fromArray(LONGS, cells, from + bins * LANES);
    LongVector present = LongVector.broadcast(LONGS, LeafConstants.BIAS);
    for (int bin = 0; bin < bins; bin++) {
      present = present.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
      LongVector count1 = present.and(countMask);
      LongVector nobody = count1.sub(one); // below 0 where nobody is present

      LongVector steps1 = present.lanewise(VectorOperators.LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> refused1 =
          count1
              .sub(fewest)
              .or(most.sub(count1))
              .or(steps1.sub(leastHessian))
              .or(mostHessian.sub(steps1))
              .or(nobody)
              .compare(VectorOperators.LT, nothing);
      DoubleVector h1 = steps1.or(whole).reinterpretAsDoubles().sub(middle);
      DoubleVector g1 =
          present
              .lanewise(VectorOperators.LSHR, gradientShift)
              .add(signed)
              .reinterpretAsDoubles()
              .sub(sign);
      DoubleVector a1 = h1.add(ridge);
      DoubleVector b1 = allHessian.sub(h1).add(ridge);
      DoubleVector c1 = g1.mul(b1).sub(allGradient.sub(g1).mul(a1));
      DoubleVector square1 = c1.mul(c1).blend(none, refused1.cast(DOUBLES));
      DoubleVector product1 = a1.mul(b1);
      VectorMask<Double> better1 =
          square1.mul(denominator).compare(VectorOperators.GT, numerator.mul(product1));
      numerator = numerator.blend(square1, better1);
      denominator = denominator.blend(product1, better1);
      split = split.blend(number, better1.cast(LONGS));
      best = best.blend(present, better1.cast(LONGS));
      number = number.add(one);

      LongVector sum = present.add(missing);
      LongVector count2 = sum.and(countMask);
      LongVector steps2 = sum.lanewise(VectorOperators.LSHR, hessianShift).and(hessianMask);
      VectorMask<Long> refused2 =
          count2
              .sub(fewest)
              .or(most.sub(count2))
              .or(steps2.sub(leastHessian))
              .or(mostHessian.sub(steps2))
              .or(nobody)
              .compare(VectorOperators.LT, nothing);
      DoubleVector h2 = steps2.or(whole).reinterpretAsDoubles().sub(middle);
      DoubleVector g2 =
          sum.lanewise(VectorOperators.LSHR, gradientShift)
              .add(signed)
              .reinterpretAsDoubles()
              .sub(sign);
      DoubleVector a2 = h2.add(ridge);
      DoubleVector b2 = allHessian.sub(h2).add(ridge);
      DoubleVector c2 = g2.mul(b2).sub(allGradient.sub(g2).mul(a2));
      DoubleVector square2 = c2.mul(c2).blend(none, refused2.cast(DOUBLES));
      DoubleVector product2 = a2.mul(b2);
      VectorMask<Double> better2 =
          square2.mul(denominator).compare(VectorOperators.GT, numerator.mul(product2));
      numerator = numerator.blend(square2, better2);
      denominator = denominator.blend(product2, better2);
      split = split.blend(number, better2.cast(LONGS));
      best = best.blend(sum, better2.cast(LONGS));
      number = number.add(one);
    }
    split.intoArray(bests.split, lane);
    best.intoArray(bests.left, lane);
  }
}
