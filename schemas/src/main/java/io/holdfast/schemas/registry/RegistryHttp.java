package io.holdfast.schemas.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.registry.RegistryException.Reason;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.settings.Registry.Credentials;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the servers of a registry in turn, beginning with the one that answered last. Bounded in
 * time and in the size of an answer; follows no redirection. Thread-safe.
 */
final class RegistryHttp implements AutoCloseable {
  /** More than any schema takes; a larger answer is not read to its end. */
  static final int MAX_ANSWER_BYTES = 1 << 20;

  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int MAX_NESTING = 200;
  private static final int SHOWN_CHARACTERS = 200;
  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_NESTING)
                          .maxStringLength(MAX_ANSWER_BYTES)
                          .build())
                  .build())
          .build();

  private final Registry registry;
  private final HttpClient client;
  private final @Nullable String authorization;
  private volatile int answered; // which of the servers did last

  RegistryHttp(Registry registry) {
    this.registry = registry;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(registry.timeout());
    if (registry.tls() != null) {
      builder.sslContext(Certificates.context(registry.tls()));
    }
    this.client = builder.build();
    this.authorization =
        switch (registry.credentials()) {
          case Credentials.None() -> null;
          case Credentials.Bearer(String token) -> "Bearer " + token;
          case Credentials.Basic(String user, String password) ->
              "Basic "
                  + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
        };
  }

  /**
   * What the registry says; that something is absent only if every server says so. The path is
   * below a server's URL, escaped; without a body something is got.
   */
  Answer ask(String path, @Nullable JsonNode body) throws RegistryException {
    int servers = registry.urls().size();
    int first = answered;
    List<String> faults = new ArrayList<>();
    List<String> lacking = new ArrayList<>();
    Answer.Refused absent = null;
    boolean down = true;
    for (int i = 0; i < servers; i++) {
      int server = (first + i) % servers;
      URI url = registry.urls().get(server);
      try {
        Answer answer = ask(url, path, body);
        if (answer instanceof Answer.Refused error && error.absent()) {
          absent = error; // another may have heard of it already
          lacking.add(url + ": it says " + error.message());
        } else {
          answered = server;
          return answer;
        }
      } catch (NonsenseException e) {
        down = false;
        faults.add(url + ": " + e.getMessage());
      } catch (IOException e) {
        faults.add(url + ": " + e.getMessage());
      }
    }
    if (absent != null && faults.isEmpty()) {
      return absent;
    }
    faults.addAll(lacking);
    throw new RegistryException(
        Reason.UNAVAILABLE,
        "the schema registry gives no answer that can be used: " + String.join("; ", faults),
        down && absent == null);
  }

  /** An answer that says nothing; to another question there may be a better one. */
  private static final class NonsenseException extends IOException {
    private static final long serialVersionUID = 1;

    NonsenseException(String sentence) {
      super(sentence);
    }
  }

  private Answer ask(URI url, String path, @Nullable JsonNode body)
      throws IOException, RegistryException {
    String base = url.toString();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create((base.endsWith("/") ? base : base + "/") + path))
            .header("Accept", MEDIA_TYPE + ", application/json")
            .timeout(registry.timeout());
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    if (body != null) {
      request
          .header("Content-Type", MEDIA_TYPE)
          .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
    }
    return read(send(request.build()));
  }

  /** The request's own time-out ends with the answer's head; this one covers the whole. */
  private HttpResponse<byte[]> send(HttpRequest request) throws IOException, RegistryException {
    CompletableFuture<HttpResponse<byte[]>> response =
        client.sendAsync(
            request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
    try {
      return response.get(registry.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException(Sentence.of("no answer within %s", registry.timeout()), e);
    } catch (ExecutionException e) {
      String said = said(e.getCause());
      throw new IOException(
          said.startsWith("body exceeds")
              ? Sentence.of("its answer is larger than %,d bytes", MAX_ANSWER_BYTES)
              : said,
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Reason.UNAVAILABLE.because("the program is ending");
    } finally {
      response.cancel(true);
    }
  }

  /** Java's network errors often say nothing but their name. */
  private static String said(@Nullable Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null && !cause.getMessage().isBlank()) {
        return cut(cause.getMessage());
      }
    }
    if (error instanceof ConnectException) {
      return "it cannot be connected to";
    }
    return error == null ? "no answer" : error.getClass().getSimpleName();
  }

  private static Answer read(HttpResponse<byte[]> response) throws IOException {
    int status = response.statusCode();
    if (status == 401 || status == 403) {
      throw new IOException(
          Sentence.of(
              "it refuses us (HTTP %d): see user and password, token or keystore of"
                  + " holdfast.registry",
              status));
    }
    boolean readable = status / 100 == 2 || status / 100 == 4;
    if (!readable || status == 408 || status == 429) {
      throw new IOException("HTTP " + status);
    }
    JsonNode body = json(response.body());
    if (status / 100 == 2) {
      if (!body.isObject()) {
        throw new NonsenseException("its answer is no JSON object, as of no schema registry");
      }
      return new Answer.Found(body);
    }
    // Only the API's own error is a registry's word: any web server says 404.
    if (!body.path("error_code").isInt()) {
      throw new NonsenseException(
          Sentence.of("HTTP %d without an error_code, as of no schema registry", status));
    }
    return new Answer.Refused(
        status, body.path("error_code").intValue(), cut(body.path("message").asText("")));
  }

  private static JsonNode json(byte[] bytes) {
    try {
      return JSON.readTree(bytes);
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  /** A subject within a path. */
  static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  static String cut(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() <= SHOWN_CHARACTERS ? line : line.substring(0, SHOWN_CHARACTERS) + "…";
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
