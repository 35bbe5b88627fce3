package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.page.Chromium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that the API is tried on, in a browser: under its policy, it calls the service. */
final class OpenApiPageIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  @TempDir private Path profile;

  @Test
  void page_showsTheDocumentAndTriesIt() throws Exception {
    Optional<Path> program = Chromium.installed();
    assumeTrue(program.isPresent(), "no browser is installed: install Chromium or Chrome");
    try (HttpWorld world = new HttpWorld();
        Chromium browser = new Chromium(program.orElseThrow(), profile)) {
      world.ledger.head(world.ledger.publish(0, null, -1, 2), HeadReason.INITIAL);
      browser.show(1200, 900, "light");
      browser.open(world.url("/openapi/"));
      String operation = "document.querySelector('.opblock [data-path=\"/api/v1/status\"]')";
      awaitTrue(browser, operation + " !== null");

      browser.evaluate(operation + ".click()");
      awaitTrue(browser, "document.querySelector('.try-out__btn') !== null");
      browser.evaluate("document.querySelector('.try-out__btn').click()");
      awaitTrue(browser, "document.querySelector('.execute') !== null");
      browser.evaluate("document.querySelector('.execute').click()");
      awaitTrue(
          browser,
          "(document.querySelector('.live-responses-table') || {}).textContent?.includes('alive')"
              + " === true");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static void awaitTrue(Chromium browser, String expression) {
    await(expression)
        .atMost(PATIENCE)
        .until(() -> browser.evaluate("String(" + expression + ")").asText().equals("true"));
  }
}
