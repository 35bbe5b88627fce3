package io.holdfast.trainer.drift;

/** The population stability index, bin by bin. Stateless. */
final class StabilityIndex {
  /** From here on the field takes a population to have moved. */
  static final double MOVED = 0.1;

  /** Shares of an empty bin, which has no logarithm, are taken to be of half a row. */
  private static final double HALF_A_ROW = 0.5;

  private StabilityIndex() {}

  /** What a bin adds to it: (q − p) ln (q / p), of its shares p before and q now. */
  static double ofBin(long before, long allBefore, long now, long allNow) {
    return ofBin((double) before, (double) allBefore, (double) now, (double) allNow);
  }

  /** The same of rows as a sketch counts them, parts of them too. */
  static double ofBin(double before, double allBefore, double now, double allNow) {
    double was = Math.max(before, HALF_A_ROW) / allBefore;
    double is = Math.max(now, HALF_A_ROW) / allNow;
    return (is - was) * StrictMath.log(is / was);
  }
}
