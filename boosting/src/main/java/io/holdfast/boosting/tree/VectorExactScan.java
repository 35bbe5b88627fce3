package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link VectorHalfPlaneScan} for leaves whose sums are whole numbers, none of them
 * rounded.
 */
final class VectorExactScan {
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_256;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_256;
  private static final int LANES = PackedRows.LANES;

  private VectorExactScan() {}

  /**
   * Scans bins which leave enough on both sides, in all lanes, where no sum is rounded.
   *
   * @param end such that the bins are even in number
   */
  /*
   * Two bins at a time, since the compiler goes on to unroll the loop over one, to four, which is more
   * than registers hold: 1.1 ns a cell for 0.8.
   */
  @SuppressWarnings("MethodLength")
  static void scanAll(
      long[] cells, int from, int start, int end, LeafScan leaf, PlaneBests bests, int lane) {
    long[] constants = leaf.constants.values;
    int gradientShift = leaf.gradientShift;
    LongVector hessianMask = LongVector.fromArray(LONGS, constants, LeafConstants.FIELD);
    LongVector whole = LongVector.fromArray(LONGS, constants, LeafConstants.WHOLE_BITS);
    LongVector signed = LongVector.fromArray(LONGS, constants, LeafConstants.SIGNED_BITS);
    DoubleVector less =
        LongVector.fromArray(LONGS, constants, LeafConstants.BELOW_LEFT).reinterpretAsDoubles();
    DoubleVector more =
        LongVector.fromArray(LONGS, constants, LeafConstants.ABOVE_RIGHT).reinterpretAsDoubles();
    DoubleVector middle =
        LongVector.fromArray(LONGS, constants, LeafConstants.SIGN).reinterpretAsDoubles();
    DoubleVector both =
        LongVector.fromArray(LONGS, constants, LeafConstants.BOTH).reinterpretAsDoubles();
    DoubleVector gradients =
        LongVector.fromArray(LONGS, constants, LeafConstants.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector numerator = DoubleVector.fromArray(DOUBLES, bests.numerator, lane);
    DoubleVector denominator = DoubleVector.fromArray(DOUBLES, bests.denominator, lane);
    LongVector split = LongVector.fromArray(LONGS, bests.split, lane);
    LongVector best = LongVector.fromArray(LONGS, bests.left, lane);
    LongVector number = LongVector.broadcast(LONGS, 2L * start);
    LongVector two = LongVector.broadcast(LONGS, 2);
    LongVector sum = LongVector.fromArray(LONGS, bests.sum, 0);
    for (int bin = start; bin < end; bin += 2) {
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
      DoubleVector hessian1 = sum.and(hessianMask).or(whole).reinterpretAsDoubles();
      DoubleVector gradient1 =
          sum.lanewise(VectorOperators.LSHR, gradientShift)
              .add(signed)
              .reinterpretAsDoubles()
              .sub(middle);
      DoubleVector a1 = hessian1.sub(less);
      DoubleVector b1 = more.sub(hessian1);
      DoubleVector c1 = gradient1.fma(both, gradients.mul(a1));
      DoubleVector square1 = c1.mul(c1);
      DoubleVector product1 = a1.mul(b1);
      VectorMask<Double> better1 =
          square1.mul(denominator).compare(VectorOperators.GT, numerator.mul(product1));
      numerator = numerator.blend(square1, better1);
      denominator = denominator.blend(product1, better1);
      split = split.blend(number, better1.cast(LONGS));
      best = best.blend(sum, better1.cast(LONGS));
      number = number.add(two);
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES + LANES));
      DoubleVector hessian2 = sum.and(hessianMask).or(whole).reinterpretAsDoubles();
      DoubleVector gradient2 =
          sum.lanewise(VectorOperators.LSHR, gradientShift)
              .add(signed)
              .reinterpretAsDoubles()
              .sub(middle);
      DoubleVector a2 = hessian2.sub(less);
      DoubleVector b2 = more.sub(hessian2);
      DoubleVector c2 = gradient2.fma(both, gradients.mul(a2));
      DoubleVector square2 = c2.mul(c2);
      DoubleVector product2 = a2.mul(b2);
      VectorMask<Double> better2 =
          square2.mul(denominator).compare(VectorOperators.GT, numerator.mul(product2));
      numerator = numerator.blend(square2, better2);
      denominator = denominator.blend(product2, better2);
      split = split.blend(number, better2.cast(LONGS));
      best = best.blend(sum, better2.cast(LONGS));
      number = number.add(two);
    }
    sum.intoArray(bests.sum, 0);
    numerator.intoArray(bests.numerator, lane);
    denominator.intoArray(bests.denominator, lane);
    split.intoArray(bests.split, lane);
    best.intoArray(bests.left, lane);
  }

  /**
   * Scans bins of which some lanes' may leave too few rows, where no sum is rounded and enough rows
   * are enough hessian.
   *
   * @param end such that the bins are even in number
   */
  @SuppressWarnings("MethodLength")
  static void scanCounted(
      long[] cells, int from, int start, int end, LeafScan leaf, PlaneBests bests, int lane) {
    long[] constants = leaf.constants.values;
    int gradientShift = leaf.gradientShift;
    LongVector countMask = LongVector.fromArray(LONGS, constants, LeafConstants.COUNT_MASK);
    LongVector lessFewest = LongVector.fromArray(LONGS, constants, LeafConstants.LESS_FEWEST);
    LongVector span = LongVector.fromArray(LONGS, constants, LeafConstants.SPAN);
    LongVector hessianMask = LongVector.fromArray(LONGS, constants, LeafConstants.FIELD);
    LongVector whole = LongVector.fromArray(LONGS, constants, LeafConstants.WHOLE_BITS);
    LongVector signed = LongVector.fromArray(LONGS, constants, LeafConstants.SIGNED_BITS);
    DoubleVector less =
        LongVector.fromArray(LONGS, constants, LeafConstants.BELOW_LEFT).reinterpretAsDoubles();
    DoubleVector more =
        LongVector.fromArray(LONGS, constants, LeafConstants.ABOVE_RIGHT).reinterpretAsDoubles();
    DoubleVector middle =
        LongVector.fromArray(LONGS, constants, LeafConstants.SIGN).reinterpretAsDoubles();
    DoubleVector both =
        LongVector.fromArray(LONGS, constants, LeafConstants.BOTH).reinterpretAsDoubles();
    DoubleVector gradients =
        LongVector.fromArray(LONGS, constants, LeafConstants.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector none =
        LongVector.fromArray(LONGS, constants, LeafConstants.NONE).reinterpretAsDoubles();
    DoubleVector numerator = DoubleVector.fromArray(DOUBLES, bests.numerator, lane);
    DoubleVector denominator = DoubleVector.fromArray(DOUBLES, bests.denominator, lane);
    LongVector split = LongVector.fromArray(LONGS, bests.split, lane);
    LongVector best = LongVector.fromArray(LONGS, bests.left, lane);
    LongVector number = LongVector.broadcast(LONGS, 2L * start);
    LongVector two = LongVector.broadcast(LONGS, 2);
    LongVector sum = LongVector.fromArray(LONGS, bests.sum, 0);
    for (int bin = start; bin < end; bin += 2) {
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
      VectorMask<Long> refused1 =
          sum.and(countMask).add(lessFewest).compare(VectorOperators.GT, span);
      DoubleVector hessian1 = sum.and(hessianMask).or(whole).reinterpretAsDoubles();
      DoubleVector gradient1 =
          sum.lanewise(VectorOperators.LSHR, gradientShift)
              .add(signed)
              .reinterpretAsDoubles()
              .sub(middle);
      DoubleVector a1 = hessian1.sub(less);
      DoubleVector b1 = more.sub(hessian1);
      DoubleVector c1 = gradient1.fma(both, gradients.mul(a1));
      DoubleVector square1 = c1.mul(c1).blend(none, refused1.cast(DOUBLES));
      DoubleVector product1 = a1.mul(b1);
      VectorMask<Double> better1 =
          square1.mul(denominator).compare(VectorOperators.GT, numerator.mul(product1));
      numerator = numerator.blend(square1, better1);
      denominator = denominator.blend(product1, better1);
      split = split.blend(number, better1.cast(LONGS));
      best = best.blend(sum, better1.cast(LONGS));
      number = number.add(two);
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES + LANES));
      VectorMask<Long> refused2 =
          sum.and(countMask).add(lessFewest).compare(VectorOperators.GT, span);
      DoubleVector hessian2 = sum.and(hessianMask).or(whole).reinterpretAsDoubles();
      DoubleVector gradient2 =
          sum.lanewise(VectorOperators.LSHR, gradientShift)
              .add(signed)
              .reinterpretAsDoubles()
              .sub(middle);
      DoubleVector a2 = hessian2.sub(less);
      DoubleVector b2 = more.sub(hessian2);
      DoubleVector c2 = gradient2.fma(both, gradients.mul(a2));
      DoubleVector square2 = c2.mul(c2).blend(none, refused2.cast(DOUBLES));
      DoubleVector product2 = a2.mul(b2);
      VectorMask<Double> better2 =
          square2.mul(denominator).compare(VectorOperators.GT, numerator.mul(product2));
      numerator = numerator.blend(square2, better2);
      denominator = denominator.blend(product2, better2);
      split = split.blend(number, better2.cast(LONGS));
      best = best.blend(sum, better2.cast(LONGS));
      number = number.add(two);
    }
    sum.intoArray(bests.sum, 0);
    numerator.intoArray(bests.numerator, lane);
    denominator.intoArray(bests.denominator, lane);
    split.intoArray(bests.split, lane);
    best.intoArray(bests.left, lane);
  }

  /**
   * Scans bins of which some lanes' may leave too little, where no sum is rounded.
   *
   * @param end such that the bins are even in number
   */
  @SuppressWarnings("MethodLength")
  static void scanLimited(
      long[] cells, int from, int start, int end, LeafScan leaf, PlaneBests bests, int lane) {
    long[] constants = leaf.constants.values;
    int gradientShift = leaf.gradientShift;
    LongVector countMask = LongVector.fromArray(LONGS, constants, LeafConstants.COUNT_MASK);
    LongVector lessFewest = LongVector.fromArray(LONGS, constants, LeafConstants.LESS_FEWEST);
    LongVector span = LongVector.fromArray(LONGS, constants, LeafConstants.SPAN);
    LongVector hessianMask = LongVector.fromArray(LONGS, constants, LeafConstants.FIELD);
    LongVector lessLeast = LongVector.fromArray(LONGS, constants, LeafConstants.LESS_LEAST);
    LongVector fieldSpan = LongVector.fromArray(LONGS, constants, LeafConstants.FIELD_SPAN);
    LongVector whole = LongVector.fromArray(LONGS, constants, LeafConstants.WHOLE_BITS);
    LongVector signed = LongVector.fromArray(LONGS, constants, LeafConstants.SIGNED_BITS);
    DoubleVector less =
        LongVector.fromArray(LONGS, constants, LeafConstants.BELOW_LEFT).reinterpretAsDoubles();
    DoubleVector more =
        LongVector.fromArray(LONGS, constants, LeafConstants.ABOVE_RIGHT).reinterpretAsDoubles();
    DoubleVector middle =
        LongVector.fromArray(LONGS, constants, LeafConstants.SIGN).reinterpretAsDoubles();
    DoubleVector both =
        LongVector.fromArray(LONGS, constants, LeafConstants.BOTH).reinterpretAsDoubles();
    DoubleVector gradients =
        LongVector.fromArray(LONGS, constants, LeafConstants.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector none =
        LongVector.fromArray(LONGS, constants, LeafConstants.NONE).reinterpretAsDoubles();
    DoubleVector numerator = DoubleVector.fromArray(DOUBLES, bests.numerator, lane);
    DoubleVector denominator = DoubleVector.fromArray(DOUBLES, bests.denominator, lane);
    LongVector split = LongVector.fromArray(LONGS, bests.split, lane);
    LongVector best = LongVector.fromArray(LONGS, bests.left, lane);
    LongVector number = LongVector.broadcast(LONGS, 2L * start);
    LongVector two = LongVector.broadcast(LONGS, 2);
    LongVector sum = LongVector.fromArray(LONGS, bests.sum, 0);
    for (int bin = start; bin < end; bin += 2) {
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
      LongVector field1 = sum.and(hessianMask);
      VectorMask<Long> refused1 =
          sum.and(countMask)
              .add(lessFewest)
              .compare(VectorOperators.GT, span)
              .or(field1.add(lessLeast).compare(VectorOperators.GT, fieldSpan));
      DoubleVector hessian1 = field1.or(whole).reinterpretAsDoubles();
      DoubleVector gradient1 =
          sum.lanewise(VectorOperators.LSHR, gradientShift)
              .add(signed)
              .reinterpretAsDoubles()
              .sub(middle);
      DoubleVector a1 = hessian1.sub(less);
      DoubleVector b1 = more.sub(hessian1);
      DoubleVector c1 = gradient1.fma(both, gradients.mul(a1));
      DoubleVector square1 = c1.mul(c1).blend(none, refused1.cast(DOUBLES));
      DoubleVector product1 = a1.mul(b1);
      VectorMask<Double> better1 =
          square1.mul(denominator).compare(VectorOperators.GT, numerator.mul(product1));
      numerator = numerator.blend(square1, better1);
      denominator = denominator.blend(product1, better1);
      split = split.blend(number, better1.cast(LONGS));
      best = best.blend(sum, better1.cast(LONGS));
      number = number.add(two);
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES + LANES));
      LongVector field2 = sum.and(hessianMask);
      VectorMask<Long> refused2 =
          sum.and(countMask)
              .add(lessFewest)
              .compare(VectorOperators.GT, span)
              .or(field2.add(lessLeast).compare(VectorOperators.GT, fieldSpan));
      DoubleVector hessian2 = field2.or(whole).reinterpretAsDoubles();
      DoubleVector gradient2 =
          sum.lanewise(VectorOperators.LSHR, gradientShift)
              .add(signed)
              .reinterpretAsDoubles()
              .sub(middle);
      DoubleVector a2 = hessian2.sub(less);
      DoubleVector b2 = more.sub(hessian2);
      DoubleVector c2 = gradient2.fma(both, gradients.mul(a2));
      DoubleVector square2 = c2.mul(c2).blend(none, refused2.cast(DOUBLES));
      DoubleVector product2 = a2.mul(b2);
      VectorMask<Double> better2 =
          square2.mul(denominator).compare(VectorOperators.GT, numerator.mul(product2));
      numerator = numerator.blend(square2, better2);
      denominator = denominator.blend(product2, better2);
      split = split.blend(number, better2.cast(LONGS));
      best = best.blend(sum, better2.cast(LONGS));
      number = number.add(two);
    }
    sum.intoArray(bests.sum, 0);
    numerator.intoArray(bests.numerator, lane);
    denominator.intoArray(bests.denominator, lane);
    split.intoArray(bests.split, lane);
    best.intoArray(bests.left, lane);
  }
}
