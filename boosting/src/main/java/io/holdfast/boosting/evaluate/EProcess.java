package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import java.util.List;

/**
 * Evidence, at any time, that values are above 0 in the mean: the wealth of a gambler who began
 * with 1 and bets on it. Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
 * betting", JRSS B 86, 2024. Immutable.
 */
public final class EProcess {
  /*
   * A bet of a share b turns wealth w into w (1 + b x) by the value x in [-1, 1]. If no value has a mean
   * above 0, given those before it, that is a supermartingale, and so is the mean of several bets'
   * wealth: by Ville's inequality it ever reaches 1/a with a chance of at most a, however often one
   * looks. A mixture needs no tuning: it is at most ln 4 behind its best bet. For values of mean r/2 and
   * mean square 1/4 that is b = 2 r, so the bets span r from 0.025 to 0.45.
   *
   * Products and sums alone: the same bits on every machine. Wealth that reaches 0 is lost for good, and
   * above MOST it grows no more; both can but take evidence away.
   */
  private static final double[] BETS = {0.05, 0.15, 0.4, 0.9};
  private static final double MOST = 1e300;

  /** Without evidence. */
  public static final EProcess NONE = new EProcess(new double[] {1, 1, 1, 1});

  private final double[] wealth;

  private EProcess(double[] wealth) {
    this.wealth = wealth;
  }

  /** With the wealth of each bet, as {@link #wealth} told it. */
  public static EProcess of(List<Double> wealth) {
    Check.that(
        wealth.size() == BETS.length && wealth.stream().allMatch(each -> each >= 0 && each <= MOST),
        "there must be a wealth from 0 to %s for each bet: %s",
        MOST,
        wealth);
    return new EProcess(wealth.stream().mapToDouble(each -> each).toArray());
  }

  /** After the next value, from -1 to 1. */
  public EProcess next(double value) {
    Check.that(value >= -1 && value <= 1, "a value must be from -1 to 1: %s", value);
    double[] after = new double[BETS.length];
    for (int bet = 0; bet < BETS.length; bet++) {
      after[bet] = Math.min(MOST, wealth[bet] * (1 + BETS[bet] * value));
    }
    return new EProcess(after);
  }

  /** Of each bet. */
  public List<Double> wealth() {
    return Arrays.stream(wealth).boxed().toList();
  }

  /**
   * The evidence, 1 at first: while no value's mean is above 0, given those before, it ever reaches
   * 1/a with a chance of at most a.
   */
  public double value() {
    double sum = 0;
    for (double each : wealth) {
      sum += each / BETS.length;
    }
    return sum;
  }

  /** Whether the evidence is enough for that rate of errors. */
  public boolean shows(double error) {
    return value() * error >= 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EProcess that && Arrays.equals(wealth, that.wealth);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(wealth);
  }

  @Override
  public String toString() {
    return "EProcess" + Arrays.toString(wealth);
  }
}
