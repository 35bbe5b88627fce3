package io.holdfast.schemas.version;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.InputRange;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.schemas.avro.ManifestTerm;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.TermRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Engine bases to and from the manifest's two fields. Stateless. */
final class BaseCodec {
  private BaseCodec() {}

  /** The constants: one an output. */
  static List<Double> constants(Base base) {
    return doubles(base.outputs(), base::intercept);
  }

  /** The linear terms; none if the base is constant. */
  static List<ManifestTerm> terms(Base base) {
    List<ManifestTerm> terms = new ArrayList<>();
    for (LinearTerm term : base.terms()) {
      switch (term) {
        case LinearTerm.Numeric numeric -> {
          List<Double> slopes = doubles(numeric.outputs(), numeric::slope);
          terms.add(
              new ManifestTerm(numeric.feature(), numeric.mean(), slopes, stored(numeric.range())));
        }
        case LinearTerm.Categorical categorical -> {
          int outputs = categorical.outputs();
          List<Double> effects =
              doubles(
                  categorical.categories() * outputs,
                  place -> categorical.effect(place / outputs, place % outputs));
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

  /** The base of a manifest whose counts were checked, or an IllegalArgumentException. */
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

  private static List<Double> doubles(int count, IntToDoubleFunction value) {
    return IntStream.range(0, count).mapToDouble(value).boxed().toList();
  }

  private static double[] doubles(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
