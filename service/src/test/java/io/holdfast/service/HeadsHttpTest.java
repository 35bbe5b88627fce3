package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Heads and what may be done to them by HTTP. */
final class HeadsHttpTest {
  private final ModelSettings bikes = Bikes.settings();
  private final StandInActions actions = new StandInActions();
  private final ServedModels models =
      new ServedModels(
          List.of(bikes),
          topic -> List.of(Bikes.RIDE),
          _ -> List.of(),
          new SimpleMeterRegistry(),
          InstantSource.fixed(Instant.EPOCH));
  private static final String TOKEN = "the-token-of-ana-of-a-test";
  private static final Security SECURITY =
      new Security(
          List.of(new Security.Token("ana", Security.Role.OPERATOR, Security.hash(TOKEN))),
          null,
          null,
          true,
          null);
  private final ApplicationContext context =
      HttpContext.of("127.0.0.1", 0, Duration.ofSeconds(30), SECURITY)
          .singletons(models, new RecentReports(List.of("bikes"), 10), new StandInStatus(), actions)
          .start();
  private final EmbeddedServer server = context.getBean(EmbeddedServer.class).start();
  private final HttpClient http = HttpClient.newHttpClient();
  private final BikesLedger ledger = new BikesLedger(models, bikes);
  private final LedgerVersion first = ledger.publish(0, null, 0, 0);
  private final LedgerVersion second = ledger.publish(1, first, 0, 1);
  private final ModelHead head = ledger.head(second, HeadReason.TRAINED);

  @AfterEach
  void close() {
    http.close();
    context.close();
  }

  @Test
  void heads_areListedNewestFirst() throws Exception {
    ledger.change(head, new HeadChange.Pinned(0), first, second);

    JsonNode answer = json(send("/api/v1/models/bikes/heads", null));

    assertThat(answer).hasSize(2);
    JsonNode newest = answer.get(0);
    assertThat(newest.get("sequence").asLong()).isEqualTo(2);
    assertThat(newest.get("version").asLong()).isZero();
    assertThat(newest.get("hash").asText()).isEqualTo(first.hash().hex());
    assertThat(newest.get("tipVersion").asLong()).isEqualTo(1);
    assertThat(newest.get("tipHash").asText()).isEqualTo(second.hash().hex());
    assertThat(newest.get("shadowVersion").isNull()).isTrue();
    assertThat(newest.get("pinned").asBoolean()).isTrue();
    assertThat(newest.get("reason").asText()).isEqualTo("PINNED");
    assertThat(newest.get("by").asText()).isEqualTo("ana");
    assertThat(newest.get("why").asText()).isEqualTo("for a test");
    assertThat(newest.get("at").asText()).isEqualTo("1970-01-01T00:33:20Z");
    assertThat(json(send("/api/v1/models/bikes", null)).get("head")).isEqualTo(newest);
    assertThat(json(send("/api/v1/models/bikes/heads?limit=1", null))).hasSize(1);
    problem(send("/api/v1/models/boats/heads", null), 404, "no model boats");
  }

  @Test
  void rung_isAskedForByItsGamma() throws Exception {
    actions.answer = head;

    assertThat(send("/api/v1/models/bikes/rung", "{\"gamma\": 7, \"why\": \"w\"}").statusCode())
        .isEqualTo(200);
    assertThat(actions.climbed).containsExactly(new StandInActions.Climb("bikes", 7, "ana", "w"));
    problem(
        send("/api/v1/models/bikes/rung", "{\"why\": \"w\"}"), 400, "name the gamma of the ladder");
    problem(send("/api/v1/models/bikes/rung", "{\"gamma\": -1}"), 400, "gamma must be a number");
    problem(
        send("/api/v1/models/bikes/promote", "{\"gamma\": 7, \"why\": \"w\"}"),
        400,
        "is for the action rung");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rollback | `version`: 0 | RolledBack[version=0]",
        "pin | `version`: 1 | Pinned[version=1]",
        "unpin | `version`: null | Unpinned[]",
        "shadow | `version`: 0 | 'Shadowed[version=0, promoteError=null]'",
        "shadow | `version`: 0, `promoteWhen`: `better` | 'Shadowed[version=0, promoteError=0.01]'",
        "shadow | `version`: 0, `promoteWhen`: `better`, `error`: 0.2 | 'Shadowed[version=0,"
            + " promoteError=0.2]'",
        "shadow | `version`: null | Unshadowed[]",
        "promote | `version`: 0 | Promoted[version=0]",
        "promote | `gamma`: null | Promoted[version=1]",
      })
  void action_isAskedForAsItIsSaid(String action, String part, String change) throws Exception {
    actions.answer = head;
    String body = ("{" + part + ", `why`: `w`}").replace('`', '"');

    JsonNode answer = json(send("/api/v1/models/bikes/" + action, body));
    String preview = "{" + part.replace('`', '"') + "}";
    JsonNode previewed = json(send("/api/v1/models/bikes/" + action + "?dryRun=true", preview));

    assertThat(answer.get("after").get("version").asLong()).isEqualTo(1);
    assertThat(answer.get("dryRun").asBoolean()).isFalse();
    assertThat(previewed.get("dryRun").asBoolean()).isTrue();
    assertThat(actions.asked.removeLast().dryRun()).isTrue();
    assertThat(actions.asked)
        .singleElement()
        .satisfies(
            asked -> {
              assertThat(asked.model()).isEqualTo("bikes");
              assertThat(asked.change()).hasToString(change);
              assertThat(asked.by()).isEqualTo("ana");
              assertThat(asked.why()).isEqualTo("w");
              assertThat(asked.dryRun()).isFalse();
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rollback | {\"why\": \"w\"} | name the version",
        "rollback | {\"version\": -1} | version must be a whole number, 0 or more: -1",
        "rollback | {\"version\": 1.5} | whole number",
        "rollback | {\"vesion\": 1} | did you mean version?",
        "rollback | [1] | must be a JSON object",
        "rollback | nonsense | the body is not JSON",
        "unpin | {\"version\": 1, \"why\": \"w\"} | unpin takes no version",
        "pin | {\"version\": 1, \"why\": 3} | why must be a text",
        "pin | {\"version\": 1, \"by\": \"bo\"} | by is no key",
        "pin | {\"version\": 1, \"why\": \"  \"} | say why",
        "pin | {\"version\": 1, \"promoteWhen\": \"better\", \"why\": \"w\"} | for the action shadow",
        "shadow | {\"promoteWhen\": \"better\", \"why\": \"w\"} | with a version alone",
        "shadow | {\"version\": 1, \"promoteWhen\": \"worse\"} | knows \"better\" alone",
        "shadow | {\"version\": 1, \"error\": 0.1} | beside promoteWhen",
        "shadow | {\"version\": 1, \"promoteWhen\": \"better\", \"error\": 1} | below 1",
      })
  void actionThatMakesNoSense_is400AndAsksNothing(String action, String body, String detail)
      throws Exception {
    problem(send("/api/v1/models/bikes/" + action, body), 400, detail);
    assertThat(actions.asked).isEmpty();
  }

  @Test
  void refusedAction_is409InTheLedgersWords() throws Exception {
    actions.refusal =
        new LedgerException(LedgerException.Reason.REFUSED, "version 7 of bikes is not there");

    problem(
        send("/api/v1/models/bikes/rollback", "{\"version\": 7, \"why\": \"w\"}"),
        409,
        "version 7 of bikes is not there");
  }

  @Test
  void pagesOfOthers_cannotAct() throws Exception {
    actions.answer = head;
    String path = "/api/v1/models/bikes/rollback";
    String body = "{\"version\": 0, \"why\": \"w\"}";

    for (String origin : List.of("https://evil.example", "http://evil.example:8080", "null")) {
      assertThat(send(request(path, body).header("Origin", origin)).statusCode()).isEqualTo(403);
    }
    for (String site : List.of("cross-site", "same-site")) {
      problem(send(request(path, body).header("Sec-Fetch-Site", site)), 403, "of another origin");
    }
    for (String type : List.of("text/plain", "application/x-www-form-urlencoded")) {
      HttpRequest.Builder form =
          HttpRequest.newBuilder(server.getURI().resolve(path))
              .header("Content-Type", type)
              .POST(HttpRequest.BodyPublishers.ofString(body));
      assertThat(send(form).statusCode()).isEqualTo(415);
    }
    HttpRequest.Builder untyped =
        HttpRequest.newBuilder(server.getURI().resolve(path))
            .header("Authorization", "Bearer " + TOKEN)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    problem(send(untyped), 415, "Content-Type must be application/json: there is none");
    HttpRequest.Builder preflight =
        HttpRequest.newBuilder(server.getURI().resolve(path))
            .header("Origin", "https://evil.example")
            .header("X-Asked", "yes")
            .method("OPTIONS", HttpRequest.BodyPublishers.noBody());
    assertThat(send(preflight).headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    assertThat(actions.asked).isEmpty();

    json(send(request(path, body).header("Origin", server.getURI().toString())));
    json(send(request(path, body).header("Sec-Fetch-Site", "same-origin")));
    assertThat(actions.asked).as("our own page can").hasSize(2);
  }

  private HttpRequest.Builder request(String path, String body) {
    return HttpRequest.newBuilder(server.getURI().resolve(path))
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer " + TOKEN)
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  /** Asks, or acts if there is a body. */
  private HttpResponse<String> send(String path, @Nullable String body) throws Exception {
    return send(
        body == null ? HttpRequest.newBuilder(server.getURI().resolve(path)) : request(path, body));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new ObjectMapper().readTree(response.body());
  }

  private static void problem(HttpResponse<String> response, int status, String detail)
      throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(new ObjectMapper().readTree(response.body()).get("detail").asText())
        .contains(detail);
  }
}
