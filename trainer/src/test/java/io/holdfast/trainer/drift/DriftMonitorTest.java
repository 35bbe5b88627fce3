package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DriftMonitorTest {
  private static final int FEATURES = 30;

  @Test
  void stationaryStream_raisesAlarmsNoMoreOftenThanAllowed() {
    int alarms = 0;
    int rises = 0;
    for (int seed = 0; seed < 200; seed++) {
      DriftFindings found = look("report", new Stream(seed, 0, 0, 0));
      assertThat(found.tests()).isEqualTo(3 * (FEATURES + 1)); // two environments, and all rows
      alarms += found.shifts().stream().anyMatch(DriftFindings.Shift::alarm) ? 1 : 0;
      rises += found.loss().rowsSince() != null ? 1 : 0;
    }
    assertThat(alarms).isLessThanOrEqualTo(4); // one in a hundred of 93 tests together
    assertThat(rises).isLessThanOrEqualTo(4);
  }

  @Test
  void shiftedFeatures_areFound_andFewOthers() {
    int found = 0;
    int others = 0;
    for (int seed = 0; seed < 20; seed++) {
      for (DriftFindings.Shift shift : look("report", new Stream(seed, 1, 0, 0)).shifts()) {
        if (shift.alarm()) {
          found += shift.feature().equals("f0") ? 1 : 0;
          others += shift.feature().equals("f0") ? 0 : 1;
        }
      }
    }
    assertThat(found).isEqualTo(60); // in all rows and in both environments, every time
    assertThat(others).isLessThanOrEqualTo(2);
  }

  @Test
  void labelShift_isFoundAsThatOfTheLabel() {
    DriftFindings found = look("report", new Stream(3, 0, 1.5, 0));
    assertThat(found.shifts().getFirst().alarm()).isTrue();
    assertThat(found.shifts().getFirst().feature()).isEmpty();
    assertThat(found.alarms()).anyMatch(alarm -> alarm.startsWith("The label"));
  }

  @Test
  void risenLoss_shortensMemory_orReplaces_asTheActionSays() {
    Stream stream = new Stream(5, 0, 0, 2);
    DriftFindings found = look("shorten", stream);
    assertThat(found.loss().rise()).isTrue();
    assertThat(found.loss().rowsSince()).isBetween(400, 620);
    assertThat(found.alarms()).contains("The loss has risen.");
    assertThat(assess("nothing", found)).isEqualTo(DriftAssessment.NONE);
    assertThat(assess("report", found)).isEqualTo(DriftAssessment.NONE);
    assertThat(assess("shorten", found).memoryRows()).isBetween(0, 120);
    assertThat(assess("shorten", found).replace()).isFalse();
    assertThat(assess("replace", found).replace()).isTrue();
  }

  @Test
  void nothing_looksForNothing_andAFirstWindowHasNothingToCompare() {
    assertThat(look("nothing", new Stream(1, 3, 3, 3))).isEqualTo(DriftFindings.NONE);
    Stream first = new Stream(1, 0, 0, 0, 0);
    assertThat(look("report", first).tests()).isZero();
    assertThat(look("report", first).newEnvironments()).isEmpty();
  }

  @Test
  void environmentThatTheTipKnowsNothingOf_isNew() {
    Stream stream = new Stream(2, 0, 0, 0);
    stream.environments = List.of("e0");
    assertThat(look("report", stream).newEnvironments()).containsExactly("e1");
    assertThat(look("report", stream).alarms()).contains("Environment e1 is new.");
  }

  @Test
  void findings_areAFunctionOfTheRows() {
    assertThat(look("report", new Stream(8, 0.3, 0.1, 0.2)))
        .isEqualTo(look("report", new Stream(8, 0.3, 0.1, 0.2)));
  }

  private static DriftFindings look(String action, Stream stream) {
    return DriftMonitor.look(settings(action), stream);
  }

  private static DriftAssessment assess(String action, DriftFindings found) {
    return DriftMonitor.assess(settings(action), found, 500);
  }

  private static ModelSettings settings(String action) {
    return ModelSettings.of(
        "m",
        Map.of("objective", "squared", "label", "y", "environment", "e", "drift.action", action),
        key -> key);
  }

  /** 2,000 remembered rows and a window of 500, in two environments. */
  private static final class Stream implements LargeWindowEvidence {
    private final List<LabelledRow> replayed = new ArrayList<>();
    private final List<LabelledRow> arrived = new ArrayList<>();
    private final Rows replay;
    private final Rows window;
    private List<String> environments = List.of("e0", "e1");

    Stream(long seed, double featureShift, double labelShift, double lossShift) {
      this(seed, featureShift, labelShift, lossShift, 2_000);
    }

    Stream(long seed, double featureShift, double labelShift, double lossShift, int remembered) {
      SplittableRandom random = new SplittableRandom(seed);
      replay = rows(random, remembered, 0, 0, 0, replayed);
      window = rows(random, 500, featureShift, labelShift, lossShift, arrived);
      if (remembered == 0) {
        environments = List.of();
      }
    }

    private static Rows rows(
        SplittableRandom random,
        int count,
        double featureShift,
        double labelShift,
        double lossShift,
        List<LabelledRow> target) {
      Rows.Builder rows = Rows.builder(FEATURES);
      for (int row = 0; row < count; row++) {
        double[] features = new double[FEATURES];
        for (int k = 0; k < FEATURES; k++) {
          features[k] = random.nextGaussian() + (k == 0 ? featureShift : 0);
        }
        double label = random.nextGaussian() + labelShift;
        String environment = "e" + row % 2;
        double served = label + random.nextGaussian() * (1 + lossShift);
        rows.add(features, label, 1, environment);
        target.add(
            new LabelledRow(
                new Position(0, row, row),
                new byte[0],
                label,
                1,
                environment,
                new Served(served, 1, Digest.of(new byte[0]))));
      }
      return rows.build();
    }

    @Override
    public ModelManifest tip() {
      return LedgerCodec.encode(
              new LedgerCodec.Draft(
                  "m",
                  0,
                  null,
                  new Model(new Squared(), features(), 0, List.of()),
                  1,
                  List.of(),
                  List.of(),
                  environments,
                  1,
                  "{}",
                  Map.of(),
                  "test"))
          .version()
          .manifest();
    }

    @Override
    public @Nullable KeptReference kept() {
      return null;
    }

    @Override
    public @Nullable ReferenceCurves reference() {
      return null;
    }

    @Override
    public Objective objective() {
      return new Squared();
    }

    @Override
    public List<Feature> features() {
      List<Feature> features = new ArrayList<>();
      for (int k = 0; k < FEATURES; k++) {
        features.add(new Feature.Numeric("f" + k));
      }
      return features;
    }

    @Override
    public List<LabelledRow> replayed() {
      return replayed;
    }

    @Override
    public Rows replay() {
      return replay;
    }

    @Override
    public List<LabelledRow> arrived() {
      return arrived;
    }

    @Override
    public Rows window() {
      return window;
    }

    @Override
    public double[] served() {
      return arrived.stream().mapToDouble(row -> row.served().rawScores()[0]).toArray();
    }
  }
}
