package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Security.Role;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpMethod;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.web.router.Router;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may do what: every path that may change something, asked in every wrong way. */
final class AccessHttpTest {
  private static final String VIEWER = "the-token-of-vic-who-looks";
  private static final String OPERATOR = "the-token-of-ana-who-acts";
  private static final String ADMIN = "the-token-of-bo-who-mends";
  private static final Security TOKENS =
      new Security(
          Stream.of(VIEWER, OPERATOR, ADMIN)
              .map(
                  token ->
                      new Security.Token(
                          token.split("-", -1)[3],
                          token.equals(VIEWER)
                              ? Role.VIEWER
                              : token.equals(ADMIN) ? Role.ADMIN : Role.OPERATOR,
                          Security.hash(token)))
              .toList(),
          null,
          null,
          false,
          null);
  private static final Set<String> READ_BY_POST =
      Set.of("score", "explain", "what-if", "compare", "infer");

  private final ModelSettings bikes = Bikes.settings();
  private final StandInActions actions = new StandInActions();
  private final StandInLetters letters = new StandInLetters();
  private final List<ApplicationContext> contexts = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    http.close();
    contexts.forEach(ApplicationContext::close);
  }

  private EmbeddedServer start(Security security) {
    ServedModels models =
        new ServedModels(
            List.of(bikes),
            topic -> List.of(Bikes.RIDE),
            _ -> List.of(),
            new SimpleMeterRegistry(),
            InstantSource.fixed(Instant.EPOCH));
    ApplicationContext context =
        HttpContext.of("127.0.0.1", 0, Duration.ofSeconds(30), security)
            .singletons(
                models,
                new RecentReports(List.of("bikes"), 10),
                new StandInStatus(),
                actions,
                letters)
            .start();
    contexts.add(context);
    BikesLedger ledger = new BikesLedger(models, bikes);
    actions.answer = ledger.head(ledger.publish(0, null, 0, 0), HeadReason.TRAINED);
    return context.getBean(EmbeddedServer.class).start();
  }

  /** All paths of POST, PUT, PATCH and DELETE, each with names that are there. */
  private List<String> mutations() {
    return contexts
        .getFirst()
        .getBean(Router.class)
        .uriRoutes()
        .filter(
            route ->
                !Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS)
                    .contains(route.getHttpMethod()))
        .map(route -> route.getHttpMethod() + " " + route.getUriMatchTemplate())
        .filter(route -> READ_BY_POST.stream().noneMatch(route::contains))
        .filter(route -> !route.contains("/session"))
        .flatMap(
            route ->
                Stream.of("rollback", "pin", "unpin", "shadow", "promote", "rung")
                    .map(
                        action ->
                            route
                                .replaceFirst("\\{\\?[^}]*}", "")
                                .replaceFirst("\\{action[^}]*}", action)))
        .distinct()
        .toList();
  }

  @Test
  void mutations_askedInAnyWrongWay_areRefusedAndNoneIsA500() throws Exception {
    EmbeddedServer server = start(TOKENS);
    List<String> mutations = mutations();
    assertThat(mutations).hasSize(7);
    for (String mutation : mutations) {
      String path = mutation.split(" ", -1)[1].replaceFirst("\\{name[^}]*}", "bikes");
      String good = "{\"version\": 0, \"gamma\": 1, \"why\": \"a scan\"}";
      refused(send(server, path, good), 401);
      refused(send(server, path, good, "Authorization", "Bearer " + VIEWER), 403);
      refused(send(server, path, good, "Authorization", "Basic " + OPERATOR), 401);
      String[] operator = {"Authorization", "Bearer " + ADMIN};
      for (String site : List.of("cross-site", "same-site")) {
        refused(send(server, path, good, with(operator, "Sec-Fetch-Site", site)), 403);
      }
      refused(send(server, path, good, with(operator, "Origin", "https://evil.example")), 403);
      refused(send(server, path, good, with(operator, "Origin", "null")), 403);
      String[] form = with(operator, "Content-Type", "text/plain");
      refused(send(server, path, good, form), 415);
      for (String body :
          List.of("", "{", "[]", "null", "\"\u0000\"", "{\"version\": 1e400}", "\ud800{}")) {
        refused(send(server, path, body, operator), 400);
      }
      String longWhy = "{\"version\": 0, \"why\": \"" + "w".repeat(1_001) + "\"}";
      refused(send(server, path, longWhy, operator), 400);
      refused(send(server, path, " ".repeat(3_000_000), operator), 413);
      for (String name :
          List.of(
              "..%2f..%2fetc%2fpasswd",
              "%2e%2e",
              "..;",
              "%00",
              "bikes%0d%0aSet-Cookie:%20a=b",
              "n".repeat(3_000),
              "%ff%fe",
              "${jndi:ldap:}".replace("$", "%24").replace("{", "%7B").replace("}", "%7D"))) {
        String template = mutation.split(" ", -1)[1];
        String traversing = template.replaceFirst("\\{name[^}]*}", name);
        refused(send(server, traversing, good, operator), 400, 404, 414);
      }
    }
    assertThat(actions.asked).isEmpty();
    assertThat(actions.climbed).isEmpty();
    assertThat(letters.redriven).isEmpty();
  }

  @Test
  void roles_openWhatTheyAreFor() throws Exception {
    EmbeddedServer server = start(TOKENS);
    String pin = "/api/v1/models/bikes/pin";
    String body = "{\"version\": 0, \"why\": \"audit\"}";

    refused(get(server, "/api/v1/models"), 401);
    assertThat(get(server, "/api/v1/models").headers().firstValue("WWW-Authenticate"))
        .hasValue("Bearer realm=\"holdfast\"");
    assertThat(get(server, "/api/v1/models", "Authorization", "Bearer " + VIEWER).statusCode())
        .isEqualTo(200);
    for (String open : List.of("/", "/dashboard.css", "/health/liveness", "/prometheus")) {
      assertThat(get(server, open).statusCode()).as(open).isNotIn(401, 403);
    }
    assertThat(send(server, pin, body, "Authorization", "Bearer " + OPERATOR).statusCode())
        .isEqualTo(200);
    assertThat(actions.asked.getLast().by()).isEqualTo("ana");
  }

  @Test
  void deadLetters_areSentInAgainByAdmins() throws Exception {
    EmbeddedServer server = start(TOKENS);
    String path = "/api/v1/models/bikes/dead-letters";
    String body = "{\"reason\": \"UNKNOWN_SCHEMA\", \"why\": \"it is registered now\"}";

    assertThat(json(get(server, path, "Authorization", "Bearer " + VIEWER))).isEmpty();
    refused(send(server, path + "/redrive", body, "Authorization", "Bearer " + OPERATOR), 403);
    String[] admin = {"Authorization", "Bearer " + ADMIN};
    for (String wrong :
        List.of(
            "{\"why\": \"w\"}",
            "{\"reason\": \"R\", \"at\": \"0:1\", \"why\": \"w\"}",
            "{\"at\": \"0:1\"}",
            "{\"at\": 1, \"why\": \"w\"}")) {
      refused(send(server, path + "/redrive", wrong, admin), 400);
    }
    assertThat(letters.redriven).isEmpty();

    JsonNode sent = json(send(server, path + "/redrive", body, admin));
    JsonNode preview =
        json(send(server, path + "/redrive?dryRun=true", "{\"at\": \"0:17\"}", admin));

    assertThat(sent.get("sent").asLong()).isEqualTo(3);
    assertThat(preview.get("dryRun").asBoolean()).isTrue();
    assertThat(letters.redriven)
        .containsExactly("bikes UNKNOWN_SCHEMA null false", "bikes null 0:17 true");
  }

  @Test
  void nobodyMayAct_whereNobodyCanSayWhoTheyAre() throws Exception {
    EmbeddedServer server = start(Security.NONE);

    assertThat(get(server, "/api/v1/models").statusCode()).isEqualTo(200);
    HttpResponse<String> answer =
        send(server, "/api/v1/models/bikes/pin", "{\"version\": 0, \"why\": \"w\"}");
    refused(answer, 403);
    assertThat(answer.body()).contains("/problems/actions-off", "holdfast.security.tokens");
  }

  @Test
  void openReading_needsNoTokenToRead() throws Exception {
    EmbeddedServer server = start(new Security(TOKENS.tokens(), null, null, true, null));

    assertThat(get(server, "/api/v1/models").statusCode()).isEqualTo(200);
    refused(send(server, "/api/v1/models/bikes/pin", "{}"), 401);
  }

  @Test
  void page_signsInByCookie() throws Exception {
    EmbeddedServer server = start(TOKENS);
    String session = "/api/v1/session";
    assertThat(json(get(server, session)).get("name").isNull()).isTrue();

    refused(send(server, session, "{\"token\": \"not-one-of-those-that-are\"}"), 401);
    refused(send(server, session, "{\"tokn\": 1}"), 400);
    HttpResponse<String> signedIn = send(server, session, "{\"token\": \"" + OPERATOR + "\"}");

    assertThat(json(signedIn).get("role").asText()).isEqualTo("operator");
    String cookie = signedIn.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).containsIgnoringCase("; HttpOnly").contains("SameSite=Strict", "Path=/");
    String[] sent = {"Cookie", cookie.split(";", -1)[0]};
    assertThat(json(get(server, session, sent)).get("name").asText()).isEqualTo("ana");
    assertThat(get(server, "/api/v1/models", sent).statusCode()).isEqualTo(200);
    String pin = "/api/v1/models/bikes/pin";
    String body = "{\"version\": 0, \"why\": \"w\"}";
    assertThat(send(server, pin, body, sent).statusCode()).isEqualTo(200);
    refused(send(server, pin, body, with(sent, "Sec-Fetch-Site", "cross-site")), 403);
    String gone =
        send(server, session + "/end", "{}").headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(gone).contains("Max-Age=0");
  }

  @Test
  void tokensThatFail_areLimited() throws Exception {
    EmbeddedServer server = start(TOKENS);
    String[] operator = {"Authorization", "Bearer " + OPERATOR};
    assertThat(get(server, "/api/v1/models", operator).statusCode()).isEqualTo(200);
    for (int k = 0; k < 10; k++) {
      refused(get(server, "/api/v1/models", "Authorization", "Bearer guess-number-" + k), 401);
    }
    String[] viewer = {"Authorization", "Bearer " + VIEWER};
    HttpResponse<String> limited = get(server, "/api/v1/models", viewer);
    refused(limited, 429);
    assertThat(limited.headers().firstValue("Retry-After")).isPresent();
    refused(send(server, "/api/v1/session", "{\"token\": \"" + VIEWER + "\"}"), 429);
    assertThat(get(server, "/api/v1/models", operator).statusCode())
        .as("who was let in before")
        .isEqualTo(200);
    assertThat(get(server, "/health/liveness").statusCode()).isNotEqualTo(429);
  }

  private static void refused(HttpResponse<String> response, Integer... status) throws IOException {
    assertThat(response.statusCode())
        .as("%s %s", response.request().uri(), response.body())
        .isIn((Object[]) status);
    JsonNode problem = new ObjectMapper().readTree(response.body());
    assertThat(problem.path("type").asText()).startsWith("/problems/");
    assertThat(response.body()).doesNotContain(VIEWER, OPERATOR, ADMIN, "\tat ");
  }

  private static String[] with(String[] headers, String name, String value) {
    return Stream.concat(Stream.of(headers), Stream.of(name, value)).toArray(String[]::new);
  }

  private HttpResponse<String> get(EmbeddedServer server, String path, String... headers)
      throws Exception {
    return exchange(server, path, null, headers);
  }

  private HttpResponse<String> send(
      EmbeddedServer server, String path, String body, String... headers) throws Exception {
    return exchange(server, path, body, headers);
  }

  private HttpResponse<String> exchange(
      EmbeddedServer server, String path, @Nullable String body, String... headers)
      throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.getURI().resolve(path));
    if (body != null) {
      request.setHeader("Content-Type", "application/json");
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    for (int k = 0; k < headers.length; k += 2) {
      request.setHeader(headers[k], headers[k + 1]);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new ObjectMapper().readTree(response.body());
  }
}
