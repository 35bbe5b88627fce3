package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.select.GammaVariant;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.service.request.JsonScorer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scores by any version, their reasons, and what would be otherwise. */
final class ServingHttpTest {
  private static final String RIDE = "{\"temperature\": 25, \"weather\": {\"wind\": 3}}";
  private final HttpWorld world = new HttpWorld();
  private LedgerVersion first;

  @BeforeEach
  void serve() {
    first = world.ledger.publish(0, null, -1, 2);
    world.ledger.publish(1, first, -1, 4);
    world.ledger.head(first, HeadReason.INITIAL);
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void score_byVersion_isThatVersions() throws Exception {
    JsonNode serving = world.json(world.post("/api/v1/models/bikes/score", RIDE));
    JsonNode other = world.json(world.post("/api/v1/models/bikes/score?version=1", RIDE));

    assertThat(serving.get("serving").asBoolean()).isTrue();
    assertThat(raw(serving.get("predictions").get(0))).isEqualTo(2.5);
    assertThat(other.get("version").asLong()).isEqualTo(1);
    assertThat(other.get("serving").asBoolean()).isFalse();
    assertThat(raw(other.get("predictions").get(0))).isEqualTo(4.5);
    assertThat(world.json(world.post("/api/v1/models/bikes/score?version=0", RIDE)))
        .isEqualTo(serving);
  }

  @Test
  void score_byWhatIsNotThere_isNoSuchVersion() throws Exception {
    world.assertProblem(
        world.post("/api/v1/models/bikes/score?version=7", RIDE), "no-such-version", "version 7");
    world.assertProblem(
        world.post("/api/v1/models/bikes/score?gamma=7", RIDE),
        "no-such-version",
        "version 0 of model bikes has no leaf values of gamma 7.0, but of [1.0]");
    world.assertProblem(
        world.post("/api/v1/models/bikes/score?version=x", RIDE), "bad-request", "x");
  }

  @Test
  void explain_addsUpToTheScore() throws Exception {
    JsonNode answer =
        world.json(
            world.post(
                "/api/v1/models/bikes/explain?version=1",
                "[{\"temperature\": 25, \"season\": \"SUMMER\"}, {}]"));

    assertThat(answer.get("version").asLong()).isEqualTo(1);
    assertThat(answer.get("explanations")).hasSize(2);
    for (JsonNode explained : answer.get("explanations")) {
      JsonNode output = explained.get("outputs").get(0);
      double sum = output.get("expected").asDouble();
      for (JsonNode one : output.get("contributions")) {
        sum += one.get("amount").asDouble();
      }
      assertThat(sum).isCloseTo(output.get("rawScore").asDouble(), within(1e-9));
      assertThat(output.get("rawScore").asDouble()).isEqualTo(raw(explained.get("prediction")));
    }
    JsonNode first = answer.get("explanations").get(0).get("outputs").get(0);
    assertThat(first.get("contributions").get(0).toString())
        .startsWith("{\"feature\":\"temperature\",\"number\":25.0,\"category\":null,");
    assertThat(first.get("contributions").get(2).get("category").asText()).isEqualTo("SUMMER");
  }

  @Test
  void whatIf_saysHowFarTheScoreGoes() throws Exception {
    JsonNode answer =
        world.json(
            world.post(
                "/api/v1/models/bikes/what-if",
                "{\"record\": "
                    + RIDE
                    + ", \"changes\": [{\"temperature\": 5}, {\"weather\": {\"wind\": 9}}]}"));

    assertThat(raw(answer.get("prediction"))).isEqualTo(2.5);
    assertThat(answer.get("changed").get(0).get("difference").asDouble()).isEqualTo(-3);
    assertThat(answer.get("changed").get(0).get("rawDifferences")).hasToString("[-3.0]");
    assertThat(answer.get("changed").get(1).get("difference").asDouble()).isZero();
    world.assertProblem(
        world.post("/api/v1/models/bikes/what-if", RIDE), "malformed-body", "record and changes");
    world.assertProblem(
        world.post(
            "/api/v1/models/bikes/what-if", "{\"record\": {}, \"changes\": [{\"temperatur\": 5}]}"),
        "bad-record",
        "change 0: field temperatur is not in the record schema");
  }

  @Test
  void explain_ofTreesThatDoNotKnowTheirRows_isRefused() throws Exception {
    Model known = Bikes.version(2, world.settings, 0, 1).model();
    Tree bare =
        new Tree(
            new int[] {0},
            new double[] {20},
            new boolean[] {true},
            new long[][] {{}},
            new int[] {-1},
            new int[] {-2},
            new double[] {0, 1});
    Model model =
        new Model(known.objective(), known.features(), 0, List.of(new Segment(List.of(bare))));
    world.ledger.publish(
        LedgerCodec.encode(world.ledger.draft(2, world.ledger.publish(1, first, -1, 4), model)));

    world.assertProblem(
        world.post("/api/v1/models/bikes/explain?version=2", RIDE),
        "not-explainable",
        "version 2 cannot be explained: a model must know how many training rows");
  }

  @Test
  void score_byGamma_isByItsLeafValues() throws Exception {
    Model grown = Bikes.version(2, world.settings, -1, 2).model();
    Model strong = Bikes.version(2, world.settings, -1, 8).model();
    world.ledger.publish(
        LedgerCodec.encode(
            world
                .ledger
                .draft(2, world.ledger.publish(1, first, -1, 4), grown)
                .withLadder(1, List.of(new GammaVariant(7, strong)), null)));

    JsonNode answer = world.json(world.post("/api/v1/models/bikes/score?version=2&gamma=7", RIDE));

    assertThat(answer.get("gamma").asDouble()).isEqualTo(7);
    assertThat(raw(answer.get("predictions").get(0))).isEqualTo(8.5);
    answer = world.json(world.post("/api/v1/models/bikes/compare?last=2", RIDE));
    assertThat(answer.get("scores"))
        .extracting(one -> one.get("version").asLong() + " " + one.get("gamma").asDouble())
        .containsExactly("2 1.0", "2 7.0", "1 1.0");
    world.assertProblem(
        world.post("/api/v1/models/bikes/compare?last=21", RIDE),
        "bad-request",
        "last must be 1 to 20: 21");
    assertThat(answer.get("scores"))
        .extracting(one -> raw(one.get("prediction")))
        .containsExactly(2.5, 8.5, 4.5);
  }

  @Test
  void answerThatTakesTooLong_isEnded() throws Exception {
    try (HttpWorld slow = new HttpWorld(Map.of(JsonScorer.TIME, -1))) {
      slow.ledger.head(slow.ledger.publish(0, null, 0, 1), HeadReason.INITIAL);
      slow.assertProblem(
          slow.post("/api/v1/models/bikes/score", RIDE), "too-slow", "ask for fewer records");
    }
  }

  private static double raw(JsonNode prediction) {
    return prediction.get("rawScore").asDouble();
  }

  @Test
  void score_hasTheRecordsId_whereThatIsAFieldOfIt() throws Exception {
    var byField = Bikes.settings("labels.in", "topic", "labels.correlation.record", "field season");
    try (var other = new HttpWorld(byField, Bikes.RIDE, Map.of())) {
      other.ledger.head(other.ledger.publish(0, null, -1, 2), HeadReason.INITIAL);
      JsonNode predictions =
          other
              .json(other.post("/api/v1/models/bikes/score", "[{\"season\": \"SUMMER\"}, {}]"))
              .get("predictions");
      assertThat(predictions.get(0).get("id").asText()).isEqualTo("SUMMER");
      assertThat(predictions.get(1).path("id").isTextual()).isFalse();
    }
  }
}
