package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link VectorPlaneScan} for leaves whose sums are whole numbers, none of them
 * rounded, and that can be split at all.
 */
final class VectorExactPlaneScan {
  /*
   * Hessians are not shifted, but 2^hessianShift times too large, as are then the sides' hessians and
   * what is compared, on both sides. Bins at either end that leave too little in all lanes are not
   * scanned. A bin of both leaves takes 47 operations, for 66 where sums may be rounded. One leaf's
   * takes as long: whether a split is the best so far is known some ten cycles after it is known for
   * the one before.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final VectorSpecies<Long> HALF = LongVector.SPECIES_256;
  private static final int LANES = PackedRows.LANES;
  private static final int STRIDE = 4; // bins that are looked at together for their rows

  private VectorExactPlaneScan() {}

  /** Scans the first {@code width} lanes. */
  static void scan(long[] cells, int from, int bins, int width, LeafScan leaf, PlaneBests bests) {
    int last = from + (bins - 1) * LANES;
    int end = bins - 1 - reach(cells, last, -LANES, bins, width, leaf, bests);
    int start = reach(cells, from, LANES, bins, width, leaf, bests);
    if (leaf.counted) {
      scanCounted(cells, from, start, end, leaf, bests);
    } else {
      scanLimited(cells, from, start, end, leaf, bests);
    }
  }

  /** Takes {@code part} away from {@code rest}, and scans both leaves, which join, in one loop. */
  static void scanBoth(
      long[] part, long[] rest, PlaneScan.Plane plane, LeafScan[] leaves, PlaneBests[] bests) {
    int from = plane.from();
    int bins = plane.bins();
    int past = from + (bins + 1) * LANES;
    for (int k = from; k < past; k++) {
      rest[k] -= part[k];
    }
    int last = from + (bins - 1) * LANES;
    int right = reachBoth(part, rest, last, -LANES, plane, leaves, bests);
    int start = reachBoth(part, rest, from, LANES, plane, leaves, bests);
    int end = bins - 1 - right;
    if (leaves[0].counted) {
      scanBothCounted(part, rest, from, start, end, leaves, bests);
    } else {
      scanBothLimited(part, rest, from, start, end, leaves, bests);
    }
  }

  /**
   * Does both where a plane has four columns at most: scans one leaf of twice as many, in which the
   * second one's cells stand where the first one has no columns.
   */
  static void scanJoint(
      long[] part, long[] rest, PlaneScan.Plane plane, LeafScan[] leaves, PlaneBests[] bests) {
    int width = plane.width();
    int end = plane.from() + plane.bins() * LANES;
    for (int at = plane.from(); at <= end; at += LANES) {
      LongVector four = LongVector.fromArray(HALF, rest, at);
      four = four.sub(LongVector.fromArray(HALF, part, at));
      four.intoArray(rest, at);
      four.intoArray(part, at + width);
    }
    PlaneBests found = bests[0];
    found.joint.join(leaves[0], leaves[1], width);
    scan(part, plane.from(), plane.bins(), 2 * width, found.joint, found);
    System.arraycopy(found.split, width, bests[1].split, 0, width);
    System.arraycopy(found.left, width, bests[1].left, 0, width);
  }

  /**
   * How many bins, counted from {@code from} in that direction, are too little in all lanes; looks
   * at {@code STRIDE} of them at a time, so that as many more may be. Their sums come to {@code
   * bests}.
   */
  private static int reach(
      long[] cells, int from, int step, int bins, int lanes, LeafScan leaf, PlaneBests bests) {
    long[] constants = leaf.constants.values;
    LongVector countMask = LongVector.fromArray(LONGS, constants, LeafConstants.COUNT_MASK);
    LongVector hessianMask = LongVector.fromArray(LONGS, constants, LeafConstants.FIELD);
    LongVector fewest = LongVector.fromArray(LONGS, constants, LeafConstants.FEWEST);
    LongVector least = LongVector.fromArray(LONGS, constants, LeafConstants.LEAST_IN_FIELD);
    LongVector nothing = LongVector.zero(LONGS);
    LongVector sum = nothing;
    long every = (1L << lanes) - 1;
    int bin = 0;
    for (; bin + STRIDE <= bins; bin += STRIDE) {
      int at = from + bin * step;
      LongVector two = LongVector.fromArray(LONGS, cells, at);
      two = two.add(LongVector.fromArray(LONGS, cells, at + step));
      LongVector next = sum.add(LongVector.fromArray(LONGS, cells, at + 2 * step));
      next = next.add(LongVector.fromArray(LONGS, cells, at + 3 * step)).add(two);
      LongVector over = next.and(countMask).sub(fewest).or(next.and(hessianMask).sub(least));
      long lacking = over.compare(VectorOperators.LT, nothing).toLong();
      if ((lacking & every) != every) {
        break;
      }
      sum = next;
    }
    sum.intoArray(bests.sum, 0);
    return bin;
  }

  /** As above, too little in all lanes of both. */
  private static int reachBoth(
      long[] part,
      long[] rest,
      int from,
      int step,
      PlaneScan.Plane plane,
      LeafScan[] leaves,
      PlaneBests[] bests) {
    long[] constants = leaves[0].constants.values;
    long[] other = leaves[1].constants.values;
    LongVector countMask = LongVector.fromArray(LONGS, constants, LeafConstants.COUNT_MASK);
    LongVector hessianMask = LongVector.fromArray(LONGS, constants, LeafConstants.FIELD);
    LongVector fewest1 = LongVector.fromArray(LONGS, constants, LeafConstants.FEWEST);
    LongVector fewest2 = LongVector.fromArray(LONGS, other, LeafConstants.FEWEST);
    LongVector least1 = LongVector.fromArray(LONGS, constants, LeafConstants.LEAST_IN_FIELD);
    LongVector least2 = LongVector.fromArray(LONGS, other, LeafConstants.LEAST_IN_FIELD);
    LongVector nothing = LongVector.zero(LONGS);
    LongVector sum1 = nothing;
    LongVector sum2 = nothing;
    long every = (1L << plane.width()) - 1;
    int bin = 0;
    for (; bin + STRIDE <= plane.bins(); bin += STRIDE) {
      int at = from + bin * step;
      LongVector two1 = LongVector.fromArray(LONGS, part, at);
      two1 = two1.add(LongVector.fromArray(LONGS, part, at + step));
      LongVector next1 = sum1.add(LongVector.fromArray(LONGS, part, at + 2 * step));
      next1 = next1.add(LongVector.fromArray(LONGS, part, at + 3 * step)).add(two1);
      LongVector two2 = LongVector.fromArray(LONGS, rest, at);
      two2 = two2.add(LongVector.fromArray(LONGS, rest, at + step));
      LongVector next2 = sum2.add(LongVector.fromArray(LONGS, rest, at + 2 * step));
      next2 = next2.add(LongVector.fromArray(LONGS, rest, at + 3 * step)).add(two2);
      LongVector over1 = next1.and(countMask).sub(fewest1).or(next1.and(hessianMask).sub(least1));
      LongVector over2 = next2.and(countMask).sub(fewest2).or(next2.and(hessianMask).sub(least2));
      long lacking = over1.and(over2).compare(VectorOperators.LT, nothing).toLong();
      if ((lacking & every) != every) {
        break;
      }
      sum1 = next1;
      sum2 = next2;
    }
    sum1.intoArray(bests[0].sum, 0);
    sum2.intoArray(bests[1].sum, 0);
    return bin;
  }

  /** Scans bins, where enough rows are enough hessian. */
  private static void scanCounted(
      long[] cells, int from, int start, int end, LeafScan leaf, PlaneBests bests) {
    int gradientShift = leaf.gradientShift;
    long[] one = leaf.constants.values;
    LongVector countMask = LongVector.fromArray(LONGS, one, LeafConstants.COUNT_MASK);
    LongVector hessianMask = LongVector.fromArray(LONGS, one, LeafConstants.FIELD);
    LongVector fewest = LongVector.fromArray(LONGS, one, LeafConstants.FEWEST);
    DoubleVector ridge =
        LongVector.fromArray(LONGS, one, LeafConstants.RIDGE_IN_FIELD).reinterpretAsDoubles();
    LongVector rows = LongVector.fromArray(LONGS, one, LeafConstants.ROW_SPAN);
    DoubleVector both = LongVector.fromArray(LONGS, one, LeafConstants.BOTH).reinterpretAsDoubles();
    DoubleVector minus =
        LongVector.fromArray(LONGS, one, LeafConstants.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector numerator =
        LongVector.fromArray(LONGS, one, LeafConstants.LEAST_RATIO).reinterpretAsDoubles();
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split = LongVector.broadcast(LONGS, -1);
    LongVector best = LongVector.zero(LONGS);
    LongVector sum = LongVector.fromArray(LONGS, bests.sum, 0);
    LongVector number = LongVector.broadcast(LONGS, 2L * start);
    LongVector two = LongVector.fromArray(LONGS, one, LeafConstants.TWO);
    for (int bin = start; bin < end; bin++) {
      int at = from + bin * LANES;
      sum = sum.add(LongVector.fromArray(LONGS, cells, at));
      LongVector left = sum.and(hessianMask);
      VectorMask<Long> allowed = sum.and(countMask).sub(fewest).compare(VectorOperators.ULE, rows);
      LongVector slope = sum.lanewise(VectorOperators.ASHR, gradientShift);
      DoubleVector gradient = (DoubleVector) slope.convert(VectorOperators.L2D, 0);
      DoubleVector a = ((DoubleVector) left.convert(VectorOperators.L2D, 0)).add(ridge);
      DoubleVector c = gradient.fma(both, minus.mul(a));
      DoubleVector square = c.mul(c);
      DoubleVector product = both.sub(a).mul(a);
      VectorMask<Double> better =
          square
              .mul(denominator)
              .compare(VectorOperators.GT, numerator.mul(product), allowed.cast(DOUBLES));
      numerator = numerator.blend(square, better);
      denominator = denominator.blend(product, better);
      split = split.blend(number, better.cast(LONGS));
      best = best.blend(sum, better.cast(LONGS));
      number = number.add(two);
    }
    split.intoArray(bests.split, 0);
    best.intoArray(bests.left, 0);
  }

  /** Scans bins of which some lanes' may leave too little. */
  @SuppressWarnings("MethodLength")
  private static void scanLimited(
      long[] cells, int from, int start, int end, LeafScan leaf, PlaneBests bests) {
    int gradientShift = leaf.gradientShift;
    long[] one = leaf.constants.values;
    LongVector countMask = LongVector.fromArray(LONGS, one, LeafConstants.COUNT_MASK);
    LongVector hessianMask = LongVector.fromArray(LONGS, one, LeafConstants.FIELD);
    LongVector fewest = LongVector.fromArray(LONGS, one, LeafConstants.FEWEST);
    LongVector least = LongVector.fromArray(LONGS, one, LeafConstants.LEAST_IN_FIELD);
    DoubleVector ridge =
        LongVector.fromArray(LONGS, one, LeafConstants.RIDGE_IN_FIELD).reinterpretAsDoubles();
    LongVector rows = LongVector.fromArray(LONGS, one, LeafConstants.ROW_SPAN);
    LongVector steps = LongVector.fromArray(LONGS, one, LeafConstants.STEP_SPAN);
    DoubleVector both = LongVector.fromArray(LONGS, one, LeafConstants.BOTH).reinterpretAsDoubles();
    DoubleVector minus =
        LongVector.fromArray(LONGS, one, LeafConstants.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector numerator =
        LongVector.fromArray(LONGS, one, LeafConstants.LEAST_RATIO).reinterpretAsDoubles();
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split = LongVector.broadcast(LONGS, -1);
    LongVector best = LongVector.zero(LONGS);
    LongVector sum = LongVector.fromArray(LONGS, bests.sum, 0);
    LongVector number = LongVector.broadcast(LONGS, 2L * start);
    LongVector two = LongVector.fromArray(LONGS, one, LeafConstants.TWO);
    for (int bin = start; bin < end; bin++) {
      int at = from + bin * LANES;
      sum = sum.add(LongVector.fromArray(LONGS, cells, at));
      LongVector left = sum.and(hessianMask);
      VectorMask<Long> allowed =
          sum.and(countMask)
              .sub(fewest)
              .compare(VectorOperators.ULE, rows)
              .and(left.sub(least).compare(VectorOperators.ULE, steps));
      LongVector slope = sum.lanewise(VectorOperators.ASHR, gradientShift);
      DoubleVector gradient = (DoubleVector) slope.convert(VectorOperators.L2D, 0);
      DoubleVector a = ((DoubleVector) left.convert(VectorOperators.L2D, 0)).add(ridge);
      DoubleVector c = gradient.fma(both, minus.mul(a));
      DoubleVector square = c.mul(c);
      DoubleVector product = both.sub(a).mul(a);
      VectorMask<Double> better =
          square
              .mul(denominator)
              .compare(VectorOperators.GT, numerator.mul(product), allowed.cast(DOUBLES));
      numerator = numerator.blend(square, better);
      denominator = denominator.blend(product, better);
      split = split.blend(number, better.cast(LONGS));
      best = best.blend(sum, better.cast(LONGS));
      number = number.add(two);
    }
    split.intoArray(bests.split, 0);
    best.intoArray(bests.left, 0);
  }

  /** Scans bins of both leaves, where enough rows are enough hessian. */
  @SuppressWarnings("MethodLength")
  private static void scanBothCounted(
      long[] part,
      long[] rest,
      int from,
      int start,
      int end,
      LeafScan[] leaves,
      PlaneBests[] bests) {
    int gradientShift = leaves[0].gradientShift;
    long[] one = leaves[0].constants.values;
    long[] other = leaves[1].constants.values;
    LongVector countMask = LongVector.fromArray(LONGS, one, LeafConstants.COUNT_MASK);
    LongVector hessianMask = LongVector.fromArray(LONGS, one, LeafConstants.FIELD);
    DoubleVector ridge =
        LongVector.fromArray(LONGS, one, LeafConstants.RIDGE_IN_FIELD).reinterpretAsDoubles();
    LongVector fewest1 = LongVector.fromArray(LONGS, one, LeafConstants.FEWEST);
    LongVector rows1 = LongVector.fromArray(LONGS, one, LeafConstants.ROW_SPAN);
    DoubleVector both1 =
        LongVector.fromArray(LONGS, one, LeafConstants.BOTH).reinterpretAsDoubles();
    DoubleVector minus1 =
        LongVector.fromArray(LONGS, one, LeafConstants.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector numerator1 =
        LongVector.fromArray(LONGS, one, LeafConstants.LEAST_RATIO).reinterpretAsDoubles();
    DoubleVector denominator1 = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split1 = LongVector.broadcast(LONGS, -1);
    LongVector best1 = LongVector.zero(LONGS);
    LongVector sum1 = LongVector.fromArray(LONGS, bests[0].sum, 0);
    LongVector fewest2 = LongVector.fromArray(LONGS, other, LeafConstants.FEWEST);
    LongVector rows2 = LongVector.fromArray(LONGS, other, LeafConstants.ROW_SPAN);
    DoubleVector both2 =
        LongVector.fromArray(LONGS, other, LeafConstants.BOTH).reinterpretAsDoubles();
    DoubleVector minus2 =
        LongVector.fromArray(LONGS, other, LeafConstants.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector numerator2 =
        LongVector.fromArray(LONGS, other, LeafConstants.LEAST_RATIO).reinterpretAsDoubles();
    DoubleVector denominator2 = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split2 = LongVector.broadcast(LONGS, -1);
    LongVector best2 = LongVector.zero(LONGS);
    LongVector sum2 = LongVector.fromArray(LONGS, bests[1].sum, 0);
    LongVector number = LongVector.broadcast(LONGS, 2L * start);
    LongVector two = LongVector.fromArray(LONGS, one, LeafConstants.TWO);
    for (int bin = start; bin < end; bin++) {
      int at = from + bin * LANES;
      sum1 = sum1.add(LongVector.fromArray(LONGS, part, at));
      LongVector left1 = sum1.and(hessianMask);
      VectorMask<Long> allowed1 =
          sum1.and(countMask).sub(fewest1).compare(VectorOperators.ULE, rows1);
      LongVector slope1 = sum1.lanewise(VectorOperators.ASHR, gradientShift);
      DoubleVector gradient1 = (DoubleVector) slope1.convert(VectorOperators.L2D, 0);
      DoubleVector a1 = ((DoubleVector) left1.convert(VectorOperators.L2D, 0)).add(ridge);
      DoubleVector c1 = gradient1.fma(both1, minus1.mul(a1));
      DoubleVector square1 = c1.mul(c1);
      DoubleVector product1 = both1.sub(a1).mul(a1);
      VectorMask<Double> better1 =
          square1
              .mul(denominator1)
              .compare(VectorOperators.GT, numerator1.mul(product1), allowed1.cast(DOUBLES));
      numerator1 = numerator1.blend(square1, better1);
      denominator1 = denominator1.blend(product1, better1);
      split1 = split1.blend(number, better1.cast(LONGS));
      best1 = best1.blend(sum1, better1.cast(LONGS));
      sum2 = sum2.add(LongVector.fromArray(LONGS, rest, at));
      LongVector left2 = sum2.and(hessianMask);
      VectorMask<Long> allowed2 =
          sum2.and(countMask).sub(fewest2).compare(VectorOperators.ULE, rows2);
      LongVector slope2 = sum2.lanewise(VectorOperators.ASHR, gradientShift);
      DoubleVector gradient2 = (DoubleVector) slope2.convert(VectorOperators.L2D, 0);
      DoubleVector a2 = ((DoubleVector) left2.convert(VectorOperators.L2D, 0)).add(ridge);
      DoubleVector c2 = gradient2.fma(both2, minus2.mul(a2));
      DoubleVector square2 = c2.mul(c2);
      DoubleVector product2 = both2.sub(a2).mul(a2);
      VectorMask<Double> better2 =
          square2
              .mul(denominator2)
              .compare(VectorOperators.GT, numerator2.mul(product2), allowed2.cast(DOUBLES));
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

  /** Scans bins of both leaves of which some lanes' may leave too little. */
  @SuppressWarnings("MethodLength")
  private static void scanBothLimited(
      long[] part,
      long[] rest,
      int from,
      int start,
      int end,
      LeafScan[] leaves,
      PlaneBests[] bests) {
    int gradientShift = leaves[0].gradientShift;
    long[] one = leaves[0].constants.values;
    long[] other = leaves[1].constants.values;
    LongVector countMask = LongVector.fromArray(LONGS, one, LeafConstants.COUNT_MASK);
    LongVector hessianMask = LongVector.fromArray(LONGS, one, LeafConstants.FIELD);
    DoubleVector ridge =
        LongVector.fromArray(LONGS, one, LeafConstants.RIDGE_IN_FIELD).reinterpretAsDoubles();
    LongVector fewest1 = LongVector.fromArray(LONGS, one, LeafConstants.FEWEST);
    LongVector rows1 = LongVector.fromArray(LONGS, one, LeafConstants.ROW_SPAN);
    LongVector least1 = LongVector.fromArray(LONGS, one, LeafConstants.LEAST_IN_FIELD);
    LongVector steps1 = LongVector.fromArray(LONGS, one, LeafConstants.STEP_SPAN);
    DoubleVector both1 =
        LongVector.fromArray(LONGS, one, LeafConstants.BOTH).reinterpretAsDoubles();
    DoubleVector minus1 =
        LongVector.fromArray(LONGS, one, LeafConstants.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector numerator1 =
        LongVector.fromArray(LONGS, one, LeafConstants.LEAST_RATIO).reinterpretAsDoubles();
    DoubleVector denominator1 = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split1 = LongVector.broadcast(LONGS, -1);
    LongVector best1 = LongVector.zero(LONGS);
    LongVector sum1 = LongVector.fromArray(LONGS, bests[0].sum, 0);
    LongVector fewest2 = LongVector.fromArray(LONGS, other, LeafConstants.FEWEST);
    LongVector rows2 = LongVector.fromArray(LONGS, other, LeafConstants.ROW_SPAN);
    LongVector least2 = LongVector.fromArray(LONGS, other, LeafConstants.LEAST_IN_FIELD);
    LongVector steps2 = LongVector.fromArray(LONGS, other, LeafConstants.STEP_SPAN);
    DoubleVector both2 =
        LongVector.fromArray(LONGS, other, LeafConstants.BOTH).reinterpretAsDoubles();
    DoubleVector minus2 =
        LongVector.fromArray(LONGS, other, LeafConstants.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector numerator2 =
        LongVector.fromArray(LONGS, other, LeafConstants.LEAST_RATIO).reinterpretAsDoubles();
    DoubleVector denominator2 = DoubleVector.broadcast(DOUBLES, 1);
    LongVector split2 = LongVector.broadcast(LONGS, -1);
    LongVector best2 = LongVector.zero(LONGS);
    LongVector sum2 = LongVector.fromArray(LONGS, bests[1].sum, 0);
    LongVector number = LongVector.broadcast(LONGS, 2L * start);
    LongVector two = LongVector.fromArray(LONGS, one, LeafConstants.TWO);
    for (int bin = start; bin < end; bin++) {
      int at = from + bin * LANES;
      sum1 = sum1.add(LongVector.fromArray(LONGS, part, at));
      LongVector left1 = sum1.and(hessianMask);
      VectorMask<Long> allowed1 =
          sum1.and(countMask)
              .sub(fewest1)
              .compare(VectorOperators.ULE, rows1)
              .and(left1.sub(least1).compare(VectorOperators.ULE, steps1));
      LongVector slope1 = sum1.lanewise(VectorOperators.ASHR, gradientShift);
      DoubleVector gradient1 = (DoubleVector) slope1.convert(VectorOperators.L2D, 0);
      DoubleVector a1 = ((DoubleVector) left1.convert(VectorOperators.L2D, 0)).add(ridge);
      DoubleVector c1 = gradient1.fma(both1, minus1.mul(a1));
      DoubleVector square1 = c1.mul(c1);
      DoubleVector product1 = both1.sub(a1).mul(a1);
      VectorMask<Double> better1 =
          square1
              .mul(denominator1)
              .compare(VectorOperators.GT, numerator1.mul(product1), allowed1.cast(DOUBLES));
      numerator1 = numerator1.blend(square1, better1);
      denominator1 = denominator1.blend(product1, better1);
      split1 = split1.blend(number, better1.cast(LONGS));
      best1 = best1.blend(sum1, better1.cast(LONGS));
      sum2 = sum2.add(LongVector.fromArray(LONGS, rest, at));
      LongVector left2 = sum2.and(hessianMask);
      VectorMask<Long> allowed2 =
          sum2.and(countMask)
              .sub(fewest2)
              .compare(VectorOperators.ULE, rows2)
              .and(left2.sub(least2).compare(VectorOperators.ULE, steps2));
      LongVector slope2 = sum2.lanewise(VectorOperators.ASHR, gradientShift);
      DoubleVector gradient2 = (DoubleVector) slope2.convert(VectorOperators.L2D, 0);
      DoubleVector a2 = ((DoubleVector) left2.convert(VectorOperators.L2D, 0)).add(ridge);
      DoubleVector c2 = gradient2.fma(both2, minus2.mul(a2));
      DoubleVector square2 = c2.mul(c2);
      DoubleVector product2 = both2.sub(a2).mul(a2);
      VectorMask<Double> better2 =
          square2
              .mul(denominator2)
              .compare(VectorOperators.GT, numerator2.mul(product2), allowed2.cast(DOUBLES));
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
