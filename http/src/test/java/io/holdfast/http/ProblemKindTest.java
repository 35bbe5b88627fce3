package io.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Every kind of problem has an address that explains it, and a row of docs/problems.md. */
final class ProblemKindTest {
  private static final Path PAGE =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("docs/problems.md");

  private static String page() {
    StringBuilder page =
        new StringBuilder(
            "# Problems\n\n"
                + "Errors of both programs are `application/problem+json` (RFC 9457); `detail`"
                + " says what is wrong and what would be right. Under `/v2` they are the Open"
                + " Inference Protocol's `{\"error\": detail}`. The `type` is `/problems/` and a"
                + " kind below, and a path that explains it. Generated: `./mvnw -pl http test"
                + " -Dtest=ProblemKindTest -Dholdfast.write=true`.\n\n"
                + "| kind | status | when |\n|---|---|---|\n");
    for (ProblemKind kind : ProblemKind.values()) {
      page.append("| `").append(kind.label()).append("` | ");
      page.append(kind.status().getCode()).append(" | ").append(kind.when()).append(" |\n");
    }
    return page.toString();
  }

  @Test
  void page_hasAllKinds() throws Exception {
    if (Boolean.getBoolean("holdfast.write")) {
      Files.writeString(PAGE, page());
    }
    assertThat(PAGE).hasContent(page());
  }

  @Test
  void type_isThePathThatExplainsIt() throws Exception {
    try (ApplicationContext context =
            ServerContext.of("test", "127.0.0.1", 0, Duration.ofSeconds(30)).build().start();
        HttpClient http = HttpClient.newHttpClient()) {
      EmbeddedServer server = context.getBean(EmbeddedServer.class).start();
      for (ProblemKind kind : ProblemKind.values()) {
        HttpResponse<String> answer = get(http, server, kind.type());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains(kind.type(), kind.title(), kind.when());
      }
      assertThat(get(http, server, "/problems/none"))
          .satisfies(
              none -> {
                assertThat(none.statusCode()).isEqualTo(404);
                assertThat(none.headers().firstValue("Content-Type")).hasValue(Problem.MEDIA_TYPE);
                assertThat(none.body()).contains("\"type\":\"/problems/no-such-path\"");
              });
    }
  }

  private static HttpResponse<String> get(HttpClient http, EmbeddedServer server, String path)
      throws Exception {
    return http.send(
        HttpRequest.newBuilder(server.getURI().resolve(path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
