package io.holdfast.schemas.version;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.InputRange;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.schemas.avro.ManifestTerm;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.TermRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Engine bases to and from the manifest's two fields. Stateless. */
final class BaseCodec {
  private BaseCodec() {}

  /** The constants: one an output. */
  static List<Double> constants(Base base) {
    List<Double> constants = new ArrayList<>(base.outputs());
    for (int k = 0; k < base.outputs(); k++) {
      constants.add(base.intercept(k));
    }
    return constants;
  }

  /** The linear terms; none if the base is constant. */
  static List<ManifestTerm> terms(Base base) {
    List<ManifestTerm> terms = new ArrayList<>();
    for (LinearTerm term : base.terms()) {
      switch (term) {
        case LinearTerm.Numeric numeric -> {
          List<Double> slopes = new ArrayList<>();
          for (int k = 0; k < numeric.outputs(); k++) {
            slopes.add(numeric.slope(k));
          }
          terms.add(
              new ManifestTerm(numeric.feature(), numeric.mean(), slopes, stored(numeric.range())));
        }
        case LinearTerm.Categorical categorical -> {
          List<Double> effects = new ArrayList<>();
          for (int code = 0; code < categorical.categories(); code++) {
            for (int k = 0; k < categorical.outputs(); k++) {
              effects.add(categorical.effect(code, k));
            }
          }
          terms.add(new ManifestTerm(categorical.feature(), null, effects, null));
        }
      }
    }
    return terms;
  }

  /** How many numbers the linear terms hold. */
  static long coefficients(Base base) {
    long numbers = 0;
    for (LinearTerm term : base.terms()) {
      numbers +=
          switch (term) {
            case LinearTerm.Numeric numeric -> numeric.outputs();
            case LinearTerm.Categorical effects -> (long) effects.categories() * effects.outputs();
          };
    }
    return numbers;
  }

  /**
   * The base of a manifest whose counts have been checked.
   *
   * @throws IllegalArgumentException in one sentence, if it describes none
   */
  static Base base(ModelManifest manifest) {
    double[] constants = doubles(manifest.getBase());
    List<LinearTerm> terms = new ArrayList<>();
    for (ManifestTerm term : manifest.getLinear()) {
      double[] slopes = doubles(term.getSlopes());
      Double mean = term.getMean();
      terms.add(
          mean == null
              ? new LinearTerm.Categorical(term.getFeature(), constants.length, slopes)
              : new LinearTerm.Numeric(term.getFeature(), mean, range(term.getRange()), slopes));
    }
    return Base.linear(constants, terms);
  }

  private static @Nullable TermRange stored(InputRange range) {
    return range.unbounded() ? null : new TermRange(range.low(), range.high());
  }

  private static InputRange range(@Nullable TermRange stored) {
    return stored == null
        ? InputRange.EVERYTHING
        : new InputRange(stored.getLow(), stored.getHigh());
  }

  private static double[] doubles(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
