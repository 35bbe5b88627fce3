package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.schemas.avro.ComparedEnvironment;
import io.holdfast.schemas.avro.Comparison;
import io.holdfast.schemas.avro.DriftReport;
import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.FeatureDrift;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.lag.Lag;
import io.holdfast.schemas.lag.Stage;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.page.Chromium;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage.Subject;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.OutcomeMeters;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.holdfast.service.route.DeadLetters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard in a real browser; left out where none is installed. */
final class DashboardIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path profile;

  private final ModelSettings bikes = Bikes.settings();
  private final ModelSettings odds =
      ModelSettings.of("odds", Map.of("objective", "logistic", "label", "count"), key -> key);
  private final StandInStatus status = new StandInStatus();
  private final RecentReports reports = new RecentReports(List.of("bikes", "odds"), 100);
  private final ServedModels models =
      new ServedModels(
          List.of(bikes, odds),
          topic -> List.of(Bikes.RIDE),
          _ -> List.of(),
          new SimpleMeterRegistry(),
          InstantSource.fixed(Instant.EPOCH));
  private final BikesLedger ledger = new BikesLedger(models, bikes);

  @SuppressWarnings("NullAway.Init") // made before each test
  private ApplicationContext context;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedServer server;

  @SuppressWarnings("NullAway.Init")
  private Chromium browser;

  @BeforeEach
  void open() throws Exception {
    Optional<Path> program = Chromium.installed();
    assumeTrue(
        program.isPresent(),
        "no browser is installed: install Chromium or Chrome to test the dashboard");
    context =
        HttpContext.of("127.0.0.1", 0, Duration.ofSeconds(30))
            .singletons(models, reports, status, new StandInActions())
            .start();
    server = context.getBean(EmbeddedServer.class).start();
    browser = new Chromium(program.orElseThrow(), profile);
  }

  @AfterEach
  void close() {
    if (browser != null) {
      browser.close();
    }
    if (context != null) {
      context.close();
    }
  }

  @Test
  void life_fromNothingToVersionsAndTrouble() throws Exception {
    status.awaited = List.of("model bikes has no verified version yet");
    browser.open(server.getURI());
    awaitText("status", "Waiting");
    awaitText("notices", "model bikes has no verified version yet");
    awaitText("tile-version", "–");
    awaitVisible("loss-empty", true);

    status.awaited = List.of();
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    ledger.head(first, HeadReason.INITIAL);
    reports.add(report(1, 8, 10));
    awaitText("status", "Scoring");
    awaitText("tile-version", "0");
    awaitText("tile-loss", "8");
    awaitText("tile-loss-note", "20% below the constant model");
    awaitVisible("loss-empty", false);
    awaitVisible("environments-card", true);
    awaitText("windows", "learned from window 1");
    assertThat(text("versions")).contains(first.hash().hex().substring(0, 10), "serving");

    LedgerVersion second = ledger.publish(1, first, 0, 1);
    ledger.head(second, HeadReason.TRAINED);
    reports.add(report(2, 12, 10));
    MeterRegistry meters = context.getBean(MeterRegistry.class);
    OutcomeMeters.labels(meters, "bikes").count(LabelOutcome.LATE);
    new DeadLetters(meters, bikes).count(Subject.LABEL, "LATE");
    awaitText("tile-version", "1");
    awaitText("tile-loss-note", "20% above the constant model");
    awaitText("labels", "Late");
    awaitText("dead", "LATE");
    awaitText("versions", second.hash().hex().substring(0, 10));
    assertThat(number("document.querySelectorAll('.multiples figure').length")).isEqualTo(2);
    assertThat(number("document.querySelectorAll('canvas').length")).isEqualTo(4);

    models.apply("bikes/head", new byte[] {1}, 5_000);
    awaitVisible("rejections-card", true);

    status.failures = List.of("topology score stopped: no space");
    awaitText("status", "Stopped");
    awaitText("notices", "no space");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void troubles_areShownByNameWhereTheModelIs_andLagByStage() throws Exception {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);
    browser.open(server.getURI());
    awaitText("status", "Scoring");
    awaitVisible("troubles-card", false);
    awaitText("tile-lag-note", "not known");

    Trouble own =
        new Trouble("bikes", TroubleKind.REFUSED_REPEATEDLY, "5 in a row were", Instant.EPOCH);
    Trouble other = new Trouble("odds", TroubleKind.LAGGING, "54,000 wait", Instant.EPOCH);
    status.troubles = List.of(own, other);
    status.degraded = List.of("model bikes: 5 in a row were", "model odds: 54,000 wait");
    Stage train = new Stage("bikes", Stage.Kind.TRAIN, "g", "g", List.of(), 1, PATIENCE);
    status.lags = Map.of(train, new Lag(54_000, Duration.ofSeconds(61), false));

    awaitText("status", "Scoring, with trouble");
    awaitText("troubles", "refused-repeatedly");
    awaitText("troubles", "5 in a row were");
    awaitText("notices", "model odds: 54,000 wait");
    assertThat(text("notices")).doesNotContain("5 in a row");
    assertThat(number("document.querySelectorAll('#models .troubled').length")).isEqualTo(2);
    awaitText("tile-lag", "61 s");
    awaitText("tile-lag-note", "54,000 to learn from");

    status.troubles = List.of();
    status.degraded = List.of();
    awaitVisible("troubles-card", false);
    assertThat(text("status")).isEqualTo("Scoring");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void head_showsWhatIsPinnedWhatShadowsAndWhoWantedIt() throws Exception {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    LedgerVersion second = ledger.publish(1, first, 0, 1);
    ModelHead head = ledger.head(second, HeadReason.TRAINED);
    browser.open(server.getURI());
    awaitText("heads", "trained");
    awaitVisible("head", false);
    awaitVisible("shadows-card", false);

    ModelHead pinned = ledger.change(head, new HeadChange.Pinned(0), first, second);
    ledger.change(pinned, new HeadChange.Shadowed(1), first, second);
    reports.add(drifted(shadowed(report(1, 8, 10))));
    awaitText("windows", "rmse 2.5");
    awaitText("drift-note", "1 alarm");
    awaitText("drift", "temperature");
    awaitText("head", "version 0 is pinned");
    awaitText("head", "training grows from version 1");
    awaitText("head", "version 1 shadows it");
    awaitText("heads", "ana");
    awaitText("heads", "for a test");
    awaitText("versions", "servingpinned");
    awaitText("versions", "tipshadow");
    awaitText("shadows", "SUMMER");
    awaitText("shadows", "−25%");
    assertThat(number("document.querySelectorAll('#heads tr').length")).isEqualTo(3);
    assertThat(browser.complaints()).isEmpty();
  }

  private static WindowReport drifted(WindowReport report) {
    return WindowReport.newBuilder(report)
        .setExpected(new ExpectedReport(Map.of("rmse", 2.5), Map.of(), 1_000L))
        .setDrift(
            new DriftReport(
                42,
                List.of("Feature temperature in environment SUMMER is distributed otherwise."),
                false,
                false,
                null,
                List.of(),
                List.of(new FeatureDrift("SUMMER", "temperature", 0.4, 0.3, 1e-6, true))))
        .build();
  }

  private static WindowReport shadowed(WindowReport report) {
    return WindowReport.newBuilder(report)
        .setShadow(
            new Comparison(
                1L,
                null,
                1_000L,
                6.0,
                8.0,
                List.of(
                    new ComparedEnvironment("SPRING", 500L, 7.0, 8.0),
                    new ComparedEnvironment("SUMMER", 500L, 5.0, 8.0))))
        .build();
  }

  @Test
  void models_areChosenByLinkAndTheKeyboardReachesThem() throws Exception {
    browser.open(server.getURI());
    awaitText("name", "bikes");

    browser.press("Tab");
    assertThat(focused()).isEqualTo("Skip to the model");
    for (int presses = 0; presses < 3; presses++) {
      browser.press("Tab");
    }
    assertThat(focused()).isEqualTo("odds");
    browser.evaluate("document.activeElement.click()");
    awaitText("name", "odds");
    assertThat(browser.evaluate("document.title").asText()).isEqualTo("odds · Holdfast");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void arrowKeys_readTheChart() throws Exception {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);
    for (int window = 1; window <= 5; window++) {
      reports.add(report(window, window, 10));
    }
    browser.open(server.getURI());
    awaitText("loss-chart", "Window 5: served 5, constant 10");

    browser.evaluate("document.querySelector('#loss-chart .plot').focus()");
    browser.press("ArrowLeft");
    awaitText("loss-chart", "Window 4: served 4, constant 10");
    browser.press("ArrowLeft");
    awaitText("loss-chart", "Window 3: served 3, constant 10");
    browser.press("ArrowRight");
    awaitText("loss-chart", "Window 4: served 4, constant 10");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void lossesBelowZero_areComparedByTheirDifference() throws Exception {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);
    reports.add(report(1, -0.75, -0.5));
    browser.open(server.getURI());

    awaitText("tile-loss-note", "0.25 below the constant model");
    awaitText("windows", "mae 0.5 · rmse 1.25");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void anyWidthAndScheme_fitsTheWindow() throws Exception {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);
    reports.add(report(1, 8, 10));
    for (String scheme : List.of("light", "dark")) {
      for (int width : List.of(320, 768, 1600)) {
        browser.show(width, 800, scheme);
        browser.open(server.getURI());
        awaitText("windows", "learned from window 1");
        assertThat(number("document.documentElement.scrollWidth"))
            .as("%s wide, %s", width, scheme)
            .isLessThanOrEqualTo(width);
      }
    }
    assertThat(browser.complaints()).isEmpty();
  }

  private void awaitText(String id, String wanted) {
    await("text of " + id).atMost(PATIENCE).until(() -> text(id), text -> text.contains(wanted));
  }

  private void awaitVisible(String id, boolean wanted) {
    await("visibility of " + id)
        .atMost(PATIENCE)
        .until(
            () ->
                browser
                        .evaluate("document.getElementById('" + id + "').offsetParent !== null")
                        .asBoolean()
                    == wanted);
  }

  private String text(String id) throws Exception {
    return browser.evaluate("document.getElementById('" + id + "')?.textContent ?? ''").asText();
  }

  private String focused() throws Exception {
    return browser.evaluate("document.activeElement.textContent").asText();
  }

  private long number(String expression) throws Exception {
    return browser.evaluate(expression).asLong();
  }

  private static WindowReport report(long window, double loss, double constantLoss) {
    return WindowReport.newBuilder()
        .setFormat(1)
        .setModel("bikes")
        .setWindow(window)
        .setRanges(List.of())
        .setRows(1_000)
        .setUnusable(Map.of())
        .setServedVersions(List.of(window - 1))
        .setLoss(loss)
        .setConstantLoss(constantLoss)
        .setMetrics(new TreeMap<>(Map.of("mae", 0.5, "rmse", 1.25)))
        .setEnvironments(
            List.of(
                new EnvironmentReport("SPRING", 500L, loss, constantLoss, Map.of()),
                new EnvironmentReport("SUMMER", 500L, loss, constantLoss, Map.of())))
        .setPublishedVersion(window)
        .setDecision("learned from window " + window)
        .setTreesAppended(10)
        .setTreesTotal(10)
        .setTrainingMillis(5)
        .setAt(Instant.EPOCH)
        .build();
  }
}
