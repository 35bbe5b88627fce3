package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a scorer or trainer says of itself by HTTP, as of now. Owned by one thread. */
public final class Answers {
  private static final Pattern URL = Pattern.compile("listens on (http://\\S+)");
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  /** The status of a request, and what came with it; status 0 if there was no answer. */
  public record Answer(int status, String body) {
    public boolean up() {
      return status == 200;
    }
  }

  /** What a node answers below its root, once it listens. */
  public Answer get(Node node, String path) {
    Matcher url = URL.matcher(node.log());
    assertThat(url.find()).as("it listens").isTrue();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url.group(1) + path)).timeout(PATIENCE).build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    } catch (IOException e) {
      return new Answer(0, String.valueOf(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A metric of a node by its name and all tags, as the page of metrics has them; 0 without. */
  public double metric(Node node, String name) {
    return get(node, "/prometheus")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }
}
