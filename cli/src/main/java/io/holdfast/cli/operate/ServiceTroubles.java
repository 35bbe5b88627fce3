package io.holdfast.cli.operate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a service that runs where the configuration says finds wrong with its models. Stateless. */
final class ServiceTroubles {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private ServiceTroubles() {}

  /** A sentence each; none if no service answers there. */
  static List<String> of(Settings settings) {
    if (settings.service().port() == 0) {
      return List.of(); // any port: nobody knows which
    }
    String host = settings.service().host();
    URI uri =
        URI.create(
            Sentence.of(
                "http://%s:%d/api/v1/status",
                host.equals("0.0.0.0") ? "127.0.0.1" : host, settings.service().port()));
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      HttpResponse<byte[]> answer =
          http.send(
              HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      List<String> sentences = new ArrayList<>();
      for (JsonNode trouble : new JsonMapper().readTree(answer.body()).path("troubles")) {
        sentences.add(
            Sentence.of(
                "model %s: %s (says the service at %s:%d)",
                trouble.path("model").asText(),
                trouble.path("sentence").asText(),
                host,
                settings.service().port()));
      }
      return sentences;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } catch (IOException e) {
      return List.of(); // nothing runs there, or something else: none of the doctor's business
    }
  }
}
