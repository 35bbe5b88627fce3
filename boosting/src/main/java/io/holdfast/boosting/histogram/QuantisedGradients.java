package io.holdfast.boosting.histogram;

import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Gradient, hessian and count of each row of a tree in one long. Owned by the growing thread. */
public final class QuantisedGradients {
  /*
   * The gradient field has to hold the sums of the positive and of the negative gradients, the
   * hessian field the sum of all. These sums are taken in fixed point first, so that the units do not
   * depend on the order of the rows either. Gradient and hessian get half each of the bits that the
   * count leaves, but no more than let the split scan multiply them exactly in doubles.
   *
   * A row has few bits where rows are many. While a mean gradient is FINE units or more, each is
   * rounded to the nearest, with an error below 1% of that. Where it is fewer, the nearest would make
   * all small ones 0: there rounding is stochastic, by a hash of the row's number. Sums are then right
   * on average: with a mean of LEAST units the variance of a sum grows by a sixth at most.
   */
  static final int EXACT_BITS = 53; // of a product
  private static final double FINE = 64; // units of a mean gradient; of a mean hessian half of it
  private static final double LEAST = 1;
  private static final long INFINITE = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);

  /** Of each row; meaningful for those that were taken. */
  public final long[] cells;

  private final int rows;
  private final Buffers buffers;
  private final Workers workers;
  private double[] sampledGradients = {};
  private double[] sampledHessians = {};
  private long[] sampledCells = {};
  private long total;

  private FixedPoint gradientSteps = FixedPoint.of(0, 0);
  private FixedPoint hessianSteps = FixedPoint.of(0, 0);
  private double largestGradient;
  private double leastHessian;
  private double largestHessian;
  private double largestSum; // of the positive or of the negative gradients
  private double magnitudes;
  private double hessianSum;

  public QuantisedGradients(int rows, Buffers buffers, Workers workers) {
    this.workers = workers;
    this.rows = rows;
    this.buffers = buffers;
    cells = buffers.longs(rows);
  }

  /** The sum of the cells of the rows that were taken last. */
  public long total() {
    return total;
  }

  /** Takes the derivatives of these rows, if they can be packed well enough; else returns null. */
  public @Nullable CellLayout take(double[] gradients, double[] hessians, RowSample sample) {
    int size = sample.size();
    if (size == rows) {
      return take(gradients, hessians, sample, cells);
    }
    // Copied side by side, for loops without indirection.
    if (sampledCells.length < size) {
      sampledGradients = buffers.doubles(size);
      sampledHessians = buffers.doubles(size);
      sampledCells = buffers.longs(size);
    }
    for (int k = 0; k < size; k++) {
      sampledGradients[k] = gradients[sample.rows()[k]];
      sampledHessians[k] = hessians[sample.rows()[k]];
    }
    CellLayout layout = take(sampledGradients, sampledHessians, sample, sampledCells);
    for (int k = 0; k < size; k++) {
      cells[sample.rows()[k]] = sampledCells[k];
    }
    return layout;
  }

  /** As above; entry k of the arrays belongs to row k of the sample. */
  private @Nullable CellLayout take(
      double[] gradients, double[] hessians, RowSample sample, long[] target) {
    int size = sample.size();
    if (!measure(gradients, hessians, size)) {
      return null;
    }
    int countBits = Long.SIZE - Long.numberOfLeadingZeros(size);
    if (leastHessian == largestHessian) {
      // So many bits that there is no need to know the sum.
      int bits = Math.min(Long.SIZE - countBits - 1, EXACT_BITS - countBits);
      gradientSteps = steps(largestGradient * size, bits, 0.5 * size);
      double unit = gradientSteps.unit;
      total = addUp(size, (from, to) -> pack(gradients, from, to, unit, countBits, target));
      return new CellLayout(countBits, 0, gradientSteps.unit, largestHessian);
    }
    sum(gradients, hessians, size);
    int hessianBits = (Long.SIZE - countBits) / 2;
    int gradientBits = Long.SIZE - countBits - hessianBits - 1; // and a sign
    gradientBits = Math.min(gradientBits, EXACT_BITS - hessianBits);
    gradientSteps = steps(largestSum, gradientBits, 0.5 * size);
    hessianSteps = steps(hessianSum, hessianBits, 0.5 * size);
    boolean fine = mean(FINE, size);
    if (!fine) {
      gradientSteps = steps(largestSum, gradientBits, size);
      hessianSteps = steps(hessianSum, hessianBits, size);
      if (!mean(LEAST, size)) {
        return null;
      }
    }
    var layout = new CellLayout(countBits, hessianBits, gradientSteps.unit, hessianSteps.unit);
    int[] drawn = sample.rows();
    Packing nearest = (from, to) -> pack(gradients, hessians, from, to, layout, target);
    Packing byDraw = (from, to) -> packByDraw(gradients, hessians, drawn, from, to, layout, target);
    total = addUp(size, fine ? nearest : byDraw);
    return layout;
  }

  /** Packs rows of a stretch; returns the sum of their cells. */
  private interface Packing {
    long pack(int from, int to);
  }

  private long addUp(int size, Packing packing) {
    var sum = new LongAdder();
    workers.rows(0, size, (worker, from, to) -> sum.add(packing.pack(from, to)));
    return sum.sum();
  }

  /** Whether a mean gradient is that many units at least, and a mean hessian half of it. */
  private boolean mean(double units, int size) {
    return magnitudes >= units * size * gradientSteps.unit
        && hessianSum >= 0.5 * units * size * hessianSteps.unit;
  }

  /** Finds the ranges; returns whether all is finite, and no hessian negative. */
  private boolean measure(double[] gradients, double[] hessians, int size) {
    // As bits: they are in the order of the numbers, and what is not finite is above all that is.
    var largestSteps = new LongAccumulator(Math::max, 0);
    var leastHessians = new LongAccumulator(Math::min, Long.MAX_VALUE);
    var mostHessians = new LongAccumulator(Math::max, 0);
    workers.rows(
        0,
        size,
        (worker, from, to) -> {
          long largest = 0;
          long low = Long.MAX_VALUE;
          long high = 0;
          for (int k = from; k < to; k++) {
            long g = Double.doubleToRawLongBits(gradients[k]) & Long.MAX_VALUE; // its magnitude
            long h = Double.doubleToRawLongBits(hessians[k] + 0.0); // which makes 0 of −0
            largest = Math.max(largest, g);
            high = Math.max(high, h);
            low = Math.min(low, h);
          }
          largestSteps.accumulate(largest);
          leastHessians.accumulate(low);
          mostHessians.accumulate(high);
        });
    long gradient = largestSteps.get();
    long least = leastHessians.get();
    long most = mostHessians.get();
    if (gradient >= INFINITE || most >= INFINITE || least < 0 || most == 0) {
      return false;
    }
    largestGradient = Double.longBitsToDouble(gradient);
    leastHessian = Double.longBitsToDouble(least);
    largestHessian = Double.longBitsToDouble(most);
    gradientSteps = FixedPoint.ofFew(largestGradient, size);
    hessianSteps = FixedPoint.ofFew(largestHessian, size);
    return gradientSteps.usable() && hessianSteps.usable();
  }

  private void sum(double[] gradients, double[] hessians, int size) {
    var sums = new LongAdder();
    var allMagnitudes = new LongAdder();
    var allHessians = new LongAdder();
    double gradientScale = 1 / gradientSteps.unit;
    double hessianScale = 1 / hessianSteps.unit;
    workers.rows(
        0,
        size,
        (worker, from, to) -> {
          long steps = 0;
          long absolute = 0;
          long curvature = 0;
          for (int k = from; k < to; k++) {
            long step = FixedPoint.steps(gradients[k], gradientScale);
            steps += step;
            absolute += Math.abs(step);
            curvature += FixedPoint.steps(hessians[k], hessianScale);
          }
          sums.add(steps);
          allMagnitudes.add(absolute);
          allHessians.add(curvature);
        });
    long rounded = size; // at most a step a row
    long magnitude = allMagnitudes.sum();
    largestSum = 0.5 * (magnitude + Math.abs(sums.sum()) + rounded) * gradientSteps.unit;
    magnitudes = magnitude * gradientSteps.unit;
    hessianSum = (allHessians.sum() + rounded) * hessianSteps.unit;
  }

  /** The finest in which {@code sum} and {@code slack} units for rounding fit into these bits. */
  private static FixedPoint steps(double sum, int bits, double slack) {
    return FixedPoint.ofSum(sum, Math.max(1, Math.scalb(1.0, bits) - 1 - slack));
  }

  private static long pack(
      double[] gradients, int from, int to, double unit, int countBits, long[] target) {
    double scale = 1 / unit;
    for (int k = from; k < to; k++) {
      target[k] = (FixedPoint.steps(gradients[k], scale) << countBits) + 1;
    }
    return sum(target, from, to);
  }

  private static long pack(
      double[] gradients, double[] hessians, int from, int to, CellLayout layout, long[] target) {
    int gradientShift = layout.gradientShift();
    int hessianShift = layout.hessianShift();
    double gradientScale = 1 / layout.gradientUnit();
    double hessianScale = 1 / layout.hessianUnit();
    for (int k = from; k < to; k++) {
      target[k] =
          (FixedPoint.steps(gradients[k], gradientScale) << gradientShift)
              + (FixedPoint.steps(hessians[k], hessianScale) << hessianShift)
              + 1;
    }
    return sum(target, from, to);
  }

  /** Apart from the loops that write: the compiler vectorises each, but not both in one. */
  private static long sum(long[] values, int from, int to) {
    long sum = 0;
    for (int k = from; k < to; k++) {
      sum += values[k];
    }
    return sum;
  }

  private static long packByDraw(
      double[] gradients,
      double[] hessians,
      int[] rows,
      int from,
      int to,
      CellLayout layout,
      long[] target) {
    int gradientShift = layout.gradientShift();
    int hessianShift = layout.hessianShift();
    double gradientScale = 1 / layout.gradientUnit();
    double hessianScale = 1 / layout.hessianUnit();
    long sum = 0;
    for (int k = from; k < to; k++) {
      int draw = draw(rows[k]);
      long gradient = FixedPoint.steps(gradients[k], gradientScale, centred(draw >>> 16));
      long hessian = FixedPoint.steps(hessians[k], hessianScale, centred(draw & 0xFFFF));
      long cell = (gradient << gradientShift) + (hessian << hessianShift) + 1;
      target[k] = cell;
      sum += cell;
    }
    return sum;
  }

  /** Between −½ and ½, both excluded: whole numbers stay as they are. */
  private static double centred(int bits) {
    return (bits - 32767.5) * 0x1p-16;
  }

  /** A hash of the row: the finaliser of MurmurHash3. */
  private static int draw(int row) {
    int mixed = (row + 1) * 0x9E3779B1;
    mixed = (mixed ^ (mixed >>> 16)) * 0x85EBCA6B;
    mixed = (mixed ^ (mixed >>> 13)) * 0xC2B2AE35;
    return mixed ^ (mixed >>> 16);
  }
}
