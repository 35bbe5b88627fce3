package io.holdfast.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.settings.Security;
import io.holdfast.schemas.settings.Security.Role;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.parser.OpenAPIV3Parser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every path of the OpenAPI document, asked in wrong ways: refused in its words, never a 500. */
final class ApiScanTest {
  private static final String TOKEN = "the-token-of-ana-who-acts";

  /** In place of each name in a path, percent-encoded or not. */
  private static final List<String> NAMES =
      List.of(
          "..",
          "%2e%2e",
          "..%2f..%2fetc%2fpasswd",
          "%2e%2e%5c",
          "%00",
          "%ff",
          "%",
          "%zz",
          "%0d%0aX:y",
          "a".repeat(3_000),
          "-1",
          "9".repeat(30),
          "1e9",
          "%F0%9F%9A%B2",
          "%22%3Cscript%3E",
          "a;b=c",
          "${7*7}",
          "*",
          "%20");

  private static final List<String> BODIES =
      List.of(
          "",
          "{",
          "[]",
          "null",
          "3",
          "\"a\"",
          "{}",
          "[[]]",
          "{\"inputs\": [null]}",
          "\0",
          "\u00ff\u00fe",
          "[".repeat(5_000),
          "{\"a\":".repeat(5_000),
          "{\"temperature\": 1e999999999}",
          "{\"temperature\": " + "9".repeat(2_000) + "}",
          "{\"version\": 1e99}",
          "{\"record\": {}, \"changes\": [null]}",
          "{\"inputs\": [{\"name\": \"temperature\", \"datatype\": \"INT64\", \"shape\": [1e99],"
              + " \"data\": [1e999999999]}]}",
          "{\"inputs\": [{\"name\": \"weather.wind.\", \"datatype\": \"INT64\", \"shape\": [1],"
              + " \"data\": [1]}, {\"name\": \"weather\", \"datatype\": \"BOOL\", \"shape\": [1],"
              + " \"data\": [true]}]}");

  private static final List<String> QUERIES =
      List.of(
          "version=",
          "version=-1",
          "version=9223372036854775808",
          "gamma=NaN",
          "gamma=%ff",
          "limit=-1",
          "last=0",
          "last=1e9",
          "after=x",
          "schema=" + "f".repeat(16),
          "schema=%00",
          "=&&=",
          "%");

  private final HttpWorld world =
      new HttpWorld(
          Bikes.settings(),
          Bikes.RIDE,
          Map.of(),
          new Security(
              List.of(new Security.Token("ana", Role.ADMIN, Security.hash(TOKEN))),
              null,
              null,
              false,
              null));

  private final Map<String, Integer> counted = new TreeMap<>();

  @AfterEach
  void close() {
    world.close();
  }

  /** Method and path of all operations but the stream, which does not end. */
  private List<String[]> operations() throws Exception {
    String document =
        world
            .send(
                HttpRequest.newBuilder(world.url("/api/v1/openapi.yaml"))
                    .header("Authorization", "Bearer " + TOKEN))
            .body();
    List<String[]> operations = new ArrayList<>();
    new OpenAPIV3Parser()
        .readContents(document)
        .getOpenAPI()
        .getPaths()
        .forEach(
            (path, item) -> {
              for (PathItem.HttpMethod method : item.readOperationsMap().keySet()) {
                operations.add(new String[] {method.name(), path});
              }
            });
    operations.removeIf(one -> one[1].equals("/api/v1/events"));
    assertThat(operations).hasSizeGreaterThan(20);
    return operations;
  }

  private static String named(String path, String name, String value) {
    return path.replace("{" + name + "}", value);
  }

  /** With names that are there. */
  private static String good(String path) {
    return Stream.of("name=bikes", "version=0", "action=rollback", "kind=internal")
        .map(pair -> pair.split("=", -1))
        .reduce(path, (so, pair) -> named(so, pair[0], pair[1]), (a, b) -> b);
  }

  @Test
  void everyPath_askedWrongly_isRefusedInItsWords() throws Exception {
    world.actions.answer =
        world.ledger.head(world.ledger.publish(0, null, -1, 2), HeadReason.INITIAL);
    List<String> faults = new ArrayList<>();
    for (String[] operation : operations()) {
      List<String> targets = new ArrayList<>();
      for (String name : NAMES) {
        for (String variable : List.of("name", "version", "action", "kind")) {
          if (operation[1].contains("{" + variable + "}")) {
            targets.add(good(named(operation[1], variable, name)));
          }
        }
      }
      QUERIES.forEach(query -> targets.add(good(operation[1]) + "?" + query));
      String body = operation[0].equals("POST") ? "{}" : "";
      targets.forEach(target -> check(operation[0] + " " + target, body, faults));
      if (operation[0].equals("POST")) {
        BODIES.forEach(wrong -> check("POST " + good(operation[1]), wrong, faults));
      }
    }
    assertThat(faults).isEmpty();
    assertThat(counted).containsKeys("200", "400", "404");
    assertThat(counted.get("400")).isGreaterThan(100);
  }

  private void check(String asked, String body, List<String> faults) {
    String answer;
    try {
      answer = ask(asked, body);
    } catch (IOException e) {
      faults.add(asked + " <- " + shown(body) + ": " + e);
      return;
    }
    String status = answer.length() < 12 ? "" : answer.substring(9, 12);
    boolean refused = status.startsWith("4");
    boolean said =
        answer.contains("\"type\":\"/problems/")
            || answer.matches("(?s).*\r\n\r\n\\{\"error\":\".+\"}");
    counted.merge(status, 1, Integer::sum);
    if (!(status.equals("200") || (refused && said))) {
      faults.add(asked + " <- " + shown(body) + ": " + answer);
    }
  }

  private static String shown(String body) {
    return body.length() < 80 ? body : body.substring(0, 80);
  }

  private String ask(String asked, String body) throws IOException {
    byte[] bytes = body.getBytes(ISO_8859_1);
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(
        (asked
                + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer "
                + TOKEN
                + "\r\nContent-Type: application/json\r\nContent-Length: "
                + bytes.length
                + "\r\n\r\n")
            .getBytes(ISO_8859_1));
    request.writeBytes(bytes);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), world.url("/").getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.toByteArray());
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
