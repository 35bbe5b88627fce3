package io.holdfast.trainer.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.avro.LevelCoverage;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.learn.NewVersion;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.learn.ReplayPlan;
import io.holdfast.trainer.learn.Standing;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Promised;
import io.holdfast.trainer.window.Served;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions say how sure their scores are, as a function of the log and their parent. */
class UncertaintyVersionsTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.ofEpochSecond(7));
  private static final int ROWS = 5_000;
  private static final List<String> COLORS = List.of("red", "green", "blue");

  private static Map<String, String> values(String changes) {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "window.rows", "200",
                "window.memoryRows", "3000",
                "uncertainty.coverage", "0.7,0.9"));
    for (String change : changes.split("&", -1)) {
      String[] keyAndValue = change.split("=", -1);
      values.put(keyAndValue[0], keyAndValue[1]);
    }
    return values;
  }

  /** A stream that is scored as it comes: its errors grow with x, and more in {@code wide}. */
  private static final class Stream {
    private final SplittableRandom random = new SplittableRandom(11);
    private final ModelSettings settings;
    private final List<LabelledRow> log = new ArrayList<>();
    private @Nullable LedgerVersion serving;
    private @Nullable Scorer scorer;
    private @Nullable RowBounds bounds;

    Stream(ModelSettings settings) {
      this.settings = settings;
    }

    LabelledRow next(LedgerVersion by) {
      if (!by.equals(serving)) {
        serving = by;
        scorer = Scorer.of(by.model());
        bounds = by.bounds();
      }
      int offset = log.size();
      double x = random.nextDouble();
      String environment =
          offset > 2_500 && offset % 5 == 0 ? "late" : offset % 3 == 0 ? "wide" : "";
      byte[] record = ExampleStream.record(x, COLORS.get(random.nextInt(1 + offset / 2_000)));
      double label = label(x, environment);
      double[] raw = new double[by.model().base().outputs()];
      double[] features = features(by, record);
      Objects.requireNonNull(scorer).score(features, raw);
      Promised promised =
          bounds == null
              ? null
              : Promised.of(bounds, environment, raw, bounds.spread(features, raw), label);
      LabelledRow row =
          new LabelledRow(
              new Position(0, offset, offset),
              record,
              label,
              1,
              environment,
              new Served(raw, by.number(), by.hash(), promised));
      log.add(row);
      return row;
    }

    private double label(double x, String environment) {
      double noise = environment.equals("wide") ? 3 : 1;
      return switch (settings.booster().objective().name()) {
        case "squared" -> 3 * x + noise * (0.1 + x) * random.nextDouble(-1, 1);
        case "softmax" ->
            random.nextDouble() < 0.25 * noise ? random.nextInt(3) : Math.floor(2.99 * x);
        default -> random.nextDouble() < (noise > 1 ? 0.5 : x) ? 1 : 0;
      };
    }

    private static double[] features(LedgerVersion by, byte[] record) {
      double[] features = new double[by.model().features().size()];
      try {
        var frame = ExampleStream.framing().open(record);
        by.decoder(frame.schema()).decode(record, frame.bodyOffset(), features);
      } catch (MalformedRecordException e) {
        throw new AssertionError(e);
      }
      return features;
    }
  }

  private static TrainerCore begun(ModelSettings settings, Ledger ledger) {
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    TrainerEvent.Begun begun = core.begin(ExampleStream.SCHEMA, TIME);
    publish(begun.version(), ledger);
    core.apply(begun);
    return core;
  }

  private static void publish(NewVersion version, Ledger ledger) {
    for (LedgerRecord record : version.records()) {
      assertThat(ledger.apply(record.key().toString(), record.value()))
          .isNotInstanceOf(Ledger.Event.Rejected.class);
    }
  }

  /** Feeds rows, each of which the core's serving version has scored. */
  private static List<WindowReport> feed(TrainerCore core, Ledger ledger, Stream stream, int rows) {
    List<WindowReport> reports = new ArrayList<>();
    for (int k = 0; k < rows; k++) {
      assertThat(core.add(stream.next(core.serving()))).isEmpty();
      conclude(core, ledger, reports);
    }
    return reports;
  }

  private static void conclude(TrainerCore core, Ledger ledger, List<WindowReport> reports) {
    core.completeWindow()
        .ifPresent(
            window -> {
              TrainerEvent.Concluded event = core.decide(window, TIME);
              if (event.outcome() instanceof TrainerEvent.Outcome.Trained trained) {
                publish(trained.version(), ledger);
              }
              reports.add(event.report());
              core.apply(event);
            });
  }

  private static LedgerVersion version(Ledger ledger, long number) {
    try {
      return ledger.version("m", number);
    } catch (LedgerException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"squared", "softmax", "logistic"})
  void served_labels_areWithinAsOftenAsPromised_byEnvironment(String objective) {
    ModelSettings settings =
        ExampleStream.settings(
            values("objective=" + objective + (objective.equals("softmax") ? "&classes=3" : "")));
    Ledger ledger = new Ledger();
    TrainerCore core = begun(settings, ledger);
    var stream = new Stream(settings);

    List<WindowReport> reports = feed(core, ledger, stream, ROWS);

    Map<String, int[]> counts = new TreeMap<>(); // rows, kept at 0.7, kept at 0.9
    for (LabelledRow row : stream.log.subList(1_000, ROWS)) {
      Promised promised = Objects.requireNonNull(row.served().promised());
      for (String name : List.of("all", row.environment())) {
        int[] of = counts.computeIfAbsent(name, key -> new int[3]);
        of[0]++;
        of[1] += promised.kept().get(0) ? 1 : 0;
        of[2] += promised.kept().get(1) ? 1 : 0;
      }
    }
    assertThat(counts.keySet()).containsExactly("", "all", "late", "wide");
    counts.forEach(
        (name, of) -> {
          double slack = name.equals("all") ? 0.02 : 0.05;
          if (objective.equals("squared")) { // sets of few classes hold more than is promised
            assertThat((double) of[1] / of[0]).as(name).isCloseTo(0.7, within(slack));
            assertThat((double) of[2] / of[0]).as(name).isCloseTo(0.9, within(slack));
          }
          assertThat((double) of[1] / of[0]).as(name).isGreaterThan(0.7 - slack);
          assertThat((double) of[2] / of[0]).as(name).isGreaterThan(0.9 - slack);
        });
    Uncertainty last = Objects.requireNonNull(core.tip().uncertainty());
    assertThat(last.thresholds().environments().keySet()).containsExactly("", "late", "wide");
    assertThat(last.spreads() != null).isEqualTo(objective.equals("squared"));
    checkReports(reports, stream.log.size(), counts);
  }

  /** Windows of 200 rows say of each level what rows do one by one. */
  private static void checkReports(
      List<WindowReport> reports, int rows, Map<String, int[]> counts) {
    assertThat(reports).hasSize(rows / 200);
    assertThat(reports.getFirst().getCoverage()).isEmpty();
    Map<String, double[]> told = new TreeMap<>();
    for (WindowReport report : reports.subList(5, reports.size())) {
      add(told, "all", report.getCoverage());
      report.getEnvironments().forEach(own -> add(told, own.getEnvironment(), own.getCoverage()));
    }
    counts.forEach(
        (name, of) -> {
          double[] said = Objects.requireNonNull(told.get(name));
          assertThat(said[0]).isEqualTo(of[0]);
          assertThat(said[1]).isCloseTo(of[1], within(1e-6));
          assertThat(said[2]).isCloseTo(of[2], within(1e-6));
        });
  }

  private static void add(Map<String, double[]> told, String name, List<LevelCoverage> coverage) {
    assertThat(coverage).extracting(LevelCoverage::getLevel).containsExactly(0.7, 0.9);
    assertThat(coverage.get(0).getWidth()).isLessThanOrEqualTo(coverage.get(1).getWidth());
    double[] of = told.computeIfAbsent(name, key -> new double[3]);
    of[0] += coverage.get(0).getRows();
    for (int level = 0; level < 2; level++) {
      of[1 + level] += coverage.get(level).getKept() * coverage.get(level).getRows();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "objective=squared",
        "objective=softmax&classes=3",
        "objective=logistic&uncertainty.calibration=beta&update.gate=better&update.margin=0.5",
        "objective=softmax&classes=3&uncertainty.calibration=beta",
        "update.policy=auto",
        "update.gate=better",
        "window.rows=40&window.memoryRows=700"
      })
  void versions_trainedAgain_haveTheHashesTheyHad(String changes) {
    ModelSettings settings = ExampleStream.settings(values(changes));
    Ledger ledger = new Ledger();
    TrainerCore core = begun(settings, ledger);
    var stream = new Stream(settings);
    feed(core, ledger, stream, changes.contains("auto") ? 1_200 : 2_400);

    int sure = 0;
    long newest = core.tip().number();
    assertThat(newest).isGreaterThan(5);
    for (long number = 1; number <= newest; number++) {
      LedgerVersion stored = version(ledger, number);
      sure += stored.uncertainty() == null ? 0 : 1;
      if (stored.manifest().getWindow().isEmpty()) {
        continue; // a constant before the first window
      }
      Rebuild.Result result =
          Rebuild.of(
              stored,
              version(ledger, stored.manifest().getParentVersion()),
              ExampleStream.framing(),
              ExampleStream.source(stream.log));
      assertThat(result.differences()).isEmpty();
      assertThat(result.same()).isTrue();
    }
    assertThat(sure).isGreaterThan(3);
  }

  @Test
  void core_restoredFromLedgerAndLog_continuesBitForBit() {
    ModelSettings settings = ExampleStream.settings(values("drift.action=report"));
    Ledger whole = new Ledger();
    TrainerCore undisturbed = begun(settings, whole);
    var stream = new Stream(settings);
    var _ = feed(undisturbed, whole, stream, 3_000);

    Ledger ledger = new Ledger();
    TrainerCore crashed = begun(settings, ledger);
    feed(crashed, ledger, new Stream(settings), 1_730);
    Progress progress = crashed.progress();
    TrainerCore restored = new TrainerCore(settings, ExampleStream.framing());
    restored.resume(standing(ledger), ledger.versions("m"), progress);
    restored.remember(
        ReplayPlan.after(ledger.versions("m").getLast(), progress),
        ExampleStream.source(stream.log));
    for (LabelledRow row : stream.log.subList(1_600, 3_000)) {
      assertThat(restored.add(row)).isEmpty();
      conclude(restored, ledger, new ArrayList<>());
    }

    assertThat(restored.tip().number()).isEqualTo(15);
    assertThat(restored.tip().uncertainty()).isNotNull();
    assertThat(restored.tip().hash()).isEqualTo(undisturbed.tip().hash());
  }

  private static Standing standing(Ledger ledger) {
    try {
      return Objects.requireNonNull(Standing.of(ledger, "m"));
    } catch (LedgerException e) {
      throw new AssertionError(e);
    }
  }

  /** Nothing of the model depends on it. */
  @Test
  void setting_changesNoTree() {
    ModelSettings with = ExampleStream.settings(values("drift.action=report"));
    Map<String, String> less = values("drift.action=report");
    less.remove("uncertainty.coverage");
    ModelSettings without = ExampleStream.settings(less);
    Ledger one = new Ledger();
    Ledger other = new Ledger();
    TrainerCore sure = begun(with, one);
    TrainerCore unsure = begun(without, other);
    feed(sure, one, new Stream(with), 1_400);
    feed(unsure, other, new Stream(without), 1_400);

    assertThat(sure.tip().uncertainty()).isNotNull();
    assertThat(unsure.tip().uncertainty()).isNull();
    assertThat(sure.tip().segments()).isEqualTo(unsure.tip().segments());
    assertThat(sure.tip().model()).isEqualTo(unsure.tip().model());
    assertThat(unsure.tip().manifest().getFormat()).isEqualTo(8);
    assertThat(unsure.tip().manifest().getSettings()).doesNotContain("uncertainty");
  }
}
