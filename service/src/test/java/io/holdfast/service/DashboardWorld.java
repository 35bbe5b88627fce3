package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.page.Chromium;
import io.holdfast.schemas.settings.Security;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A service with a {@link DashboardStory}, and a browser that looks at its pages. */
final class DashboardWorld implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(15);

  final Instant now = Clock.systemUTC().instant();
  final StandInStatus status = new StandInStatus();
  final DashboardStory story;
  final EmbeddedServer server;
  final Chromium browser;
  private final ApplicationContext context;

  DashboardWorld(Path profile, Security security) throws Exception {
    Optional<Path> program = Chromium.installed();
    assumeTrue(
        program.isPresent(),
        "no browser is installed: install Chromium or Chrome to test the dashboard");
    ServedModels models =
        new ServedModels(
            DashboardStory.NAMES.stream().map(DashboardStory::settings).toList(),
            topic -> List.of(Bikes.RIDE),
            _ -> List.of(),
            new SimpleMeterRegistry(),
            InstantSource.system());
    RecentReports reports = new RecentReports(DashboardStory.NAMES, 100);
    story = new DashboardStory(models, reports, status, now);
    context =
        HttpContext.of("127.0.0.1", 0, Duration.ofSeconds(30), security)
            .singletons(models, reports, status, story, new StandInLookup(), new StandInLetters())
            .start();
    server = context.getBean(EmbeddedServer.class).start();
    story.count(context.getBean(MeterRegistry.class));
    browser = new Chromium(program.orElseThrow(), profile);
  }

  /** Waits until so many rounds of questions were answered, while records come. */
  void awaitRounds(long rounds) {
    long before = asked();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              story.more(context.getBean(MeterRegistry.class));
              return asked() - before >= rounds;
            });
  }

  private long asked() {
    return browser.requests().stream().filter(url -> url.endsWith("api/v1/status")).count();
  }

  @Override
  public void close() {
    browser.close();
    context.close();
  }

  /** What axe says is serious or worse, a line each. */
  List<String> axe() throws Exception {
    try (InputStream script = DashboardWorld.class.getResourceAsStream("/axe.min.js")) {
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
  void checkConduct() {
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests())
        .filteredOn(url -> url.startsWith("http"))
        .isNotEmpty()
        .allMatch(url -> url.startsWith(server.getURI().toString()));
  }

  void go(String hash) throws Exception {
    URI page = server.getURI().resolve("/");
    if (browser.evaluate("location.host").asText().equals(page.getAuthority())) {
      browser.evaluate("location.hash = '" + hash + "'");
    } else {
      browser.open(URI.create(page + hash));
    }
  }

  JsonNode api(String path) throws Exception {
    try (InputStream answer = server.getURI().resolve(path).toURL().openStream()) {
      return new ObjectMapper().readTree(answer);
    }
  }

  JsonNode model(String name) throws Exception {
    return api("/api/v1/models/" + name);
  }

  JsonNode model(String name, String token) throws Exception {
    URLConnection asked =
        server.getURI().resolve("/api/v1/models/" + name).toURL().openConnection();
    asked.setRequestProperty("Authorization", "Bearer " + token);
    try (InputStream answer = asked.getInputStream()) {
      return new ObjectMapper().readTree(answer);
    }
  }

  void awaitValue(String id, String wanted) {
    await("value of " + id)
        .atMost(PATIENCE)
        .until(
            () ->
                browser.evaluate("document.getElementById('" + id + "') !== null").asBoolean()
                    && value(id).contains(wanted));
  }

  void awaitText(String id, String wanted) {
    await("text of " + id).atMost(PATIENCE).until(() -> text(id), text -> text.contains(wanted));
  }

  String text(String id) throws Exception {
    return textOf("document.getElementById('" + id + "')");
  }

  String textOf(String element) throws Exception {
    return browser.evaluate(element + "?.textContent ?? ''").asText();
  }

  String value(String id) throws Exception {
    return browser.evaluate("document.getElementById('" + id + "')?.value ?? ''").asText();
  }

  String focused() throws Exception {
    return browser.evaluate("document.activeElement.textContent").asText();
  }

  long number(String expression) throws Exception {
    return browser.evaluate(expression).asLong();
  }

  List<String> list(String expression) throws Exception {
    List<String> all = new ArrayList<>();
    browser.evaluate(expression).forEach(one -> all.add(one.asText()));
    return all;
  }
}
