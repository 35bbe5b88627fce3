package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;

/**
 * How a categorical anchor couples the leaves of a tree: rows of one group pull on each other
 * wherever they are (docs/math.md, "Splits"). Immutable.
 */
public final class AnchorCoupling {
  private final int rows;
  private final int[] groupOf; // may be longer
  private final double[] groupWeights;
  private final double strength;
  private final int[] counts; // rows of each group

  /**
   * The coupling by these groups.
   *
   * @param groupOf each row's group, from 0 up to {@code groupWeights.length}
   * @param groupWeights sum of the weights of each group's rows; 0 for a group without rows
   * @param strength gamma − 1; 0 is no coupling, and splits are then the plain ones bit for bit
   */
  public AnchorCoupling(int[] groupOf, double[] groupWeights, double strength) {
    this(groupOf.clone(), groupOf.length, groupWeights.clone(), strength);
    for (int row = 0; row < rows; row++) {
      Check.that(
          groupOf[row] >= 0 && groupOf[row] < groupWeights.length,
          "the group of row %s must be 0 to %s: %s",
          row,
          groupWeights.length - 1,
          groupOf[row]);
      counts[groupOf[row]]++;
    }
  }

  /** Takes the arrays over. */
  private AnchorCoupling(int[] groupOf, int rows, double[] groupWeights, double strength) {
    Check.that(
        strength >= -1 && strength < Double.POSITIVE_INFINITY,
        "the strength of a coupling must be -1 or more and finite: %s",
        strength);
    this.rows = rows;
    this.groupOf = groupOf;
    this.groupWeights = groupWeights;
    this.strength = strength;
    counts = new int[groupWeights.length];
  }

  /** By the rows' environments, in arrays of {@code buffers} until these are recycled. */
  public static AnchorCoupling ofEnvironments(Rows rows, double strength, Buffers buffers) {
    int[] groupOf = buffers.ints(rows.size());
    double[] groupWeights = new double[rows.environments().size()];
    for (int row = 0; row < rows.size(); row++) {
      groupOf[row] = rows.environment(row);
      groupWeights[groupOf[row]] += rows.weight(row);
    }
    var coupling = new AnchorCoupling(groupOf, rows.size(), groupWeights, strength);
    for (int row = 0; row < rows.size(); row++) {
      coupling.counts[groupOf[row]]++;
    }
    return coupling;
  }

  public int rows() {
    return rows;
  }

  public int groups() {
    return groupWeights.length;
  }

  public int group(int row) {
    return groupOf[row];
  }

  public double strength() {
    return strength;
  }

  /**
   * Writes (gamma − 1)/n for each group, n being its weight; 0 for a group without rows.
   *
   * <p>Where gamma is above 1, a group's n is reduced as the number of its rows is in the sample:
   * that estimates what all rows would gain. Where it is below, n is that of all rows, since the
   * gradients of a sample do not cancel within groups, as those of all rows do, and would find no
   * curvature to hold them.
   *
   * @param sample the rows that are looked at
   */
  public void factors(RowSample sample, double[] target) {
    boolean some = strength > 0 && sample.size() < rows;
    int[] sampled = new int[groupWeights.length];
    for (int k = 0; some && k < sample.size(); k++) {
      sampled[groupOf[sample.rows()[k]]]++;
    }
    for (int group = 0; group < target.length; group++) {
      double weight = groupWeights[group];
      if (some && sampled[group] < counts[group]) {
        weight *= (double) sampled[group] / counts[group];
      }
      target[group] = weight > 0 ? strength / weight : 0;
    }
  }

  /** The gradient as channel 0, and the hessian of the rows of group e as channel 1 + e. */
  public static final class AnchorChannels implements Channels {
    private final AnchorCoupling coupling;
    private final long[] pairs; // in the order of the rows that were gathered, as are the groups
    private final int[] groups;
    private double[] gradients = {};
    private double[] hessians = {};
    private FixedPoint gradientSteps = FixedPoint.of(0, 0);
    private FixedPoint hessianSteps = FixedPoint.of(0, 0);

    public AnchorChannels(AnchorCoupling coupling, Buffers buffers) {
      this.coupling = coupling;
      pairs = buffers.longs(Math.multiplyExact(2, coupling.rows()));
      groups = buffers.ints(coupling.rows());
    }

    @Override
    public int count() {
      return 1 + coupling.groups();
    }

    @Override
    public Totals start(double[] newGradients, double[] newHessians, RowSample sample) {
      gradients = newGradients;
      hessians = newHessians;
      int size = sample.size();
      gradientSteps = FixedPoint.of(FixedPoint.largest(gradients, 0, sample), size);
      hessianSteps = FixedPoint.of(FixedPoint.largest(hessians, 0, sample), size);
      long[] totals = new long[count()];
      for (int k = 0; k < size; k++) {
        int row = sample.rows()[k];
        totals[0] += gradientSteps.steps(gradients[row]);
        totals[1 + coupling.group(row)] += hessianSteps.steps(hessians[row]);
      }
      double[] sums = new double[count()];
      for (int channel = 0; channel < sums.length; channel++) {
        sums[channel] = totals[channel] * unit(channel);
      }
      return new Totals(sums, size);
    }

    private double unit(int channel) {
      return channel == 0 ? gradientSteps.unit : hessianSteps.unit;
    }

    @Override
    public void gather(int[] rows, int from, int to) {
      for (int k = from; k < to; k++) {
        pairs[2 * k] = gradientSteps.steps(gradients[rows[k]]);
        pairs[2 * k + 1] = hessianSteps.steps(hessians[rows[k]]);
        groups[k] = coupling.group(rows[k]);
      }
    }

    @Override
    public void accumulate(
        BinColumn column, int firstCell, int[] rows, int from, int to, long[] cells) {
      int stride = 1 + count();
      for (int k = from; k < to; k++) {
        int target = (firstCell + column.bin(rows[k])) * stride;
        cells[target]++;
        cells[target + 1] += pairs[2 * k];
        cells[target + 2 + groups[k]] += pairs[2 * k + 1];
      }
    }

    @Override
    public void read(long[] cells, int firstCell, int bins, ColumnCells target) {
      int channels = count();
      for (int bin = 0; bin < bins; bin++) {
        int at = (firstCell + bin) * (1 + channels);
        target.counts[bin] = (int) cells[at];
        for (int channel = 0; channel < channels; channel++) {
          target.sums[bin * channels + channel] = cells[at + 1 + channel] * unit(channel);
        }
      }
    }
  }
}
