package io.holdfast.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerContextTest {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final ApplicationContext CONTEXT =
      ServerContext.of("test", "127.0.0.1", 0, Duration.ofMillis(500)).build().start();
  private static final EmbeddedServer SERVER = CONTEXT.getBean(EmbeddedServer.class).start();

  @AfterAll
  static void close() {
    CONTEXT.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GET /heal",
        "GET /health HTTP/1.1\r\nHost: a\r\n",
        "POST /api/a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            + "Content-Length: 100\r\n\r\n{",
      })
  void requestThatIsSentInPart_endsItsConnectionSoon(String part) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), SERVER.getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(part.getBytes(US_ASCII));
      socket.getOutputStream().flush();
      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
          .startsWith("HTTP/1.1 4")
          .contains("application/problem+json", "/problems/")
          .containsOnlyOnce("HTTP/1.1");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/openmetrics-text | application/openmetrics-text | # EOF",
        "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1"
            + "| application/openmetrics-text | # EOF",
        "text/plain;version=0.0.4 | text/plain | # TYPE",
        "application/json | text/plain | # TYPE",
        "text/html | text/plain | # TYPE",
      })
  void metrics_areGivenToWhoeverAsks(String accept, String type, String part) throws Exception {
    HttpResponse<String> response = metrics(HttpRequest.newBuilder().header("Accept", accept));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith(type);
    assertThat(response.headers().allValues("Content-Type")).hasSize(1);
    assertThat(response.body()).contains(part).contains("jvm_memory_used_bytes");
  }

  @Test
  void metrics_withoutSayingAsWhat_areText() throws Exception {
    assertThat(metrics(HttpRequest.newBuilder()).headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/plain");
  }

  private static HttpResponse<String> metrics(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          request.uri(SERVER.getURI().resolve("/prometheus")).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
