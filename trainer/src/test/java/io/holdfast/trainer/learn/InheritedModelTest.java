package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerVersion;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model that was there before the first label, such as an imported one. */
class InheritedModelTest {
  static final List<Feature> FEATURES = List.of(new Feature.Numeric("x"), new Feature.Numeric("z"));

  private final SplittableRandom random = new SplittableRandom(11);
  double ofInherited;
  double ofServed;

  /** Twenty labels know less than thousands did. */
  @ParameterizedTest
  @ValueSource(strings = {"squared", "logistic"})
  void firstVersions_whereNothingChanged_loseNoMore(String objective) {
    LedgerVersion inherited = fitted(objective, InheritedModelTest::wave);
    var trainer = new OfflineTrainer(settings(objective), FEATURES, 0, inherited);
    for (int from = 0; from < 2_000; from += 100) {
      follow(trainer, inherited, InheritedModelTest::wave, 100);
      assertThat(ofServed).as("after %s rows", from + 100).isLessThan(1.03 * ofInherited);
    }
    assertThat(trainer.core().tip().number()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"squared", "logistic"})
  void versions_whereTheWorldChanged_loseHalf(String objective) {
    LedgerVersion inherited = fitted(objective, InheritedModelTest::wave);
    var trainer = new OfflineTrainer(settings(objective), FEATURES, 0, inherited);
    ToDoubleBiFunction<Double, Double> changed = (x, z) -> -wave(x, z);
    follow(trainer, inherited, changed, 1_000);
    ofServed = 0;
    ofInherited = 0;
    follow(trainer, inherited, changed, 1_000);
    assertThat(ofServed).isLessThan(0.5 * ofInherited);
  }

  static double wave(double x, double z) {
    return 3 * StrictMath.sin(5 * x) + (z > 0.2 ? 2 : -1);
  }

  static ModelSettings settings(String objective) {
    Map<String, String> keys =
        Map.of("objective", objective, "label", "label", "labels.in", "topic");
    return ModelSettings.of("m", keys, key -> key);
  }

  LedgerVersion fitted(String objective, ToDoubleBiFunction<Double, Double> truth) {
    ModelSettings settings = settings(objective);
    Rows.Builder rows = Rows.builder(FEATURES.size());
    for (int row = 0; row < 5_000; row++) {
      double[] features = {random.nextDouble(-1, 1), random.nextDouble(-1, 1)};
      rows.add(features, label(settings.booster().objective(), truth, features), "");
    }
    Model model = new Booster(settings.booster()).fit(FEATURES, rows.build()).model();
    var draft = LedgerCodec.Draft.first("m", model, 1, 1, settings.trainingJson(), "test");
    return LedgerCodec.encode(draft).version();
  }

  void follow(
      OfflineTrainer trainer,
      LedgerVersion inherited,
      ToDoubleBiFunction<Double, Double> truth,
      int rows) {
    Objective objective = inherited.model().objective();
    Scorer scorer = Scorer.of(inherited.model());
    for (int row = 0; row < rows; row++) {
      double[] features = {random.nextDouble(-1, 1), random.nextDouble(-1, 1)};
      double label = label(objective, truth, features);
      ofInherited += objective.excessLoss(label, new double[] {scorer.score(features)});
      ofServed += objective.excessLoss(label, trainer.next(features, label, ""));
    }
  }

  private double label(
      Objective objective, ToDoubleBiFunction<Double, Double> truth, double[] features) {
    double signal = truth.applyAsDouble(features[0], features[1]);
    return objective.classes() == 0
        ? signal + random.nextGaussian()
        : random.nextDouble() < 1 / (1 + StrictMath.exp(-signal)) ? 1 : 0;
  }
}
