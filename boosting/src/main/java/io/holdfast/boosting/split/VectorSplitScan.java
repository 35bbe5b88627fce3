package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.PackedBins;
import io.holdfast.boosting.split.ScanLeaf.Constant;
import io.holdfast.boosting.split.SplitScan.Result;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Four or eight lanes at once: finds what {@link SplitScan.Plain} finds, to the bit. */
final class VectorSplitScan implements SplitScan {
  /*
   * The loop holds vectors in local variables, has no branches and calls nothing of our own: only
   * then does the compiler keep vectors in registers. It uses nothing that 256 bits lack: whole
   * numbers come to doubles as the last digits of 2⁵² or 1.5 · 2⁵², and comparisons are signed.
   *
   * Where values are missing, each bin has two candidate splits, and what each of them adds to the
   * left side is written down first: then one loop serves all columns.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = PackedBins.LANES;

  /** Whether this machine has vectors of a size that divides a plane. */
  static boolean supported() {
    return LONGS.length() == LANES || LONGS.length() == LANES / 2;
  }

  @Override
  public void scan(long[] cells, int from, int bins, int width, ScanLeaf leaf, Result result) {
    if (!leaf.splittable()) {
      Arrays.fill(result.left, 0);
      return;
    }
    if (!leaf.exact) {
      SplitScan.FORM.plain().scan(cells, from, bins, width, leaf, result);
      return;
    }
    long missing = 0;
    for (int lane = 0; lane < width; lane++) {
      missing |= cells[from + bins * LANES + lane];
    }
    for (int lane = 0; lane < width; lane += LONGS.length()) {
      if (missing == 0) {
        int last = from + lane + (bins - 1) * LANES;
        int right = lacking(cells, last, -LANES, bins, leaf, result.skipped);
        int left = lacking(cells, from + lane, LANES, bins - right, leaf, result.skipped);
        int first = from + lane + left * LANES;
        scan(cells, first, bins - right - left, leaf, result, lane);
      } else {
        writeCandidates(cells, from + lane, bins, leaf, result.candidates, lane);
        Arrays.fill(result.skipped, 0);
        scan(result.candidates, lane, 2 * bins, leaf, result, lane);
      }
    }
  }

  /** Of each bin what goes left without the missing values, then with them. */
  private static void writeCandidates(
      long[] cells, int from, int bins, ScanLeaf leaf, long[] candidates, int lane) {
    LongVector countMask = LongVector.fromArray(LONGS, leaf.constants, Constant.COUNT_MASK);
    LongVector missing = LongVector.fromArray(LONGS, cells, from + bins * LANES);
    LongVector none = LongVector.zero(LONGS);
    LongVector present = none;
    LongVector added = none;
    for (int bin = 0; bin < bins; bin++) {
      LongVector cell = LongVector.fromArray(LONGS, cells, from + bin * LANES);
      cell.sub(added).intoArray(candidates, lane + 2 * bin * LANES);
      present = present.add(cell);
      // All missing against all present is tried as all present against all missing.
      added = missing.blend(none, present.and(countMask).compare(VectorOperators.EQ, none));
      added.intoArray(candidates, lane + (2 * bin + 1) * LANES);
    }
  }

  /** How many bins in that direction have, together, too few rows in all lanes; and their sums. */
  private static int lacking(
      long[] cells, int from, int step, int bins, ScanLeaf leaf, long[] sums) {
    LongVector countMask = LongVector.fromArray(LONGS, leaf.constants, Constant.COUNT_MASK);
    LongVector lessFewest = LongVector.fromArray(LONGS, leaf.constants, Constant.FEWEST);
    LongVector sum = LongVector.zero(LONGS);
    int bin = 0;
    for (; bin < bins; bin++) {
      LongVector next = sum.add(LongVector.fromArray(LONGS, cells, from + bin * step));
      LongVector over = next.and(countMask).add(lessFewest); // below 0 if they are enough
      if (!over.compare(VectorOperators.GT, 0).allTrue()) {
        break;
      }
      sum = next;
    }
    sum.intoArray(sums, 0);
    return bin;
  }

  /** Scans as many lanes as a vector has, from the skipped bins on. */
  @SuppressWarnings("MethodLength")
  private static void scan(
      long[] cells, int from, int count, ScanLeaf leaf, Result result, int lane) {
    long[] constants = leaf.constants;
    int gradientShift = leaf.gradientShift;
    LongVector countMask = LongVector.fromArray(LONGS, constants, Constant.COUNT_MASK);
    LongVector lessFewest = LongVector.fromArray(LONGS, constants, Constant.FEWEST);
    LongVector countSpan = LongVector.fromArray(LONGS, constants, Constant.COUNT_SPAN);
    LongVector hessianMask = LongVector.fromArray(LONGS, constants, Constant.HESSIAN_MASK);
    LongVector lessLeast = LongVector.fromArray(LONGS, constants, Constant.LEAST_HESSIAN);
    LongVector hessianSpan = LongVector.fromArray(LONGS, constants, Constant.HESSIAN_SPAN);
    LongVector whole = LongVector.fromArray(LONGS, constants, Constant.WHOLE);
    LongVector gradientBits = LongVector.fromArray(LONGS, constants, Constant.GRADIENT_BITS);
    DoubleVector signed =
        LongVector.fromArray(LONGS, constants, Constant.SIGNED).reinterpretAsDoubles();
    DoubleVector lessRidge =
        LongVector.fromArray(LONGS, constants, Constant.LESS_RIDGE).reinterpretAsDoubles();
    DoubleVector both =
        LongVector.fromArray(LONGS, constants, Constant.BOTH).reinterpretAsDoubles();
    DoubleVector minusGradient =
        LongVector.fromArray(LONGS, constants, Constant.MINUS_GRADIENT).reinterpretAsDoubles();
    DoubleVector numerator =
        LongVector.fromArray(LONGS, constants, Constant.LEAST_RATIO).reinterpretAsDoubles();
    DoubleVector denominator = DoubleVector.broadcast(DOUBLES, 1);
    LongVector best = LongVector.broadcast(LONGS, ScanLeaf.BIAS);
    LongVector sum = LongVector.fromArray(LONGS, result.skipped, 0).add(ScanLeaf.BIAS);
    int end = from + count * LANES;
    for (int at = from;
        at != end;
        at += LANES) { // not "<": it would be unrolled, and registers run out
      sum = sum.add(LongVector.fromArray(LONGS, cells, at));
      LongVector field = sum.and(hessianMask);
      VectorMask<Long> allowed =
          sum.and(countMask)
              .add(lessFewest)
              .compare(VectorOperators.LE, countSpan)
              .and(field.add(lessLeast).compare(VectorOperators.LE, hessianSpan));
      DoubleVector a = field.or(whole).reinterpretAsDoubles().sub(lessRidge);
      DoubleVector gradient =
          sum.lanewise(VectorOperators.LSHR, gradientShift)
              .add(gradientBits)
              .reinterpretAsDoubles()
              .sub(signed);
      DoubleVector c = gradient.fma(both, minusGradient.mul(a));
      DoubleVector square = c.mul(c);
      DoubleVector product = both.sub(a).mul(a);
      VectorMask<Double> better =
          square
              .mul(denominator)
              .compare(VectorOperators.GT, numerator.mul(product), allowed.cast(DOUBLES));
      numerator = numerator.blend(square, better);
      denominator = denominator.blend(product, better);
      best = best.blend(sum, better.cast(LONGS));
    }
    best.lanewise(VectorOperators.XOR, ScanLeaf.BIAS).intoArray(result.left, lane);
  }
}
