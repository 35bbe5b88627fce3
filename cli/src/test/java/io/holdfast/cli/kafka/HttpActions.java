package io.holdfast.cli.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import io.holdfast.service.Service;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** What somebody with a token does over HTTP. */
final class HttpActions {
  static final String TOKEN = "the-token-of-ana-secret";

  private HttpActions() {}

  /** By HTTP, with the service's rights; the history says who and why. */
  static void rollBack(Service service, String config) throws Exception {
    String path = "/api/v1/models/in/rollback";
    String body = "{\"version\": 0, \"why\": \"a test\"}";
    assertThat(post(service, path, body, TOKEN).statusCode()).isEqualTo(200);
    assertThat(CliRun.of("models", "history", "in", "--config", config).out())
        .containsPattern("ROLLED_BACK.*ana.*a test");
    assertThat(post(service, path, body, TOKEN + "-s").body()).contains("/unauthenticated");
  }

  /** Likewise a dead letter, which is one again: nothing was mended. */
  static void sendInAgain(Service service, String config) throws Exception {
    String letters = "/api/v1/models/in/dead-letters";
    String body = "{\"reason\": \"%s\", \"why\": \"a test\"}";
    try (HttpClient http = HttpClient.newHttpClient()) {
      JsonNode listed =
          new ObjectMapper()
              .readTree(
                  http.send(
                          HttpRequest.newBuilder(service.url().resolve(letters)).build(),
                          HttpResponse.BodyHandlers.ofString())
                      .body());
      assertThat(listed.at("/0/value").asText()).isEqualTo("no record");
      String reason = listed.at("/0/reason").asText();
      HttpResponse<String> sent =
          post(service, letters + "/redrive", body.replace("%s", reason), TOKEN);
      assertThat(sent.body()).contains("\"sent\":1");
      assertThat(CliRun.of("models", "history", "in", "--config", config).out())
          .containsPattern("OTHER.*ana.*sends 1 dead letters of " + reason + " in again: a test");
    }
  }

  private static HttpResponse<String> post(Service service, String path, String body, String token)
      throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(service.url().resolve(path))
              .header("Content-Type", "application/json")
              .header("Authorization", "Bearer " + token)
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  /** No log, page or metric has what is secret. */
  static void keepSecrets(ByteArrayOutputStream log, URI... programs) throws Exception {
    StringBuilder said = new StringBuilder(log.toString(UTF_8));
    assertThat(said).contains("sasl.jaas.config = [hidden]", "audit: ana with admin");
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (URI program : programs) {
        for (String path :
            List.of(
                "/prometheus?kafka=all",
                "/health",
                "/health/readiness",
                "/api/v1/status",
                "/api/v1/models",
                "/api/v1/session",
                "/api/v1/models/in/heads",
                "/problems",
                "/none",
                "/")) {
          said.append(
              http.send(
                      HttpRequest.newBuilder(program.resolve(path)).build(),
                      HttpResponse.BodyHandlers.ofString())
                  .body());
        }
      }
    }
    assertThat(said.toString()).doesNotContain("-secret");
  }
}
