package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;

/** The coupling of a tree's leaves by a categorical anchor (docs/math.md, "Splits"). Immutable. */
public final class AnchorCoupling {
  private final int rows;
  private final int[] groupOf; // may be longer
  private final double[] groupWeights;
  private final double strength;
  private final int[] counts; // rows of each group

  /**
   * The coupling by these groups.
   *
   * @param groupOf each row's group
   * @param groupWeights sum of the weights of each group's rows
   * @param strength gamma − 1; 0 is no coupling, and splits are then the plain ones bit for bit
   */
  public AnchorCoupling(int[] groupOf, double[] groupWeights, double strength) {
    this(groupOf.clone(), groupOf.length, groupWeights.clone(), strength);
  }

  /** Takes the arrays over. */
  private AnchorCoupling(int[] groupOf, int rows, double[] groupWeights, double strength) {
    boolean good = strength >= -1 && strength < Double.POSITIVE_INFINITY;
    Check.that(good, "the strength of a coupling must be -1 or more and finite: %s", strength);
    this.rows = rows;
    this.groupOf = groupOf;
    this.groupWeights = groupWeights;
    this.strength = strength;
    counts = new int[groupWeights.length];
    for (int row = 0; row < rows; row++) {
      int group = groupOf[row];
      if (group < 0 || group >= groupWeights.length) {
        Check.that(false, "the group of row %s must be 0 to %s: %s", row, counts.length - 1, group);
      }
      counts[group]++;
    }
  }

  /** By the rows' environments, in arrays of {@code buffers} until these are recycled. */
  public static AnchorCoupling ofEnvironments(Rows rows, double strength, Buffers buffers) {
    int[] groupOf = buffers.ints(rows.size());
    double[] groupWeights = new double[rows.environments().size()];
    for (int row = 0; row < rows.size(); row++) {
      groupOf[row] = rows.environment(row);
      groupWeights[groupOf[row]] += rows.weight(row);
    }
    return new AnchorCoupling(groupOf, rows.size(), groupWeights, strength);
  }

  public int rows() {
    return rows;
  }

  public int groups() {
    return groupWeights.length;
  }

  public double strength() {
    return strength;
  }

  /**
   * Writes (gamma − 1)/n for each group, n being its weight; 0 for a group without rows.
   *
   * <p>Where gamma is above 1, n is scaled by the share of the group's rows in the sample: that
   * estimates the gain on all rows. Where it is below, n is that of all rows: the gradients of a
   * sample do not cancel within groups, and would find no curvature to hold them.
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
  public static final class AnchorChannels extends Channels {
    private final AnchorCoupling coupling;
    private final long[] pairs; // in the order of the rows that were gathered, as are the groups
    private final int[] groups;

    public AnchorChannels(AnchorCoupling coupling, Buffers buffers) {
      super(1 + coupling.groups());
      this.coupling = coupling;
      pairs = buffers.longs(Math.multiplyExact(2, coupling.rows()));
      groups = buffers.ints(coupling.rows());
    }

    @Override
    void addUp(RowSample sample, long[] totals) {
      for (int k = 0; k < sample.size(); k++) {
        int row = sample.rows()[k];
        totals[0] += gradientSteps.steps(gradients[row]);
        totals[1 + coupling.groupOf[row]] += hessianSteps.steps(hessians[row]);
      }
    }

    @Override
    public void gather(int[] rows, int from, int to) {
      for (int k = from; k < to; k++) {
        pairs[2 * k] = gradientSteps.steps(gradients[rows[k]]);
        pairs[2 * k + 1] = hessianSteps.steps(hessians[rows[k]]);
        groups[k] = coupling.groupOf[rows[k]];
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
  }
}
