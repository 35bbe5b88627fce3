package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.version.LedgerVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the dashboard's pages ask for beside scores and reports. */
final class PagesHttpTest {
  private final HttpWorld world = new HttpWorld();
  private final LedgerVersion first = world.ledger.publish(0, null, 0, 0);

  @AfterEach
  void close() {
    world.close();
  }

  private JsonNode ask(String path) throws Exception {
    return world.json(world.get("/api/v1/models/bikes" + path));
  }

  @Test
  void model_hasAStateWithItsReason_andItsRank() throws Exception {
    assertThat(ask("").get("state").get("word").asText()).isEqualTo("no version yet");
    assertThat(ask("").get("state").get("level").asText()).isEqualTo("warn");

    world.ledger.head(first, HeadReason.INITIAL);

    JsonNode state = ask("").get("state");
    assertThat(state.get("word").asText()).isEqualTo("healthy");
    assertThat(state.get("reason").asText()).isEqualTo("nothing was found to be wrong");
    assertThat(ask("").get("recent").get("all").get("loss").isNull()).isTrue();
    assertThat(ask("").get("labelled").get("share").isNull()).isTrue();
  }

  @Test
  void version_saysWhatItIsMadeOf() throws Exception {
    world.ledger.publish(1, first, -1, 4);

    JsonNode version = ask("/versions/1");
    assertThat(version.get("parentVersion").asLong()).isZero();
    assertThat(version.get("version").get("parent").asText()).isEqualTo(first.hash().hex());
    assertThat(version.get("features").get(2).toString())
        .isEqualTo("{\"name\":\"season\",\"categorical\":true,\"categories\":2}");
    assertThat(ask("/versions/0").get("parentVersion").isNull()).isTrue();
    world.assertProblem(
        world.get("/api/v1/models/bikes/versions/7"),
        "no-such-version",
        "the model topic holds no version 7 of model bikes");
  }

  @Test
  void importance_isOfTheServingVersion_greatestFirst() throws Exception {
    world.assertProblem(
        world.get("/api/v1/models/bikes/importance"), "not-ready", "no verified version yet");

    world.ledger.head(first, HeadReason.INITIAL);

    JsonNode importance = ask("/importance");
    assertThat(importance.get("measure").asText()).isEqualTo("gain");
    assertThat(importance.get("features")).hasSize(3);
    assertThat(importance.get("features").get(0).toString())
        .isEqualTo("{\"feature\":\"temperature\",\"share\":1.0}");
  }

  @Test
  void distribution_isOfTheNewestScores() throws Exception {
    assertThat(ask("/distribution").get("scores").asInt()).isZero();
    LedgerVersion second = world.ledger.publish(1, first, -1, 4);
    world.ledger.head(second, HeadReason.TRAINED);
    for (int i = 0; i < 16; i++) {
      world.post("/api/v1/models/bikes/score", "{\"temperature\": " + (i < 8 ? 5 : 25) + "}");
    }

    JsonNode distribution = ask("/distribution");
    assertThat(distribution.get("scores").asInt()).isEqualTo(2);
    assertThat(distribution.get("bins")).hasSize(20);
    assertThat(distribution.get("bins").get(0).toString())
        .isEqualTo("{\"name\":null,\"from\":-0.5,\"to\":-0.25,\"count\":1}");
    assertThat(distribution.get("bins").get(19).get("count").asInt()).isEqualTo(1);
  }

  @Test
  void template_isARecordThatCanBeScored() throws Exception {
    world.ledger.head(first, HeadReason.INITIAL);

    JsonNode template = ask("/template");
    assertThat(template.has("count")).as("the label").isFalse();
    assertThat(template.get("weather").get("wind").asInt()).isZero();
    world.json(world.post("/api/v1/models/bikes/score", template.toString()));
  }
}
