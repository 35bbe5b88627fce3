package io.holdfast.service;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.avro.CalibrationBin;
import io.holdfast.schemas.avro.Comparison;
import io.holdfast.schemas.avro.DriftReport;
import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.FeatureDrift;
import io.holdfast.schemas.avro.GateReport;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.Interval;
import io.holdfast.schemas.avro.LevelCoverage;
import io.holdfast.schemas.avro.LossChange;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ReasonReport;
import io.holdfast.schemas.avro.RisenEnvironment;
import io.holdfast.schemas.avro.SubgroupReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.lag.Lag;
import io.holdfast.schemas.lag.Stage;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadMove;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.service.heads.HeadActions;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.OutcomeMeters;
import io.holdfast.service.label.RecordOutcome;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.holdfast.service.route.DeadLetters;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Four models, each with something else to be seen, over some fifty windows. Does what is asked for
 * heads, by the rules of the ledger.
 */
final class DashboardStory implements HeadActions {
  static final List<String> NAMES = List.of("rides", "demand", "fraud", "parcels");

  private static final String DOUBT =
      "In the last 20 windows it was off by 2.31, the figure of the window before by 1.18: labels"
          + " no longer depend on features as they did.";
  private static final int WINDOWS = 48;
  private static final List<String> CITIES = List.of("Aarhus", "Bergen", "Coimbra", "Delft");

  private final ServedModels models;
  private final RecentReports reports;
  private final StandInStatus status;
  private final Instant now;
  private final Random random = new Random(7);

  DashboardStory(ServedModels models, RecentReports reports, StandInStatus status, Instant now) {
    this.models = models;
    this.reports = reports;
    this.status = status;
    this.now = now;
  }

  static ModelSettings settings(String name) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("objective", "squared");
    keys.put("label", "count");
    keys.put("environment", "season");
    return ModelSettings.of(name, keys, key -> key);
  }

  /** All that has happened. */
  void tell() {
    tell("rides", (window, city) -> city.equals("Delft") && window > 30 ? 1.25 : 0.35);
    tell("demand", (window, city) -> 0.4);
    tell("fraud", (window, city) -> window > 36 ? 1.2 : 0.5);
    tell("parcels", (window, city) -> 0.3);
    status.troubles =
        List.of(
            new Trouble(
                "fraud",
                TroubleKind.WORSE_THAN_CONSTANT,
                "over the newest rows what serves loses 0.61 a row, where the best constant loses"
                    + " 0.5: see whether labels belong to their records",
                now.minusSeconds(2_400)),
            new Trouble(
                "demand",
                TroubleKind.LAGGING,
                "54,000 records wait to be scored, the oldest for 61 s: add instances",
                now.minusSeconds(300)));
    Map<Stage, Lag> lags = new LinkedHashMap<>();
    for (String name : NAMES) {
      Stage score =
          new Stage(name, Stage.Kind.SCORE, "s", "s", List.of(), 1, Duration.ofSeconds(60));
      Stage train =
          new Stage(name, Stage.Kind.TRAIN, "t", "t", List.of(), 1, Duration.ofSeconds(60));
      boolean late = name.equals("demand");
      lags.put(score, new Lag(late ? 54_000 : 12, Duration.ofSeconds(late ? 61 : 0), false));
      lags.put(train, new Lag(420, Duration.ZERO, false));
    }
    status.lags = lags;
  }

  private interface Ratio {
    /** A city's loss as a share of its constant's. */
    double at(int window, String city);
  }

  private void tell(String name, Ratio ratio) {
    BikesLedger ledger = new BikesLedger(models, settings(name));
    LedgerVersion version = publish(ledger, 0, null, 0);
    for (int window = 1; window <= WINDOWS; window++) {
      boolean refused = window % 5 == 2;
      long served = version.number();
      if (!refused) {
        version = publish(ledger, served + 1, version, window);
      }
      reports.add(report(name, window, served, refused ? null : version.number(), ratio));
    }
  }

  /** Publishes a version, and lets it serve. */
  private LedgerVersion publish(
      BikesLedger ledger, long number, @Nullable LedgerVersion parent, int window) {
    Instant at = at(window);
    LedgerCodec.Encoded encoded = LedgerCodec.encode(ledger.draft(number, parent, model(window)));
    encoded.records().forEach(record -> ledger.apply(record, at.toEpochMilli()));
    HeadReason reason = parent == null ? HeadReason.INITIAL : HeadReason.TRAINED;
    LedgerCodec.records(LedgerCodec.head(encoded.version(), reason, "trainer", "", at))
        .forEach(record -> ledger.apply(record, at.toEpochMilli()));
    return encoded.version();
  }

  /** Three trees, of the temperature, the wind and the season. */
  private static Model model(int window) {
    double[][] leaves = {{-2 + 0.1 * window, 0.2 * window}, {1.5, -0.5}, {-0.75, 0.5}};
    List<Tree> trees = new ArrayList<>();
    for (int k = 0; k < leaves.length; k++) {
      long[] left = k == 2 ? new long[] {1} : new long[] {};
      trees.add(
          new Tree(
                  new int[] {k},
                  new double[] {k == 0 ? 20 : k == 1 ? 8 : 0},
                  new boolean[] {true},
                  new long[][] {left},
                  new int[] {-1},
                  new int[] {-2},
                  leaves[k])
              .withStatistics(new float[] {90 - 40 * k}, new float[] {30, 10}));
    }
    Model known = Bikes.version(0, settings("rides"), 0, 0).model();
    return new Model(
        known.objective(), known.features(), 12, List.of(new Segment(List.copyOf(trees))));
  }

  @Override
  public HeadMove apply(String model, HeadChange change, String by, String why, boolean dryRun)
      throws LedgerException {
    ModelHead before = models.heads(model).getFirst();
    HeadRules.Versions known =
        new HeadRules.Versions() {
          @Override
          public Digest verified(long version) {
            return models.versions(model).stream()
                .filter(one -> one.number() == version)
                .findFirst()
                .orElseThrow()
                .hash();
          }

          @Override
          public boolean grewFrom(long version, long ancestor) {
            return version >= ancestor;
          }
        };
    ModelHead after =
        HeadRules.next(
            before,
            change,
            known,
            settings(model).update().gate(),
            new HeadRules.Author(by, why, now));
    if (!dryRun) {
      BikesLedger ledger = new BikesLedger(models, settings(model));
      LedgerCodec.records(after).forEach(record -> ledger.apply(record, now.toEpochMilli()));
    }
    return new HeadMove(before, after);
  }

  @Override
  public HeadMove climb(String model, double gamma, String by, String why, boolean dryRun) {
    throw new UnsupportedOperationException("these versions have no ladder");
  }

  private Instant at(int window) {
    return now.minus(Duration.ofMinutes(10L * (WINDOWS - window)));
  }

  private WindowReport report(
      String name, int window, long served, @Nullable Long published, Ratio ratio) {
    List<EnvironmentReport> cities = new ArrayList<>();
    double loss = 0;
    double constant = 0;
    for (int k = 0; k < CITIES.size(); k++) {
      String city = CITIES.get(k);
      double baseline = 20 + 4 * k + 3 * Math.sin(window / 5.0 + k) + random.nextDouble();
      double share = window < 4 ? 1.4 - 0.2 * window : ratio.at(window, city);
      double own = baseline * share * (0.9 + 0.2 * random.nextDouble());
      cities.add(
          new EnvironmentReport(city, 250L, own, baseline, Map.of(), bins(k, share), coverage(k)));
      loss += own / CITIES.size();
      constant += baseline / CITIES.size();
    }
    double found = Math.sqrt(loss);
    return WindowReport.newBuilder()
        .setFormat(6)
        .setModel(name)
        .setWindow(window)
        .setRanges(List.of())
        .setRows(1_000)
        .setUnusable(Map.of())
        .setServedVersions(List.of(served))
        .setLoss(loss)
        .setConstantLoss(constant)
        .setMetrics(new TreeMap<>(Map.of("mae", found * 0.8, "rmse", found)))
        .setEnvironments(cities)
        .setPublishedVersion(published)
        .setDecision(
            published == null
                ? "No version: the new trees lose more on held-out rows than those before."
                : "Version " + published + " has 40 new trees, learned from window " + window + ".")
        .setTreesAppended(published == null ? 0 : 40)
        .setTreesTotal(200)
        .setTrainingMillis(240 + window)
        .setAt(at(window))
        .setTipVersion(served)
        .setGate(
            new GateReport(
                published != null,
                0.02,
                new Comparison(
                    served + 1, served, 200L, published == null ? 9.4 : 7.1, 8.2, List.of())))
        .setExpected(
            expected(
                found * (0.95 + 0.1 * random.nextDouble()),
                1_000,
                name.equals("rides") ? DOUBT : null))
        .setDrift(name.equals("rides") ? drift(window) : null)
        .setCalibration(bins(4, window / 48.0))
        .setCoverage(List.of(new LevelCoverage(0.9, 1_000L, 0.895, 12.5)))
        .setReason(name.equals("rides") && window % 20 == 5 ? reason(loss) : null)
        .build();
  }

  static ExpectedReport expected(double rmse, long rows, @Nullable String doubt) {
    Map<String, Double> low = Map.of("rmse", rmse * 0.85);
    Map<String, Double> high = Map.of("rmse", rmse * 1.15);
    return new ExpectedReport(Map.of("rmse", rmse), Map.of(), rows, low, high, 0.6 * rows, doubt);
  }

  private static ReasonReport reason(double loss) {
    return ReasonReport.newBuilder()
        .setSentence(
            "Loss rose by 6.1 (4.2 to 8.0), from 12.3 to 18.4: mostly labels given the features"
                + " (5.2, 3.1 to 7.3), most in rows with temperature ≥ 21 and city = Delft (18 % of"
                + " rows, +24.5, 19.1 to 29.9).")
        .setEnvironment("")
        .setChange(LossChange.LABELS)
        .setRowsBefore(4_000)
        .setRows(1_000)
        .setLossBefore(loss - 6.1)
        .setLoss(loss)
        .setRise(new Interval(6.1, 4.2, 8.0))
        .setFeatures(new Interval(0.9, -0.8, 2.6))
        .setLabels(new Interval(5.2, 3.1, 7.3))
        .setOverlap(0.81)
        .setSubgroup(
            new SubgroupReport(
                List.of("temperature ≥ 21", "city = Delft"),
                0.17,
                0.18,
                new Interval(24.5, 19.1, 29.9)))
        .setEnvironments(
            List.of(
                new RisenEnvironment("Delft", 1_000L, 250L, new Interval(21.4, 15.2, 27.6)),
                new RisenEnvironment("Bergen", 1_000L, 250L, new Interval(0.4, -1.2, 2.0))))
        .build();
  }

  /** The fewer the further down the list. */
  private static List<LevelCoverage> coverage(int city) {
    return List.of(new LevelCoverage(0.9, 250L, 0.91 - 0.01 * city, 11.0 + city));
  }

  /** Scores that are off by a quarter of a share. */
  private static List<CalibrationBin> bins(int city, double share) {
    List<CalibrationBin> bins = new ArrayList<>();
    for (int k = 0; k < 8; k++) {
      double predicted = 4.0 * k + city;
      bins.add(new CalibrationBin(30L + k, predicted, predicted * (1.1 - share / 4)));
    }
    return bins;
  }

  private DriftReport drift(int window) {
    boolean alarms = window > 28;
    List<FeatureDrift> features = new ArrayList<>();
    IntFunction<String> feature = k -> List.of("temperature", "weather.wind", "").get(k);
    for (int k = 0; k < 3; k++) {
      for (String city : List.of("", "Aarhus", "Delft")) {
        double psi = 0.02 + (alarms && city.equals("Delft") ? 0.3 - 0.1 * k : 0.05 * k);
        features.add(
            new FeatureDrift(city, feature.apply(k), psi, psi / 2, 0.01, alarms && psi > 0.25));
      }
    }
    return new DriftReport(
        32,
        alarms
            ? List.of("Feature temperature in environment Delft is distributed otherwise.")
            : List.of(),
        alarms,
        false,
        null,
        List.of(),
        features);
  }

  /** As if more records had come. */
  void more(MeterRegistry meters) {
    for (int i = 0; i < NAMES.size(); i++) {
      meters.counter("holdfast.records.scored", "model", NAMES.get(i)).increment(40 + 35.0 * i);
    }
  }

  /** As if this instance had scored and joined. */
  void count(MeterRegistry meters) {
    for (String name : NAMES) {
      meters.counter("holdfast.records.scored", "model", name).increment(48_000);
      var labels = OutcomeMeters.labels(meters, name);
      var without = OutcomeMeters.records(meters, name);
      for (int i = 0; i < 460; i++) {
        labels.count(LabelOutcome.USED);
      }
      for (int i = 0; i < 20; i++) {
        without.count(RecordOutcome.UNLABELLED);
      }
    }
    var letters = new DeadLetters(meters, settings("rides"));
    for (int i = 0; i < 12; i++) {
      letters.count(Subject.RECORD, i < 9 ? "UNKNOWN_SCHEMA" : "TRUNCATED");
    }
    letters.count(Subject.LABEL, "BAD_LABEL");
  }
}
