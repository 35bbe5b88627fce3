package io.holdfast.boosting.tree;

import java.util.Arrays;

/**
 * A whole number for each group of an {@link AnchorCoupling}, by a coupled leaf's own sums: what
 * {@link GroupContrasts} are to all leaves, but for this one. Owned by the growing thread.
 */
final class LeafProfile {
  /*
   * Of the directions that C can be projected onto one says all that the leaf itself has to do with its
   * splits: its own, d_e = (gamma − 1) s_{e,l} / n_e. By it c_ll and c_la come out as they are, and
   *
   *   c_aa ≥ c_la²/c_ll,
   *
   * where what is left out is what goes left of some groups more than of others. So of leaves of few
   * rows, which are in shares of groups that hang on chance, a bound is closer by this direction than
   * by two which are the same for all leaves; of large ones it is not, since a column that tells groups
   * apart parts what this direction takes together.
   *
   * Directions may be rounded: any bounds C. Numbers are so small that sums over any rows are doubles.
   */
  private static final int MOST = (1 << 20) - 1; // of a number
  private static final double WHOLE = 0x1p51; // that sums stay below

  private final int[] groupOf;
  private final double[] factors;
  private final long[] codes; // by group
  private double share; // (gamma − 1) / Σ n d²
  private double pull; // the share times the leaf's sum

  /**
   * One that reads {@code factors} whenever it turns to a leaf.
   *
   * @param factors (gamma − 1)/n of each group, as {@link AnchorCoupling#factors} writes them
   */
  LeafProfile(int[] groupOf, double[] factors) {
    this.groupOf = groupOf;
    this.factors = factors;
    codes = new long[factors.length];
  }

  /**
   * Turns to a leaf.
   *
   * @param gains of the leaf
   * @param sums its gradient, and the hessian of each group
   */
  void enter(CoupledGain gains, double[] sums, PackedLayout layout) {
    double largest = 0;
    double hessian = 0;
    for (int group = 0; group < codes.length; group++) {
      largest = Math.max(largest, gains.pull(group));
      hessian += sums[1 + group];
    }
    double most = Math.min(MOST, Math.floor(WHOLE / (1 + hessian / layout.hessianUnit())));
    Arrays.fill(codes, 0);
    double squares = 0;
    double along = 0;
    for (int group = 0; group < codes.length && largest > 0; group++) {
      if (gains.pull(group) > 0) {
        codes[group] = Math.round(most * (gains.pull(group) / largest));
        squares += (double) codes[group] * codes[group] / factors[group];
        along += codes[group] * sums[1 + group];
      }
    }
    share = squares > 0 ? 1 / squares : 0;
    pull = share * along;
  }

  /** About how the leaf pulls on itself, and not more than it does: Σ (gamma − 1) s_e² / n_e. */
  double square() {
    return share > 0 ? pull * pull / share : 0;
  }

  /** The number of a group's rows, for a hessian of one unit. */
  long code(int group) {
    return codes[group];
  }

  /** The number of a row. */
  long codeOf(int row) {
    return codes[groupOf[row]];
  }

  /** Says the same in units, of the leaf turned to. */
  void tell(PackedLayout layout, ProfileBound target) {
    target.unit = 1;
    target.share = share * layout.hessianUnit();
    target.pull = pull;
  }
}
