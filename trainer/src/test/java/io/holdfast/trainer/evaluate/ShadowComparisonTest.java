package io.holdfast.trainer.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.avro.ComparedEnvironment;
import io.holdfast.schemas.avro.Comparison;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.learn.ReplayPlan;
import io.holdfast.trainer.learn.Standing;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.window.LabelledRow;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShadowComparisonTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.EPOCH);
  private final ModelSettings settings = ExampleStream.settings(Map.of());
  private final List<LabelledRow> log = ExampleStream.rows(1, 120, 2);

  @Test
  void shadowThatAnswersWhatWasServed_losesWhatWasServed() throws Exception {
    LedgerVersion first = core(null).serving();
    TrainerCore core = core(first);
    for (LabelledRow row : log.subList(40, 80)) {
      assertThat(core.add(scoredBy(first, row))).isEmpty();
    }

    WindowReport report = core.decide(core.completeWindow().orElseThrow(), TIME).report();

    Comparison shadow = report.getShadow();
    assertThat(shadow.getVersion()).isEqualTo(1);
    assertThat(shadow.getAgainst()).as("whatever served each row").isNull();
    assertThat(shadow.getRows()).isEqualTo(40);
    assertThat(shadow.getLoss()).as("to the last bit").isEqualTo(report.getLoss());
    assertThat(shadow.getAgainstLoss()).isEqualTo(report.getLoss());
    assertThat(shadow.getEnvironments())
        .extracting(ComparedEnvironment::getEnvironment)
        .containsExactlyElementsOf(
            report.getEnvironments().stream().map(one -> one.getEnvironment()).toList());
    for (int e = 0; e < shadow.getEnvironments().size(); e++) {
      ComparedEnvironment environment = shadow.getEnvironments().get(e);
      assertThat(environment.getLoss()).isEqualTo(report.getEnvironments().get(e).getLoss());
      assertThat(environment.getAgainstLoss()).isEqualTo(environment.getLoss());
    }
  }

  @Test
  void shadow_changesNothingThatIsTrained() {
    TrainerCore without = core(null);
    TrainerCore with = core(without.serving());
    for (TrainerCore core : List.of(without, with)) {
      log.subList(40, 80).forEach(row -> assertThat(core.add(row)).isEmpty());
      core.apply(core.decide(core.completeWindow().orElseThrow(), TIME));
    }

    assertThat(with.serving().hash()).isEqualTo(without.serving().hash());
  }

  @Test
  void withoutAShadow_reportsHaveNone() {
    TrainerCore core = core(null);
    log.subList(40, 80).forEach(row -> assertThat(core.add(row)).isEmpty());

    assertThat(core.decide(core.completeWindow().orElseThrow(), TIME).report().getShadow())
        .isNull();
  }

  /** A trainer that has learned from one window. */
  private TrainerCore core(@Nullable LedgerVersion shadow) {
    var core = new TrainerCore(settings, ExampleStream.framing());
    core.apply(core.begin(ExampleStream.SCHEMA, TIME));
    log.subList(0, 40).forEach(row -> assertThat(core.add(row)).isEmpty());
    core.apply(core.decide(core.completeWindow().orElseThrow(), TIME));
    if (shadow == null) {
      return core;
    }
    Standing standing = core.standing();
    ModelManifest newest = standing.tip().manifest();
    var resumed = new TrainerCore(settings, ExampleStream.framing());
    resumed.resume(
        new Standing(standing.head(), standing.serving(), standing.tip(), shadow),
        List.of(newest),
        core.progress());
    resumed.remember(ReplayPlan.after(newest, core.progress()), ExampleStream.source(log));
    return resumed;
  }

  private static LabelledRow scoredBy(LedgerVersion version, LabelledRow row) throws Exception {
    var features = version.model().features();
    double[] values = new double[features.size()];
    FeatureDecoder.compile(ExampleStream.SCHEMA, features)
        .decode(row.record(), SingleObjectFraming.HEADER_BYTES, values);
    double raw = Scorer.of(version.model()).score(values);
    return ExampleStream.row(row.position(), row.record(), row.label(), row.environment(), raw);
  }
}
