package io.holdfast.boosting.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.GoldenErrata;
import io.holdfast.boosting.GoldenNumbers;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Losses and links where the notes are wrong. */
class GoldenErrataTest {
  private static final double RTOL = 1e-10;

  @TestFactory
  Stream<DynamicTest> ordinal() {
    return GoldenErrata.tests(
        Map.of(
            "001-01", // the slope of the log-likelihood
            w -> right(-ordinal(w.get("theta")).derivatives(of(w, "label"), of(w, "eta")).first, w),
            "001-02",
            w -> {
              Ordinal two = new Ordinal(2, OrdinalLink.LOGIT, Thresholds.of(of(w, "theta_1")));
              right(probabilities(two, of(w, "eta"))[0], w);
            },
            "001-05", // so the prediction is not the class in whose interval the score lies
            w -> {
              Ordinal narrow = ordinal(w.get("theta"));
              double[] reference = GoldenNumbers.doubles(w.get("P"));
              assertThat(probabilities(narrow, of(w, "y")))
                  .containsExactly(reference, within(RTOL));
              int predicted = (int) narrow.prediction(of(w, "y"));
              assertThat(reference[predicted]).isEqualTo(GoldenNumbers.maxNorm(reference));
            }));
  }

  @TestFactory
  Stream<DynamicTest> squaredAndLogistic() {
    return GoldenErrata.tests(
        Map.of(
            "002-06", // the residual of a 0
            w -> {
              double p = of(w, "predicted");
              right(-new Logistic().derivatives(0, StrictMath.log(p / (1 - p))).first, w);
            },
            "004-01", // squared has the ½ for which the notes' residual is right
            w -> {
              double residual = -new Squared().derivatives(of(w, "y"), of(w, "a")).first;
              close("with ½", residual, of(w, "wrong"));
              right(2 * residual, w);
            }));
  }

  @TestFactory
  Stream<DynamicTest> gammaAndBeta() {
    return GoldenErrata.tests(
        Map.of(
            "003-01", // the log-likelihood
            w -> right(-new Gamma().loss(of(w, "y"), of(w, "f")), w),
            "003-02",
            w -> {
              Beta beta = Beta.ofPrecision(of(w, "phi"));
              close("g", beta.derivatives(of(w, "y"), of(w, "f")).first, of(w, "right_gradient"));
              close("h", beta.derivatives(of(w, "y"), of(w, "f")).second, of(w, "right_hessian"));
            },
            "003-03",
            GoldenErrataTest::checkConstantFits,
            "003-05",
            GoldenErrataTest::checkBackTransformation,
            "003-07",
            w -> {
              double hessian =
                  Beta.ofPrecision(of(w, "phi")).derivatives(of(w, "y"), of(w, "f")).second;
              close("h", hessian, of(w, "hessian"));
            }));
  }

  /** The best constant depends on the precision: there the slope of the loss is 0. */
  private static void checkConstantFits(JsonNode witness) {
    witness
        .get("constant_fit_mu")
        .properties()
        .forEach(
            fit -> {
              String precision = fit.getKey().substring(fit.getKey().indexOf('=') + 1);
              Beta beta = Beta.ofPrecision(Double.parseDouble(precision));
              double mu = fit.getValue().asDouble();
              double score = StrictMath.log(mu) - StrictMath.log1p(-mu);
              double slope = 0;
              double size = 0;
              for (double label : GoldenNumbers.doubles(witness.get("y"))) {
                slope += beta.derivatives(label, score).first;
                size += Math.abs(beta.derivatives(label, score).first);
              }
              assertThat(slope).as(fit.getKey()).isCloseTo(0, within(1e-12 * size));
            });
  }

  /** The mean of σ(z) over a normal z is not σ of the mean of z. */
  private static void checkBackTransformation(JsonNode witness) {
    Matcher normal =
        Pattern.compile("Normal\\(([^,]+),([^)]+)\\)").matcher(witness.get("logit_y").asText());
    assertThat(normal.matches()).isTrue();
    double mean = Double.parseDouble(normal.group(1));
    double deviation = StrictMath.sqrt(Double.parseDouble(normal.group(2)));
    Beta beta = Beta.ofPrecision(1);
    close("σ of the mean", beta.prediction(mean), of(witness, "back_transformed"));
    double sum = 0;
    double mass = 0;
    for (int k = -400; k <= 400; k++) { // the trapezoid rule, exact for so smooth a function
      double z = k / 40.0;
      double density = StrictMath.exp(-0.5 * z * z);
      sum += density * beta.prediction(mean + deviation * z);
      mass += density;
    }
    close("mean of σ", sum / mass, of(witness, "true_mean"));
  }

  private static Ordinal ordinal(JsonNode thresholds) {
    double[] theta = GoldenNumbers.doubles(thresholds);
    return new Ordinal(theta.length + 1, OrdinalLink.LOGIT, Thresholds.of(theta));
  }

  private static double[] probabilities(Ordinal ordinal, double score) {
    double[] probabilities = new double[ordinal.classes()];
    ordinal.probabilities(new double[] {score}, probabilities);
    return probabilities;
  }

  private static double of(JsonNode witness, String name) {
    return witness.get(name).asDouble();
  }

  private static void right(double actual, JsonNode witness) {
    close("right", actual, of(witness, "right"));
  }

  private static void close(String what, double actual, double reference) {
    GoldenNumbers.assertClose(what, actual, reference, RTOL, 0);
  }
}
