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
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Windows in a row, compared with the reference or with the buffer of the last rows. */
class SlowDriftTest {
  private static final int FEATURES = 10;
  private static final int WINDOW = 200;
  private static final int BUFFER = 1_000;
  private static final int WINDOWS = 100;
  private static final ModelSettings SETTINGS =
      ModelSettings.of(
          "m", Map.of("objective", "squared", "label", "y", "drift.action", "report"), key -> key);
  private static final List<Feature> NAMES =
      java.util.stream.IntStream.range(0, FEATURES)
          .<Feature>mapToObj(k -> new Feature.Numeric("f" + k))
          .toList();
  private static final ModelManifest TIP =
      LedgerCodec.encode(
              new LedgerCodec.Draft(
                  "m",
                  0,
                  null,
                  new Model(new Squared(), NAMES, 0, List.of()),
                  1,
                  List.of(),
                  List.of(),
                  List.of(""),
                  1,
                  "{}",
                  Map.of(),
                  "test"))
          .version()
          .manifest();

  /** Each window is much like the rows that are remembered before it. */
  @Test
  void driftSlowerThanTheBuffer_isFoundByTheReference_andNotByTheBuffer() {
    IntToDoubleFunction drift = row -> row * 2.0 / (WINDOWS * WINDOW);
    List<Boolean> byReference = alarms(11, drift, true);
    List<Boolean> byBuffer = alarms(11, drift, false);
    assertThat(byReference.stream().filter(alarm -> alarm).count()).isGreaterThanOrEqualTo(15);
    assertThat(byReference.indexOf(true)).isBetween(10, 60);
    assertThat(byBuffer.stream().filter(alarm -> alarm).count()).isLessThanOrEqualTo(2);
  }

  @Test
  void stationaryRows_raiseNoMoreAlarmsThanAllowed_windowAfterWindow() {
    long alarms = 0;
    for (int seed = 0; seed < 4; seed++) {
      alarms += alarms(seed, row -> 0, true).stream().filter(alarm -> alarm).count();
    }
    assertThat(alarms).isLessThanOrEqualTo(8); // of 400 windows, 4 of 200
  }

  private static List<Boolean> alarms(long seed, IntToDoubleFunction drift, boolean keep) {
    var random = new SplittableRandom(seed);
    List<LabelledRow> log = new ArrayList<>();
    List<double[]> values = new ArrayList<>();
    List<Boolean> alarms = new ArrayList<>();
    KeptReference kept = null;
    for (int window = 0; window < WINDOWS; window++) {
      int begin = log.size();
      for (int k = 0; k < WINDOW; k++) {
        double[] row = new double[FEATURES + 1];
        for (int column = 0; column <= FEATURES; column++) {
          row[column] = random.nextGaussian() + (column == 0 ? drift.applyAsDouble(begin + k) : 0);
        }
        values.add(row);
        log.add(
            new LabelledRow(
                new Position(0, begin + k, begin + k),
                new byte[0],
                row[FEATURES],
                1,
                "",
                new Served(0, 1, Digest.of(new byte[0]))));
      }
      Evidence evidence = new Evidence(log, values, begin, kept);
      DriftFindings found = DriftMonitor.look(SETTINGS, evidence);
      alarms.add(found.shifts().stream().anyMatch(DriftFindings.Shift::alarm));
      kept = keep ? ReferenceUpkeep.next(SETTINGS, evidence, found) : null;
    }
    return alarms;
  }

  private record Evidence(
      List<LabelledRow> log, List<double[]> values, int begin, @Nullable KeptReference kept)
      implements LargeWindowEvidence {
    private static Rows rows(List<double[]> values) {
      Rows.Builder rows = Rows.builder(FEATURES);
      for (double[] row : values) {
        rows.add(java.util.Arrays.copyOf(row, FEATURES), row[FEATURES], 1, "");
      }
      return rows.build();
    }

    @Override
    public @Nullable ReferenceCurves reference() {
      return kept == null ? null : new ReferenceCurves(kept.sketches());
    }

    @Override
    public ModelManifest tip() {
      return TIP;
    }

    @Override
    public Objective objective() {
      return new Squared();
    }

    @Override
    public List<Feature> features() {
      return NAMES;
    }

    @Override
    public List<LabelledRow> replayed() {
      return log.subList(Math.max(0, begin - BUFFER), begin);
    }

    @Override
    public Rows replay() {
      return rows(values.subList(Math.max(0, begin - BUFFER), begin));
    }

    @Override
    public List<LabelledRow> arrived() {
      return log.subList(begin, begin + WINDOW);
    }

    @Override
    public Rows window() {
      return rows(values.subList(begin, begin + WINDOW));
    }

    @Override
    public double[] served() {
      return new double[WINDOW];
    }
  }
}
