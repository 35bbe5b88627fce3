package io.holdfast.boosting;

/** Seeds of a run's rounds: a function of the run's seed and the place alone. Stateless. */
final class RoundSeeds {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private RoundSeeds() {}

  /** What draws the rows of a round, for all its trees. */
  static long rows(long seed, int round) {
    return mix(mix(seed) + 2L * round);
  }

  /** What draws the columns of one tree of a round. */
  static long columns(long seed, int round, int tree) {
    return mix(mix(mix(seed) + 2L * round + 1) + tree);
  }

  /** The finaliser of SplitMix64: seeds that differ by a little give unrelated streams. */
  private static long mix(long value) {
    long mixed = value + GOLDEN;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
