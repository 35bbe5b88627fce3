package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.page.Chromium;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pages of a running demo in a real browser; nothing where none is installed. */
final class DemoPages implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final URI dashboard;
  private final Chromium browser;

  private DemoPages(URI dashboard, Chromium browser) {
    this.dashboard = dashboard;
    this.browser = browser;
  }

  /** Opens each page, and holds what it shows against what the service says and the topics have. */
  static void look(URI dashboard, Path profile, Map<String, Long> deadLetters) throws Exception {
    Optional<Path> program = Chromium.installed();
    if (program.isPresent()) {
      try (var pages = new DemoPages(dashboard, new Chromium(program.get(), profile))) {
        pages.look(deadLetters);
      }
    }
  }

  private void look(Map<String, Long> deadLetters) throws Exception {
    browser.open(dashboard.resolve("/#/"));
    awaitText("rows", "deliveries");
    JsonNode model = api("/api/v1/models/deliveries");
    assertThat(text("rows"))
        .contains(model.get("state").get("word").asText())
        .contains("v" + model.get("serving").get("version").asLong())
        .contains(model.get("counts").get("scored").asLong() + " scored");

    browser.evaluate("location.hash = '#/deliveries'");
    awaitText("importance-note", "Of version");
    awaitText("tile-dead", "" + deadLetters.values().stream().mapToLong(count -> count).sum());
    int bins = api("/api/v1/models/deliveries/distribution").get("bins").size();
    assertThat(browser.evaluate("document.querySelectorAll('#distribution tr').length").asInt())
        .isEqualTo(bins);
    browser.evaluate("location.hash = '#/deliveries/versions'");
    awaitText("timeline", "Version 0");
    browser.evaluate("location.hash = '#/deliveries/record'");
    await()
        .atMost(LIMIT)
        .until(
            () ->
                browser
                    .evaluate("document.getElementById('record')?.value.includes('distanceKm')")
                    .asBoolean());
    browser.evaluate("document.getElementById('score').click()");
    awaitText("compare", "(serves)");
    browser.evaluate("document.getElementById('key').value = 'order-7'");
    browser.evaluate("document.getElementById('take').click()");
    awaitText("fate-card", "deliveries.records-");
    assertThat(text("fate-card")).contains("{\"label\":", "deliveries.labels-");
    assertThat(browser.evaluate("document.getElementById('record').value").asText())
        .contains("order-7");
    browser.evaluate("location.hash = '#/deliveries/dead-letters'");
    awaitText("dead", "UNKNOWN_FRAMING");
    List<String> shown = new ArrayList<>();
    browser
        .evaluate("[...document.querySelectorAll('#dead tr')].map((row) => row.textContent)")
        .forEach(row -> shown.add(row.asText()));
    assertThat(shown)
        .containsExactlyInAnyOrderElementsOf(
            deadLetters.entrySet().stream().map(one -> one.getKey() + one.getValue()).toList());

    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests())
        .filteredOn(url -> url.startsWith("http"))
        .allMatch(url -> url.startsWith(dashboard.toString()));
  }

  private void awaitText(String id, String wanted) {
    await("text of " + id).atMost(LIMIT).until(() -> text(id), text -> text.contains(wanted));
  }

  private String text(String id) throws Exception {
    return browser.evaluate("document.getElementById('" + id + "')?.textContent ?? ''").asText();
  }

  private JsonNode api(String path) throws IOException {
    try (InputStream answer = dashboard.resolve(path).toURL().openStream()) {
      return new ObjectMapper().readTree(answer);
    }
  }

  @Override
  public void close() {
    browser.close();
  }
}
