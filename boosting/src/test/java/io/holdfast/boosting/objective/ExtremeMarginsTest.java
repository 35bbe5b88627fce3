package io.holdfast.boosting.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Losses on the log scale where e^f, e^−f or their products with a label leave the doubles. */
class ExtremeMarginsTest {
  private static final double[] SCORES = {
    Double.NEGATIVE_INFINITY,
    -1e308,
    -1_500,
    -1_000,
    -720,
    -1,
    0,
    1,
    709.9,
    720,
    1_500,
    1e308,
    Double.POSITIVE_INFINITY
  };
  private static final double[] LABELS = {
    0, Double.MIN_VALUE, 1e-320, 1e-300, 0.5, 1, 1e300, Double.MAX_VALUE
  };

  static Stream<LogLinkObjective> objectives() {
    return Stream.of(
        new Poisson(), new Gamma(), new Tweedie(1.01), new Tweedie(1.5), new Tweedie(1.99));
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void anywhere_nothingIsNoNumber(LogLinkObjective objective) {
    var derivatives = new Derivatives(true);
    for (double label : LABELS) {
      for (double score : SCORES) {
        if (objective.accepts(label)) {
          String where = objective + " of " + label + " at " + score;
          objective.derivatives(label, score, derivatives);
          assertThat(
                  new double[] {
                    objective.loss(label, score),
                    objective.derivatives(label, score).first,
                    objective.derivatives(label, score).second,
                    objective.derivatives(label, score).third,
                    objective.excess(label, score),
                    derivatives.loss
                  })
              .as(where)
              .doesNotContain(Double.NaN);
          assertThat(objective.excess(label, score)).as(where).isNotNegative();
        }
      }
    }
  }

  @Test
  void ofFiniteValues_areThoseValues() {
    BigDecimal large = exp(355).pow(2);
    assertClose(
        new Poisson().loss(3.1e305, 710),
        large.subtract(new BigDecimal("3.1e305").multiply(new BigDecimal(710))),
        large);
    assertClose(new Poisson().excess(1e-320, 1), exp(1), exp(1));
    assertThat(new Poisson().loss(0, Double.NEGATIVE_INFINITY)).isZero();
    assertThat(new Poisson().excess(Double.MAX_VALUE, 709.9)).isFinite();

    BigDecimal falling = new BigDecimal("1e-300").multiply(exp(500).pow(2));
    assertClose(new Gamma().loss(1e-300, -1_000), falling, falling);
    assertClose(new Gamma().derivatives(1e-300, -1_000).second, falling, falling);
    BigDecimal rest = new BigDecimal("1e300").divide(exp(500).pow(2), MathContext.DECIMAL64);
    assertClose(new Gamma().derivatives(1e300, 1_000).second, rest, rest);

    BigDecimal half =
        new BigDecimal("1e-300").multiply(exp(375).pow(2)).multiply(new BigDecimal(2));
    assertClose(new Tweedie(1.5).loss(1e-300, -1_500), half, half);
    BigDecimal rising = new BigDecimal(StrictMath.exp(0.99) / 0.99);
    assertClose(new Tweedie(1.01).excess(1e-320, 1), rising, rising);
  }

  private static BigDecimal exp(double exponent) {
    return new BigDecimal(StrictMath.exp(exponent));
  }

  private static void assertClose(double value, BigDecimal expected, BigDecimal size) {
    BigDecimal scale = size.abs();
    assertThat(
            new BigDecimal(value)
                .subtract(expected)
                .divide(scale, MathContext.DECIMAL64)
                .doubleValue())
        .isCloseTo(0, within(1e-11));
  }
}
