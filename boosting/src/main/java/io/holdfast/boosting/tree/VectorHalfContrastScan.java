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
 * In vectors of 256 bits. To be used only where the module {@code jdk.incubator.vector} is there:
 * {@link ContrastScans} sees to it.
 */
final class VectorHalfContrastScan implements ContrastScan {
  /*
   * Numbers come to doubles as in VectorHalfPlaneScan, and the loop is as plain, for its reasons.
   * Written with L, B and R of ContrastBound by themselves, and with a look at what cancels for each
   * split, it took twice the time.
   *
   * Splits that leave too few rows, or too little hessian, in all lanes are gone over as
   * VectorHalfPlaneScan does. In leaves of few rows they are most: of 60 rows, 20 of which each side
   * is to have, two thirds.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_256;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_256;
  private static final int HALF = GroupContrasts.HALF;
  private static final int LANES = PackedRows.LANES;
  private static final int COLUMNS = 4;

  private VectorHalfContrastScan() {}

  /** One, if this machine has vectors of that size. */
  static List<ContrastScan> supported() {
    return LongVector.SPECIES_PREFERRED.length() >= COLUMNS
        ? List.of(new VectorHalfContrastScan())
        : List.of();
  }

  @Override
  public int columns() {
    return COLUMNS;
  }

  @Override
  public void most(
      long[] cells,
      PlaneScan.Plane plane,
      int further,
      LeafScan leaf,
      ContrastBound bound,
      double[] target) {
    PlaneBests reached = bound.reached;
    int from = plane.from();
    int bins = plane.bins();
    reached.lanes = plane.width();
    Arrays.fill(reached.next, LeafConstants.BIAS);
    int last = from + (bins - 1) * LANES;
    int right = VectorHalfPlaneScan.reach(cells, last, -LANES, bins, leaf, 1, reached);
    Arrays.fill(reached.next, LeafConstants.BIAS);
    int start = VectorHalfPlaneScan.reach(cells, from, LANES, bins, leaf, 1, reached);
    addUp(cells, from + further, start, reached.sum);
    scan(cells, from + start * LANES, further, bins - 1 - right - start, leaf, bound);
    bound.read(target);
  }

  private static void addUp(long[] cells, int from, int bins, long[] target) {
    LongVector sum = LongVector.zero(LONGS);
    for (int bin = 0; bin < bins; bin++) {
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
    }
    sum.intoArray(target, 0);
  }

  /** Scans bins, from the sums that were reached before them. */
  @SuppressWarnings("MethodLength")
  private static void scan(
      long[] cells, int from, int further, int bins, LeafScan leaf, ContrastBound bound) {
    long[] constants = leaf.constants.values;
    double[] values = bound.values;
    int gradientShift = leaf.gradientShift;
    LongVector countMask = LongVector.fromArray(LONGS, constants, LeafConstants.COUNT_MASK);
    LongVector hessianMask = LongVector.fromArray(LONGS, constants, LeafConstants.FIELD);
    LongVector fewest = LongVector.fromArray(LONGS, constants, LeafConstants.FEWEST);
    LongVector mostRows = LongVector.fromArray(LONGS, constants, LeafConstants.MOST);
    LongVector leastHessian = LongVector.fromArray(LONGS, constants, LeafConstants.LEAST_IN_FIELD);
    LongVector mostHessian = LongVector.fromArray(LONGS, constants, LeafConstants.MOST_IN_FIELD);
    LongVector whole = LongVector.fromArray(LONGS, constants, LeafConstants.WHOLE_BITS);
    LongVector signed = LongVector.fromArray(LONGS, constants, LeafConstants.SIGNED_BITS);
    LongVector low = LongVector.fromArray(LONGS, constants, LeafConstants.LOW_HALF);
    DoubleVector middle = whole.reinterpretAsDoubles();
    DoubleVector sign =
        LongVector.fromArray(LONGS, constants, LeafConstants.SIGN).reinterpretAsDoubles();
    DoubleVector ridge =
        LongVector.fromArray(LONGS, constants, LeafConstants.RIDGE).reinterpretAsDoubles();
    DoubleVector minusGradient =
        LongVector.fromArray(LONGS, constants, LeafConstants.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector none =
        LongVector.fromArray(LONGS, constants, LeafConstants.NONE).reinterpretAsDoubles();
    DoubleVector mean = DoubleVector.fromArray(DOUBLES, values, ContrastBound.MINUS_MEAN);
    DoubleVector mean2 = DoubleVector.fromArray(DOUBLES, values, ContrastBound.MINUS_SECOND_MEAN);
    DoubleVector slope = DoubleVector.fromArray(DOUBLES, values, ContrastBound.MINUS_SLOPE);
    DoubleVector unit = DoubleVector.fromArray(DOUBLES, values, ContrastBound.UNIT);
    DoubleVector share = DoubleVector.fromArray(DOUBLES, values, ContrastBound.SHARE);
    DoubleVector share1 = DoubleVector.fromArray(DOUBLES, values, ContrastBound.FIRST_SHARE);
    DoubleVector share2 = DoubleVector.fromArray(DOUBLES, values, ContrastBound.SECOND_SHARE);
    DoubleVector pull = DoubleVector.fromArray(DOUBLES, values, ContrastBound.PULL);
    DoubleVector pull1 = DoubleVector.fromArray(DOUBLES, values, ContrastBound.FIRST_PULL);
    DoubleVector pull2 = DoubleVector.fromArray(DOUBLES, values, ContrastBound.SECOND_PULL);
    DoubleVector curvature = DoubleVector.fromArray(DOUBLES, values, ContrastBound.CURVATURE);
    DoubleVector less = DoubleVector.fromArray(DOUBLES, values, ContrastBound.LESS_CURVATURE);
    LongVector nothing = LongVector.zero(LONGS);
    DoubleVector numerator = none;
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    LongVector doubtful = nothing;
    LongVector contrast = LongVector.fromArray(LONGS, bound.reached.sum, 0);
    LongVector sum = LongVector.fromArray(LONGS, bound.reached.next, 0);
    for (int bin = 0; bin < bins; bin++) {
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
      contrast = contrast.add(LongVector.fromArray(LONGS, cells, from + bin * LANES + further));
      LongVector count = sum.and(countMask);
      LongVector steps = sum.and(hessianMask);
      LongVector refusal =
          count
              .sub(fewest)
              .or(mostRows.sub(count))
              .or(steps.sub(leastHessian))
              .or(mostHessian.sub(steps)); // below 0
      DoubleVector hessian = steps.or(whole).reinterpretAsDoubles().sub(middle);
      DoubleVector gradient =
          sum.lanewise(VectorOperators.LSHR, gradientShift)
              .add(signed)
              .reinterpretAsDoubles()
              .sub(sign);
      DoubleVector along =
          hessian.fma(mean, contrast.and(low).or(whole).reinterpretAsDoubles().sub(middle));
      DoubleVector second =
          along.fma(
              slope,
              hessian.fma(
                  mean2,
                  contrast
                      .lanewise(VectorOperators.LSHR, HALF)
                      .or(whole)
                      .reinterpretAsDoubles()
                      .sub(middle)));
      DoubleVector own = hessian.fma(unit, ridge);
      own = share.mul(hessian).fma(hessian, own);
      own = share1.mul(along).fma(along, own);
      own = share2.mul(second).fma(second, own);
      DoubleVector all = pull2.fma(second, pull1.fma(along, pull.fma(hessian, ridge)));
      DoubleVector determinant = less.mul(own).sub(all.mul(all));
      DoubleVector across = gradient.fma(curvature, minusGradient.mul(all));
      VectorMask<Double> refused = refusal.compare(VectorOperators.LT, nothing).cast(DOUBLES);
      DoubleVector square = across.mul(across).blend(none, refused);
      VectorMask<Double> better =
          square.mul(denominator).compare(VectorOperators.GT, numerator.mul(determinant));
      numerator = numerator.blend(square, better);
      denominator = denominator.blend(determinant, better);
      doubtful = doubtful.or(determinant.reinterpretAsLongs().and(refusal.not()));
    }
    numerator.intoArray(bound.numerator, 0);
    denominator.intoArray(bound.denominator, 0);
    doubtful.intoArray(bound.doubtful, 0);
  }
}
