package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard in a real browser; left out where none is installed. {@code -Dholdfast.write=true}
 * takes the pictures of docs/pictures.
 */
final class DashboardIT {
  /** Each page, and an element that is there once it shows something. */
  private static final Map<String, String> PAGES =
      Map.of(
          "models", "#/ rows",
          "model", "#/rides importance",
          "versions", "#/rides/versions timeline",
          "record", "#/rides/record record",
          "dead-letters", "#/rides/dead-letters dead");

  @TempDir Path profile;

  @SuppressWarnings("NullAway.Init") // made before each test
  private DashboardWorld world;

  @BeforeEach
  void open() throws Exception {
    world = new DashboardWorld(profile, Security.NONE);
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void beforeAnything_eachPageSaysWhatIsMissing() throws Exception {
    world.status.awaited = List.of("model rides has no verified version yet");
    world.go("#/");
    world.awaitText("status", "Waiting");
    world.awaitText("notices", "model rides has no verified version yet");
    world.awaitText("rows", "no version yet");
    world.go("#/rides");
    world.awaitText("loss-empty", "No window has been reported yet");
    world.awaitText("distribution-empty", "Nothing has been scored");
    assertThat(world.text("tile-version")).isEqualTo("–");
    world.go("#/rides/versions");
    world.awaitText("versions-empty", "No version yet");
    world.go("#/rides/dead-letters");
    world.awaitText("dead-empty", "None since this instance started");
    world.go("#/boats");
    world.awaitText("page", "The configuration has no model boats");
    world.status.failures = List.of("topology score stopped: no space");
    world.awaitText("status", "Stopped");
    world.awaitText("notices", "no space");
  }

  @Test
  void models_standWorstFirst_withTheWordAndTheFiguresOfTheApi() throws Exception {
    world.story.tell();
    world.go("#/");
    world.awaitText("summary", "3 unhealthy · 1 healthy");
    assertThat(
            world.list(
                "[...document.querySelectorAll('#rows tr')].map((row) => row.dataset.model)"))
        .containsExactly("fraud", "rides", "demand", "parcels");
    assertThat(
            world.list(
                "[...document.querySelectorAll('#rows .chip')].map((one) => one.textContent)"))
        .containsExactly("losing to the baseline", "worst environment", "behind", "healthy");
    JsonNode rides = world.model("rides");
    String row = world.textOf("document.querySelector('#rows tr[data-model=rides]')");
    assertThat(row)
        .contains(rides.get("state").get("reason").asText(), "v38", "in environment Delft")
        .contains("48,000 scored", "95.8%", "UNKNOWN_SCHEMA", "worst: Delft +");

    world.status.troubles =
        List.of(new Trouble("parcels", TroubleKind.STOPPED, "it ended: no space", world.now));
    world.awaitText("announce", "parcels: stopped");
    assertThat(
            world.list(
                "[...document.querySelectorAll('#rows tr')].map((row) => row.dataset.model)"))
        .startsWith("parcels");
    world.browser.evaluate("document.querySelector('#rows a').click()");
    world.awaitText("name", "parcels");
    world.awaitText("state", "it ended: no space");
    world.checkConduct();
  }

  private void checkReason(JsonNode reason) throws Exception {
    assertThat(world.text("reason-sentence")).isEqualTo(reason.get("sentence").asText());
    JsonNode parts = world.browser.evaluate("document.querySelector('#reason svg').shows");
    assertThat(parts).hasSize(6);
    assertThat(parts.get(0).get("low").asDouble()).isEqualTo(reason.at("/rise/low").asDouble());
    assertThat(parts.get(3).get("name").asText())
        .isEqualTo("rows with temperature ≥ 21 and city = Delft");
    assertThat(world.number("document.querySelectorAll('#reason-table tr').length")).isEqualTo(3);
  }

  private void checkCoverage(JsonNode told) throws Exception {
    JsonNode delft =
        world.browser.evaluate("document.querySelectorAll('#coverage .plot')[1].shows");
    assertThat(
            world.list(
                "[...document.querySelectorAll('#coverage h3')].map((one) => one.textContent)"))
        .hasSize(5)
        .startsWith("all rows", "Delft"); // which falls short most
    for (int i = 0; i < told.size(); i++) {
      assertThat(delft.get(1).get(i).asDouble())
          .isEqualTo(told.get(i).at("/environments/3/coverage/0/kept").asDouble());
      assertThat(delft.get(2).get(i).asDouble()).isEqualTo(0.9);
    }
    assertThat(world.text("coverage-table")).contains("Delft", "0.88", "12,000", "14");
    JsonNode widths =
        world.browser.evaluate("document.querySelector('#width-chart .plot').shows[1]");
    for (int i = 0; i < told.size(); i++) {
      assertThat(widths.get(i).asDouble())
          .isEqualTo(told.get(i).at("/coverage/0/width").asDouble());
    }
  }

  @Test
  void charts_holdWhatTheApiSays_andTheTableBehindThemToo() throws Exception {
    world.story.tell();
    world.go("#/rides");
    world.awaitText("windows", "learned from window 48");
    JsonNode told = world.api("/api/v1/models/rides/reports?limit=1000");
    JsonNode drawn = world.browser.evaluate("document.querySelector('#loss-chart .plot').shows");
    assertThat(told).hasSize(48);
    for (int i = 0; i < told.size(); i++) {
      assertThat(drawn.get(0).get(i).asLong()).isEqualTo(told.get(i).get("window").asLong());
      assertThat(drawn.get(1).get(i).asDouble()).isEqualTo(told.get(i).get("loss").asDouble());
      assertThat(drawn.get(2).get(i).asDouble())
          .isEqualTo(told.get(i).get("constantLoss").asDouble());
    }
    assertThat(world.number("document.querySelectorAll('#loss-table tr').length")).isEqualTo(48);
    assertThat(
            world.list(
                "[...document.querySelectorAll('#environments h3')].map((one) => one.textContent)"))
        .hasSize(4)
        .startsWith("Delft");
    JsonNode delft =
        world.browser.evaluate("document.querySelector('#environments .plot').shows[1]");
    for (int i = 0; i < told.size(); i++) {
      assertThat(delft.get(i).asDouble())
          .isEqualTo(told.get(i).get("environments").get(3).get("loss").asDouble());
    }
    JsonNode worth = world.api("/api/v1/models/rides/importance").get("features");
    assertThat(world.number("document.querySelectorAll('#importance tr').length"))
        .isEqualTo(worth.size());
    assertThat(world.text("importance")).startsWith(worth.get(0).get("feature").asText());
    assertThat(world.text("drift-note")).contains("Window 48: 32 tests, 1 alarm");
    assertThat(world.text("drift-heat")).contains("temperature", "Delft", "0.32 !");
    checkReason(told.get(44).get("reason"));
    assertThat(world.text("calibration-metric")).contains("rmse");
    JsonNode bins = told.get(47).get("calibration");
    assertThat(bins).isNotEmpty();
    JsonNode dots = world.browser.evaluate("document.querySelector('#reliability svg').shows");
    assertThat(dots).hasSameSizeAs(bins);
    for (int i = 0; i < bins.size(); i++) {
      for (String figure : List.of("rows", "predicted", "observed")) {
        assertThat(dots.get(i).get(figure).asDouble())
            .isEqualTo(bins.get(i).get(figure).asDouble());
      }
    }
    assertThat(
            world.list(
                "[...document.querySelectorAll('#reliability h3')].map((one) => one.textContent)"))
        .hasSize(5)
        .startsWith("all rows", "Delft");
    assertThat(world.number("document.querySelectorAll('#reliability-table tr').length"))
        .isEqualTo(5L * bins.size());
    checkCoverage(told);
    assertThat(world.number("document.querySelectorAll('#story li').length")).isEqualTo(6);
    assertThat(world.textOf("document.querySelector('#story li')"))
        .startsWith("Windows 41 to 48: ")
        .contains("the model loses to the constant in Delft", "Versions 32 to 37 served", "alarms");
    assertThat(world.text("gamma")).contains("In force");
    assertThat(world.text("trainer")).contains("waits for its next window", "288 ms");
    assertThat(world.text("labels")).contains("460", "Records without label");
    world.checkConduct();
  }

  @Test
  void arrowKeys_readTheChart_andTheKeyboardReachesEverything() throws Exception {
    world.story.tell();
    world.go("#/");
    world.awaitText("rows", "fraud");
    world.browser.press("Tab");
    assertThat(world.focused()).isEqualTo("Skip to the content");
    world.browser.evaluate("document.activeElement.click()");
    assertThat(world.browser.evaluate("document.activeElement.id").asText()).isEqualTo("main");
    world.browser.press("Tab");
    assertThat(world.focused()).isEqualTo("fraud");

    world.go("#/rides");
    world.awaitText("loss-chart", "Window 48: served");
    world.browser.evaluate("document.querySelector('#loss-chart .plot').focus()");
    world.browser.press("ArrowLeft");
    world.awaitText("loss-chart", "Window 47: served");
    world.browser.press("ArrowLeft");
    world.browser.press("ArrowRight");
    world.awaitText("loss-chart", "Window 47: served");
    world.checkConduct();
  }

  @Test
  void versions_sayWhatTheyLearnedFrom_whatTheGateDecided_andWhatDiffers() throws Exception {
    world.story.tell();
    world.go("#/rides/versions");
    world.awaitText("timeline", "Version 38");
    assertThat(world.text("head")).contains("Version 38 serves", "trained by trainer");
    assertThat(world.text("timeline"))
        .contains("grew from version 37", "1,000 rows of window 48", "Gate: passed")
        .contains("Window 47: no version", "Gate: not passed");
    assertThat(world.textOf("document.querySelector('#timeline .serving h3')"))
        .startsWith("Version 38");
    world.awaitText("diff", "Published");
    world.browser.evaluate(
        "const one = document.getElementById('diff-right'); one.value = '3';"
            + " one.dispatchEvent(new Event('change'))");
    world.awaitText("diff", "version 2");
    assertThat(world.text("heads")).contains("trained", "trainer");
    world.checkConduct();
  }

  @Test
  void record_isScoredExplainedAndCompared_asTheApiDoes() throws Exception {
    world.story.tell();
    world.go("#/rides/record");
    await()
        .atMost(DashboardWorld.PATIENCE)
        .until(() -> world.value("record").contains("temperature"));
    String record = "{\"temperature\": 25, \"season\": \"SUMMER\"}";
    world.browser.evaluate("document.getElementById('record').value = '" + record + "'");
    world.browser.evaluate("document.getElementById('score').click()");
    world.awaitText("result", "Score before the link");
    double prediction = Double.parseDouble(world.text("prediction"));
    assertThat(prediction).isCloseTo(12 + 0.2 * 48 + 1.5 + 0.5, within(1e-9));
    assertThat(world.number("document.querySelectorAll('#compare tr').length")).isEqualTo(5);
    assertThat(world.text("compare")).contains("v38 (serves)", "v34");
    assertThat(world.text("why-0")).contains("temperature", "25");

    world.browser.evaluate("document.getElementById('record').value = '{\"warmth\": 3}'");
    world.browser.evaluate("document.getElementById('score').click()");
    world.awaitText("record-problem", "field warmth is not in the record schema");

    world.browser.evaluate("document.getElementById('key').value = 'ride-8'");
    world.browser.evaluate("document.getElementById('take').click()");
    world.awaitText("record-problem", "No record with the key ride-8 is among the newest 20,000");
    world.browser.evaluate("document.getElementById('key').value = 'ride-7'");
    world.browser.evaluate("document.getElementById('take').click()");
    world.awaitText("fate-card", "rides.records-1 offset 4711");
    assertThat(world.text("fate-card")).contains("in the record itself");
    assertThat(Double.parseDouble(world.text("prediction"))).isCloseTo(prediction, within(1e-9));
  }

  @Test
  void deadLetters_areCountedByReason_withWhatToDo() throws Exception {
    world.story.tell();
    world.go("#/rides/dead-letters");
    world.awaitText("dead", "UNKNOWN_SCHEMA");
    assertThat(
            world.list("[...document.querySelectorAll('#dead tr')].map((row) => row.textContent)"))
        .containsExactly("UNKNOWN_SCHEMA9", "TRUNCATED3", "BAD_LABEL1");
    assertThat(world.text("commands")).contains("holdfast dead-letters redrive");
    world.awaitText("dead-chart", "13 since the start");
    world.browser.evaluate("document.getElementById('letters-again').click()");
    world.awaitText("letters", "BAD_LABEL");
    assertThat(
            world.list(
                "[...document.querySelectorAll('#letters pre')].map((one) => one.textContent)"))
        .containsExactly("{\n  \"temperature\":25\n}", "c301aa");
    assertThat(world.text("letters")).contains("Decoded as a scorer reads it", "cannot be decoded");
    world.go("#/parcels/dead-letters");
    world.awaitText("commands", "--model parcels"); // another page has the same parts
    world.awaitText("dead-empty", "None");
    world.browser.evaluate("document.getElementById('letters-again').click()");
    world.awaitText("letters", "The topic holds none");
    world.checkConduct();
  }

  @Test
  void silence_isSaid_andWhatWasSaidLastStays() throws Exception {
    world.story.tell();
    world.go("#/");
    world.awaitText("rows", "fraud");
    world.awaitText("freshness", "Live");
    world.server.stop();
    world.awaitText("status", "No answer");
    world.awaitText("notices", "What is shown is what it said");
    world.awaitText("freshness", "Stale");
    assertThat(world.text("rows")).contains("fraud");
  }

  @Test
  void everyPage_fitsAnyWidth_andAxeFindsNoSeriousFault() throws Exception {
    world.story.tell();
    List<String> faults = new ArrayList<>();
    for (String name : PAGES.keySet()) {
      for (String scheme : List.of("light", "dark")) {
        for (int width : scheme.equals("dark") ? List.of(1440) : List.of(320, 768, 1440)) {
          show(name, width, 900, scheme);
          assertThat(world.number("document.documentElement.scrollWidth"))
              .as("%s, %s wide", name, width)
              .isLessThanOrEqualTo(width);
        }
        world.axe().forEach(fault -> faults.add(name + ", " + scheme + ": " + fault));
      }
    }
    assertThat(faults).isEmpty();
    world.checkConduct();
  }

  @Test
  void pictures() throws Exception {
    assumeTrue(Boolean.getBoolean("holdfast.write"), "taken with -Dholdfast.write=true alone");
    Path folder = Path.of(System.getProperty("holdfast.root", "..")).resolve("docs/pictures");
    world.story.tell();
    for (String name : PAGES.keySet()) {
      for (String scheme : List.of("light", "dark", "phone")) {
        boolean phone = scheme.equals("phone");
        show(name, phone ? 390 : 1280, phone ? 844 : 860, phone ? "light" : scheme);
        world.awaitRounds(7);
        Files.write(
            folder.resolve("dashboard-" + name + "-" + scheme + ".png"),
            SmallPicture.of(world.browser.picture()));
      }
    }
    show("model", 1280, 860, "light");
    for (String card : List.of("reason", "coverage", "calibration", "reliability")) {
      Files.write(folder.resolve("card-" + card + ".png"), SmallPicture.of(cut(card)));
    }
  }

  private byte[] cut(String card) throws Exception {
    String place = "document.getElementById('" + card + "-card')";
    world.browser.evaluate(place + ".scrollIntoView({ block: 'start' })");
    world.awaitRounds(7);
    BufferedImage all = ImageIO.read(new ByteArrayInputStream(world.browser.picture()));
    int[] edges = new int[4];
    for (int edge = 0; edge < 4; edge++) {
      String name = List.of("left", "top", "right", "bottom").get(edge);
      edges[edge] = (int) world.number(place + ".getBoundingClientRect()." + name);
    }
    int bottom = Math.min(edges[3], all.getHeight());
    var bytes = new ByteArrayOutputStream();
    ImageIO.write(
        all.getSubimage(edges[0], edges[1], edges[2] - edges[0], bottom - edges[1]), "png", bytes);
    return bytes.toByteArray();
  }

  private void show(String name, int width, int height, String scheme) throws Exception {
    String[] page = PAGES.getOrDefault(name, "").split(" ", -1);
    world.browser.show(width, height, scheme);
    world.browser.evaluate("location.hash = ''");
    world.go(page[0]);
    await("page " + name)
        .atMost(DashboardWorld.PATIENCE)
        .until(
            () ->
                page[1].equals("record")
                    ? world.value("record").contains("temperature")
                    : !world.text(page[1]).isBlank());
    if (name.equals("record")) {
      world.browser.evaluate("document.getElementById('score').click()");
      world.awaitText("result", "Score before the link");
    }
  }
}
