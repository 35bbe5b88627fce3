package io.holdfast.cli.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.schemas.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceTroublesTest {
  @TempDir Path folder;

  @Test
  void troubles_ofTheServiceThatRuns_areSaidWithItsAddress() throws Exception {
    try (var _ = new Answering("{\"troubles\": [{\"model\": \"m\", \"sentence\": \"x lacks\"}]}")) {
      assertThat(ServiceTroubles.of(settings(port)))
          .containsExactly("model m: x lacks (says the service at 127.0.0.1:" + port + ")");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"troubles\": []}", "<html>", ""})
  void whatIsNoServiceOrAHealthyOne_isNoTrouble(String answer) throws Exception {
    try (var _ = new Answering(answer)) {
      assertThat(ServiceTroubles.of(settings(port))).isEmpty();
    }
    assertThat(ServiceTroubles.of(settings(port))).as("nobody there").isEmpty();
  }

  private int port;

  private final class Answering implements AutoCloseable {
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

    Answering(String answer) throws IOException {
      byte[] body = answer.getBytes(UTF_8);
      server.createContext(
          "/api/v1/status",
          exchange -> {
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
      port = server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private Settings settings(int port) throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            String.format(
                Locale.ROOT,
                """
                kafka: { bootstrap.servers: "127.0.0.1:1" }
                holdfast:
                  service: { host: 127.0.0.1, port: %d }
                  models:
                    m: { objective: squared, label: y }
                """,
                port));
    return Settings.read(config, Map.of());
  }
}
