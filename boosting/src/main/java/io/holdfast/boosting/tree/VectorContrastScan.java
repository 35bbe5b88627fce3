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
 * jdk.incubator.vector} is there: {@link ContrastScans} sees to it.
 */
final class VectorContrastScan implements ContrastScan {
  /*
   * What VectorHalfContrastScan does, where whole numbers come to doubles by an instruction and a
   * difference is compared as if it had no sign. The loop is as plain as VectorPlaneScan's, for its
   * reason.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final int HALF = GroupContrasts.HALF;
  private static final int LANES = PackedRows.LANES;
  private static final int STRIDE = 4; // bins that are looked at together for their rows

  private VectorContrastScan() {}

  /** One, if this machine has vectors of that size. */
  static List<ContrastScan> supported() {
    return LongVector.SPECIES_PREFERRED.length() >= LANES
        ? List.of(new VectorContrastScan())
        : List.of();
  }

  @Override
  public int columns() {
    return LANES;
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
    int right = reach(cells, from + (bins - 1) * LANES, -LANES, bins, leaf, reached);
    int start = reach(cells, from, LANES, bins, leaf, reached);
    addUp(cells, from + further, start, reached.sum);
    scan(cells, from + start * LANES, further, bins - 1 - right - start, leaf, bound);
    bound.read(target);
  }

  /**
   * Adds bins up while they are too little for a side in all lanes; returns how many there are.
   *
   * @param step from a bin to the next one
   */
  private static int reach(
      long[] cells, int from, int step, int bins, LeafScan leaf, PlaneBests reached) {
    LongVector countMask = LongVector.broadcast(LONGS, leaf.countMask);
    LongVector hessianMask = LongVector.broadcast(LONGS, leaf.hessianMask << leaf.hessianShift);
    LongVector fewest = LongVector.broadcast(LONGS, leaf.fewest);
    LongVector least = LongVector.broadcast(LONGS, leaf.leastHessian << leaf.hessianShift);
    LongVector sum = LongVector.zero(LONGS);
    long every = (1L << reached.lanes) - 1;
    int bin = 0;
    for (; bin + STRIDE <= bins; bin += STRIDE) {
      int at = from + bin * step;
      LongVector two = LongVector.fromArray(LONGS, cells, at);
      two = two.add(LongVector.fromArray(LONGS, cells, at + step));
      LongVector next = sum.add(LongVector.fromArray(LONGS, cells, at + 2 * step));
      next = next.add(LongVector.fromArray(LONGS, cells, at + 3 * step)).add(two);
      long enough =
          next.and(countMask).compare(VectorOperators.GE, fewest).toLong()
              & next.and(hessianMask).compare(VectorOperators.GE, least).toLong();
      if ((enough & every) != 0) {
        break;
      }
      sum = next;
    }
    sum.intoArray(reached.next, 0);
    return bin;
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
    double[] values = bound.values;
    int gradientShift = leaf.gradientShift;
    int hessianShift = leaf.hessianShift;
    LongVector countMask = LongVector.broadcast(LONGS, leaf.countMask);
    LongVector hessianMask = LongVector.broadcast(LONGS, leaf.hessianMask << hessianShift);
    LongVector fewest = LongVector.broadcast(LONGS, leaf.fewest);
    LongVector rowSpan = LongVector.broadcast(LONGS, leaf.rowSpan);
    LongVector leastHessian = LongVector.broadcast(LONGS, leaf.leastHessian << hessianShift);
    LongVector hessianSpan = LongVector.broadcast(LONGS, leaf.hessianSpan << hessianShift);
    LongVector low = LongVector.broadcast(LONGS, (1L << HALF) - 1);
    DoubleVector ridge = DoubleVector.broadcast(DOUBLES, leaf.ridge);
    DoubleVector minusGradient = DoubleVector.broadcast(DOUBLES, -leaf.gradient);
    DoubleVector none = DoubleVector.broadcast(DOUBLES, Double.NEGATIVE_INFINITY);
    DoubleVector mean = DoubleVector.broadcast(DOUBLES, values[ContrastBound.MINUS_MEAN]);
    DoubleVector mean2 = DoubleVector.broadcast(DOUBLES, values[ContrastBound.MINUS_SECOND_MEAN]);
    DoubleVector slope = DoubleVector.broadcast(DOUBLES, values[ContrastBound.MINUS_SLOPE]);
    DoubleVector unit = DoubleVector.broadcast(DOUBLES, values[ContrastBound.UNIT]);
    DoubleVector share = DoubleVector.broadcast(DOUBLES, values[ContrastBound.SHARE]);
    DoubleVector share1 = DoubleVector.broadcast(DOUBLES, values[ContrastBound.FIRST_SHARE]);
    DoubleVector share2 = DoubleVector.broadcast(DOUBLES, values[ContrastBound.SECOND_SHARE]);
    DoubleVector pull = DoubleVector.broadcast(DOUBLES, values[ContrastBound.PULL]);
    DoubleVector pull1 = DoubleVector.broadcast(DOUBLES, values[ContrastBound.FIRST_PULL]);
    DoubleVector pull2 = DoubleVector.broadcast(DOUBLES, values[ContrastBound.SECOND_PULL]);
    DoubleVector curvature = DoubleVector.broadcast(DOUBLES, values[ContrastBound.CURVATURE]);
    DoubleVector less = DoubleVector.broadcast(DOUBLES, values[ContrastBound.LESS_CURVATURE]);
    DoubleVector numerator = none;
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    DoubleVector otherNumerator = numerator; // of every other bin
    DoubleVector otherDenominator = denominator;
    LongVector doubtful = LongVector.zero(LONGS);
    LongVector contrast = LongVector.fromArray(LONGS, bound.reached.sum, 0);
    LongVector sum = LongVector.fromArray(LONGS, bound.reached.next, 0);
    for (int bin = 0; bin < bins; bin++) {
      sum = sum.add(LongVector.fromArray(LONGS, cells, from + bin * LANES));
      contrast = contrast.add(LongVector.fromArray(LONGS, cells, from + bin * LANES + further));
      LongVector steps = sum.and(hessianMask);
      VectorMask<Long> allowed =
          sum.and(countMask)
              .sub(fewest)
              .compare(VectorOperators.ULE, rowSpan)
              .and(steps.sub(leastHessian).compare(VectorOperators.ULE, hessianSpan));
      DoubleVector hessian = (DoubleVector) steps.convert(VectorOperators.L2D, 0);
      DoubleVector gradient =
          (DoubleVector)
              sum.lanewise(VectorOperators.ASHR, gradientShift).convert(VectorOperators.L2D, 0);
      DoubleVector along =
          hessian.fma(mean, (DoubleVector) contrast.and(low).convert(VectorOperators.L2D, 0));
      DoubleVector second =
          along.fma(
              slope,
              hessian.fma(
                  mean2,
                  (DoubleVector)
                      contrast
                          .lanewise(VectorOperators.LSHR, HALF)
                          .convert(VectorOperators.L2D, 0)));
      DoubleVector own = hessian.fma(share.fma(hessian, unit), ridge);
      own = share1.mul(along).fma(along, own);
      own = share2.mul(second).fma(second, own);
      DoubleVector all = pull2.fma(second, pull1.fma(along, pull.fma(hessian, ridge)));
      DoubleVector determinant = less.mul(own).sub(all.mul(all));
      DoubleVector across = gradient.fma(curvature, minusGradient.mul(all));
      DoubleVector square = none.blend(across.mul(across), allowed.cast(DOUBLES));
      VectorMask<Double> better =
          square.mul(denominator).compare(VectorOperators.GT, numerator.mul(determinant));
      DoubleVector newer = numerator.blend(square, better);
      DoubleVector below = denominator.blend(determinant, better);
      numerator = otherNumerator;
      denominator = otherDenominator;
      otherNumerator = newer;
      otherDenominator = below;
      doubtful = doubtful.lanewise(VectorOperators.OR, determinant.reinterpretAsLongs(), allowed);
    }
    VectorMask<Double> other =
        otherNumerator
            .mul(denominator)
            .compare(VectorOperators.GT, numerator.mul(otherDenominator));
    numerator.blend(otherNumerator, other).intoArray(bound.numerator, 0);
    denominator.blend(otherDenominator, other).intoArray(bound.denominator, 0);
    doubtful.intoArray(bound.doubtful, 0);
  }
}
