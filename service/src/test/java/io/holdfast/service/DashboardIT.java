package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.page.Chromium;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard in a real browser; left out where none is installed. {@code -Dholdfast.write=true}
 * takes the pictures of docs/pictures.
 */
final class DashboardIT {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** Each page, and an element that is there once it shows something. */
  private static final Map<String, String> PAGES =
      Map.of(
          "models", "#/ rows",
          "model", "#/rides importance",
          "versions", "#/rides/versions timeline",
          "record", "#/rides/record record",
          "dead-letters", "#/rides/dead-letters dead");

  @TempDir Path profile;

  private final Instant now = Instant.now();
  private final StandInStatus status = new StandInStatus();
  private final RecentReports reports = new RecentReports(DashboardStory.NAMES, 100);
  private final ServedModels models =
      new ServedModels(
          DashboardStory.NAMES.stream().map(DashboardStory::settings).toList(),
          topic -> List.of(Bikes.RIDE),
          _ -> List.of(),
          new SimpleMeterRegistry(),
          InstantSource.system());

  @SuppressWarnings("NullAway.Init") // made before each test
  private ApplicationContext context;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedServer server;

  @SuppressWarnings("NullAway.Init")
  private Chromium browser;

  @SuppressWarnings("NullAway.Init")
  private DashboardStory story;

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
    story = new DashboardStory(models, reports, status, context.getBean(MeterRegistry.class), now);
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
  void beforeAnything_eachPageSaysWhatIsMissing() throws Exception {
    status.awaited = List.of("model rides has no verified version yet");
    go("#/");
    awaitText("status", "Waiting");
    awaitText("notices", "model rides has no verified version yet");
    awaitText("rows", "no version yet");
    go("#/rides");
    awaitText("loss-empty", "No window has been reported yet");
    awaitText("distribution-empty", "Nothing has been scored");
    assertThat(text("tile-version")).isEqualTo("–");
    go("#/rides/versions");
    awaitText("versions-empty", "No version yet");
    go("#/rides/dead-letters");
    awaitText("dead-empty", "None since this instance started");
    go("#/boats");
    awaitText("page", "The configuration has no model boats");
    status.failures = List.of("topology score stopped: no space");
    awaitText("status", "Stopped");
    awaitText("notices", "no space");
  }

  @Test
  void models_standWorstFirst_withTheWordAndTheFiguresOfTheApi() throws Exception {
    story.tell();
    go("#/");
    awaitText("summary", "3 unhealthy · 1 healthy");
    assertThat(list("[...document.querySelectorAll('#rows tr')].map((row) => row.dataset.model)"))
        .containsExactly("fraud", "rides", "demand", "parcels");
    assertThat(list("[...document.querySelectorAll('#rows .chip')].map((one) => one.textContent)"))
        .containsExactly("losing to the baseline", "worst environment", "behind", "healthy");
    JsonNode rides = model("rides");
    String row = textOf("document.querySelector('#rows tr[data-model=rides]')");
    assertThat(row)
        .contains(rides.get("state").get("reason").asText(), "v38", "in environment Delft")
        .contains("48,000 scored", "95.8%", "UNKNOWN_SCHEMA", "worst: Delft +");

    status.troubles =
        List.of(new Trouble("parcels", TroubleKind.STOPPED, "it ended: no space", now));
    awaitText("announce", "parcels: stopped");
    assertThat(list("[...document.querySelectorAll('#rows tr')].map((row) => row.dataset.model)"))
        .startsWith("parcels");
    browser.evaluate("document.querySelector('#rows a').click()");
    awaitText("name", "parcels");
    awaitText("findings", "it ended: no space");
    checkConduct();
  }

  @Test
  void charts_holdWhatTheApiSays_andTheTableBehindThemToo() throws Exception {
    story.tell();
    go("#/rides");
    awaitText("windows", "learned from window 48");
    JsonNode told = api("/api/v1/models/rides/reports?limit=1000");
    JsonNode drawn = browser.evaluate("document.querySelector('#loss-chart .plot').shows");
    assertThat(told).hasSize(48);
    for (int i = 0; i < told.size(); i++) {
      assertThat(drawn.get(0).get(i).asLong()).isEqualTo(told.get(i).get("window").asLong());
      assertThat(drawn.get(1).get(i).asDouble()).isEqualTo(told.get(i).get("loss").asDouble());
      assertThat(drawn.get(2).get(i).asDouble())
          .isEqualTo(told.get(i).get("constantLoss").asDouble());
    }
    assertThat(number("document.querySelectorAll('#loss-table tr').length")).isEqualTo(48);
    assertThat(
            list("[...document.querySelectorAll('.multiples h3')].map((one) => one.textContent)"))
        .hasSize(4)
        .startsWith("Delft");
    JsonNode delft = browser.evaluate("document.querySelector('#environments .plot').shows[1]");
    for (int i = 0; i < told.size(); i++) {
      assertThat(delft.get(i).asDouble())
          .isEqualTo(told.get(i).get("environments").get(3).get("loss").asDouble());
    }
    JsonNode worth = api("/api/v1/models/rides/importance").get("features");
    assertThat(number("document.querySelectorAll('#importance tr').length"))
        .isEqualTo(worth.size());
    assertThat(text("importance")).startsWith(worth.get(0).get("feature").asText());
    assertThat(text("drift-note")).contains("Window 48: 32 tests, 1 alarm");
    assertThat(text("drift-heat")).contains("temperature", "Delft", "0.32 !");
    assertThat(text("calibration-metric")).contains("rmse");
    assertThat(text("gamma")).contains("In force");
    assertThat(text("trainer")).contains("waits for its next window", "288 ms");
    assertThat(text("labels")).contains("460", "Records without label");
    checkConduct();
  }

  @Test
  void arrowKeys_readTheChart_andTheKeyboardReachesEverything() throws Exception {
    story.tell();
    go("#/");
    awaitText("rows", "fraud");
    browser.press("Tab");
    assertThat(focused()).isEqualTo("Skip to the content");
    browser.evaluate("document.activeElement.click()");
    assertThat(browser.evaluate("document.activeElement.id").asText()).isEqualTo("main");
    browser.press("Tab");
    assertThat(focused()).isEqualTo("fraud");

    go("#/rides");
    awaitText("loss-chart", "Window 48: served");
    browser.evaluate("document.querySelector('#loss-chart .plot').focus()");
    browser.press("ArrowLeft");
    awaitText("loss-chart", "Window 47: served");
    browser.press("ArrowLeft");
    browser.press("ArrowRight");
    awaitText("loss-chart", "Window 47: served");
    checkConduct();
  }

  @Test
  void versions_sayWhatTheyLearnedFrom_whatTheGateDecided_andWhatDiffers() throws Exception {
    story.tell();
    go("#/rides/versions");
    awaitText("timeline", "Version 38");
    assertThat(text("head")).contains("Version 38 serves", "trained by trainer");
    assertThat(text("timeline"))
        .contains("grew from version 37", "1,000 rows of window 48", "Gate: passed")
        .contains("Window 47: no version", "Gate: not passed");
    assertThat(textOf("document.querySelector('#timeline .serving h3')")).startsWith("Version 38");
    awaitText("diff", "Published");
    browser.evaluate(
        "const one = document.getElementById('diff-right'); one.value = '3';"
            + " one.dispatchEvent(new Event('change'))");
    awaitText("diff", "version 2");
    assertThat(text("heads")).contains("trained", "trainer");
    checkConduct();
  }

  @Test
  void record_isScoredExplainedAndCompared_asTheApiDoes() throws Exception {
    story.tell();
    go("#/rides/record");
    await().atMost(PATIENCE).until(() -> value("record").contains("temperature"));
    String record = "{\"temperature\": 25, \"season\": \"SUMMER\"}";
    browser.evaluate("document.getElementById('record').value = '" + record + "'");
    browser.evaluate("document.getElementById('score').click()");
    awaitText("result", "Score before the link");
    double prediction = Double.parseDouble(text("prediction"));
    assertThat(prediction).isCloseTo(0.5 + 0.2 * 48, within(1e-9));
    assertThat(number("document.querySelectorAll('#compare tr').length")).isEqualTo(5);
    assertThat(text("compare")).contains("v38 (serves)", "v34");
    assertThat(text("why-0")).contains("temperature", "25");

    browser.evaluate("document.getElementById('record').value = '{\"warmth\": 3}'");
    browser.evaluate("document.getElementById('score').click()");
    awaitText("record-problem", "field warmth is not in the record schema");
  }

  @Test
  void deadLetters_areCountedByReason_withWhatToDo() throws Exception {
    story.tell();
    go("#/rides/dead-letters");
    awaitText("dead", "UNKNOWN_SCHEMA");
    assertThat(list("[...document.querySelectorAll('#dead tr')].map((row) => row.textContent)"))
        .containsExactly("UNKNOWN_SCHEMA9", "TRUNCATED3", "BAD_LABEL1");
    assertThat(text("commands")).contains("holdfast dead-letters redrive");
    awaitText("dead-chart", "13 since the start");
  }

  @Test
  void silence_isSaid_andWhatWasSaidLastStays() throws Exception {
    story.tell();
    go("#/");
    awaitText("rows", "fraud");
    server.stop();
    awaitText("status", "No answer");
    awaitText("notices", "What is shown is what it said");
    assertThat(text("rows")).contains("fraud");
  }

  @Test
  void everyPage_fitsAnyWidth_andAxeFindsNoSeriousFault() throws Exception {
    story.tell();
    List<String> faults = new ArrayList<>();
    for (String name : PAGES.keySet()) {
      for (String scheme : List.of("light", "dark")) {
        for (int width : List.of(320, 768, 1440)) {
          show(name, width, 900, scheme);
          assertThat(number("document.documentElement.scrollWidth"))
              .as("%s, %s wide", name, width)
              .isLessThanOrEqualTo(width);
        }
        axe().forEach(fault -> faults.add(name + ", " + scheme + ": " + fault));
      }
    }
    assertThat(faults).isEmpty();
    checkConduct();
  }

  @Test
  void pictures() throws Exception {
    assumeTrue(Boolean.getBoolean("holdfast.write"), "taken with -Dholdfast.write=true alone");
    Path folder = Path.of(System.getProperty("holdfast.root", "..")).resolve("docs/pictures");
    story.tell();
    for (String name : PAGES.keySet()) {
      for (String scheme : List.of("light", "dark", "phone")) {
        boolean phone = scheme.equals("phone");
        show(name, phone ? 390 : 1280, phone ? 844 : 860, phone ? "light" : scheme);
        Files.write(folder.resolve("dashboard-" + name + "-" + scheme + ".png"), browser.picture());
      }
    }
  }

  private void show(String name, int width, int height, String scheme) throws Exception {
    String[] page = PAGES.getOrDefault(name, "").split(" ", -1);
    browser.show(width, height, scheme);
    browser.evaluate("location.hash = ''");
    go(page[0]);
    await("page " + name)
        .atMost(PATIENCE)
        .until(
            () ->
                page[1].equals("record")
                    ? value("record").contains("temperature")
                    : !text(page[1]).isBlank());
    if (name.equals("record")) {
      browser.evaluate("document.getElementById('score').click()");
      awaitText("result", "Score before the link");
    }
  }

  /** What axe says is serious or worse, a line each. */
  private List<String> axe() throws Exception {
    try (InputStream script = DashboardIT.class.getResourceAsStream("/axe.min.js")) {
      assertThat(script).as("axe").isNotNull();
      browser.evaluate(new String(script.readAllBytes(), StandardCharsets.UTF_8) + ";0");
    }
    JsonNode found = browser.evaluate("axe.run().then((result) => result.violations)");
    List<String> faults = new ArrayList<>();
    for (JsonNode fault : found) {
      if (List.of("serious", "critical").contains(fault.get("impact").asText())) {
        faults.add(
            fault.get("id").asText()
                + " "
                + fault.get("nodes").findValuesAsText("html").stream().limit(3).toList());
      }
    }
    return faults;
  }

  /** No error in the console, and nothing asked of another server. */
  private void checkConduct() {
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests())
        .filteredOn(url -> url.startsWith("http"))
        .isNotEmpty()
        .allMatch(url -> url.startsWith(server.getURI().toString()));
  }

  private void go(String hash) throws Exception {
    URI page = server.getURI().resolve("/");
    if (browser.evaluate("location.host").asText().equals(page.getAuthority())) {
      browser.evaluate("location.hash = '" + hash + "'");
    } else {
      browser.open(URI.create(page + hash));
    }
  }

  private JsonNode api(String path) throws Exception {
    try (InputStream answer = server.getURI().resolve(path).toURL().openStream()) {
      return new ObjectMapper().readTree(answer);
    }
  }

  private JsonNode model(String name) throws Exception {
    return api("/api/v1/models/" + name);
  }

  private void awaitText(String id, String wanted) {
    await("text of " + id).atMost(PATIENCE).until(() -> text(id), text -> text.contains(wanted));
  }

  private String text(String id) throws Exception {
    return textOf("document.getElementById('" + id + "')");
  }

  private String textOf(String element) throws Exception {
    return browser.evaluate(element + "?.textContent ?? ''").asText();
  }

  private String value(String id) throws Exception {
    return browser.evaluate("document.getElementById('" + id + "')?.value ?? ''").asText();
  }

  private String focused() throws Exception {
    return browser.evaluate("document.activeElement.textContent").asText();
  }

  private long number(String expression) throws Exception {
    return browser.evaluate(expression).asLong();
  }

  private List<String> list(String expression) throws Exception {
    List<String> all = new ArrayList<>();
    browser.evaluate(expression).forEach(one -> all.add(one.asText()));
    return all;
  }
}
