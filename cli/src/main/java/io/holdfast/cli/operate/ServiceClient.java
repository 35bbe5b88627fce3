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
import org.jspecify.annotations.Nullable;

/** Reads what a running service says over HTTP, with the token of HOLDFAST_TOKEN. Thread-safe. */
final class ServiceClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final String TOKEN = "HOLDFAST_TOKEN";

  private final URI base;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  /** Why there is no answer, in a sentence. */
  static final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    private NoAnswerException(String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
    }
  }

  ServiceClient(URI base) {
    this.base = base;
  }

  /** Of the service that runs where the configuration says. */
  static ServiceClient of(Settings settings) {
    String host = settings.service().host();
    return new ServiceClient(
        URI.create(
            Sentence.of(
                "%s://%s:%d",
                settings.security().tls() == null ? "http" : "https",
                host.equals("0.0.0.0") ? "127.0.0.1" : host,
                settings.service().port())));
  }

  JsonNode get(String path) throws NoAnswerException {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE);
    String token = System.getenv(TOKEN);
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      HttpResponse<byte[]> answer =
          http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() == 401 || answer.statusCode() == 403) {
        throw new NoAnswerException(
            Sentence.of(
                "the service at %s wants a token of a viewer: put one into %s", base, TOKEN),
            null);
      }
      JsonNode body = answer.statusCode() == 200 ? new JsonMapper().readTree(answer.body()) : null;
      if (body == null || body.isMissingNode()) {
        throw new NoAnswerException(
            Sentence.of(
                "what answers at %s is no service of this version: it says %d to %s",
                base, answer.statusCode(), path),
            null);
      }
      return body;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswerException("the question to the service was interrupted", e);
    } catch (IOException e) {
      throw new NoAnswerException(
          Sentence.of(
              "no service answers at %s: start one with holdfast service, or name another with"
                  + " --url",
              base),
          e);
    }
  }

  @Override
  public void close() {
    http.close();
  }

  /** Where it is. */
  @Override
  public String toString() {
    return base.toString();
  }
}
