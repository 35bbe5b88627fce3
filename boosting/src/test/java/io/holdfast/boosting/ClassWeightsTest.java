package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A weight of a class is a weight of each of its rows. */
class ClassWeightsTest {
  static Stream<Objective> classes() {
    return Stream.of(new Logistic(), new Softmax(3), new Ordinal(3, OrdinalLink.LOGIT));
  }

  private static List<Double> weights(Objective objective) {
    return List.of(0.5, 4.0, 2.0).subList(0, objective.classes());
  }

  private static Rows byHand(Rows rows, List<Double> weights) {
    return rows.weighted(row -> rows.weight(row) * weights.get((int) rows.label(row)));
  }

  @ParameterizedTest
  @MethodSource("classes")
  void fitStopAndRefit_areThoseOfWeightedRows(Objective objective) {
    Rows rows = SampleRows.of(objective, 1, 500, 3);
    Rows others = SampleRows.of(objective, 2, 300, 3);
    List<Double> weights = weights(objective);
    BoosterSettings plain = BoosterSettings.builder(objective).rounds(15).gamma(3).seed(4).build();
    BoosterSettings weighted = plain.toBuilder().classWeights(weights).build();
    Fit fit =
        new Booster(weighted)
            .fit(
                SampleRows.FEATURES,
                rows,
                new EarlyStopping(others, new EarlyStopping.Criterion.Mean(), 3),
                FitListener.NONE);
    Fit expected =
        new Booster(plain)
            .fit(
                SampleRows.FEATURES,
                byHand(rows, weights),
                new EarlyStopping(byHand(others, weights), new EarlyStopping.Criterion.Mean(), 3),
                FitListener.NONE);
    assertThat(fit.model()).isEqualTo(expected.model());
    assertThat(fit.validationLosses()).isEqualTo(expected.validationLosses());
    Model refitted = new Booster(weighted).refit(fit.model(), others, 0.5).model();
    assertThat(refitted)
        .isEqualTo(new Booster(plain).refit(fit.model(), byHand(others, weights), 0.5).model());
    assertThat(fit.model()).isNotEqualTo(new Booster(plain).fit(SampleRows.FEATURES, rows).model());
  }

  @Test
  void weightsOfOne_changeNothing_andOthersMustFitTheClasses() {
    Rows rows = SampleRows.of(new Softmax(3), 1, 300, 2);
    BoosterSettings.Builder settings = BoosterSettings.builder(new Softmax(3)).rounds(4);
    Model plain = new Booster(settings.build()).fit(SampleRows.FEATURES, rows).model();
    settings.classWeights(Collections.nCopies(3, 1.0));
    assertThat(new Booster(settings.build()).fit(SampleRows.FEATURES, rows).model())
        .isEqualTo(plain);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.classWeights(List.of(1.0, 2.0)).build())
        .withMessage("there must be a weight for each of the 3 classes of softmax: [1.0, 2.0]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.classWeights(List.of(1.0, 0.0, 1.0)).build())
        .withMessage("the weights of classes must be finite and above 0: [1.0, 0.0, 1.0]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BoosterSettings.builder(new Squared()).classWeights(List.of(1.0)).build())
        .withMessageContaining("a weight for each of the 0 classes of squared");
  }
}
