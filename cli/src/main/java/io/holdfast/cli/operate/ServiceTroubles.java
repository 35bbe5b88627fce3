package io.holdfast.cli.operate;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import java.util.ArrayList;
import java.util.List;

/** What a service that runs where the configuration says finds wrong with its models. Stateless. */
final class ServiceTroubles {
  private ServiceTroubles() {}

  /** A sentence each; none if no service answers there. */
  static List<String> of(Settings settings) {
    if (settings.service().port() == 0) {
      return List.of(); // any port: nobody knows which
    }
    List<String> sentences = new ArrayList<>();
    try (ServiceClient service = ServiceClient.of(settings)) {
      for (JsonNode trouble : service.get("/api/v1/status").path("troubles")) {
        sentences.add(
            Sentence.of(
                "model %s: %s (says the service at %s:%d)",
                trouble.path("model").asText(),
                trouble.path("sentence").asText(),
                settings.service().host(),
                settings.service().port()));
      }
    } catch (ServiceClient.NoAnswerException e) {
      return List.of(); // nothing runs there, or something else: none of the doctor's business
    }
    return sentences;
  }
}
