package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gamma ladder on a broker: which rung scores, and versions trained again. */
class ModelsRungIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** The version of the first window: constants come before it. */
  private static final long FIRST = 3;

  private static final int STEP = 500;

  @TempDir Path folder;
  private int rows;

  @Test
  void rung_thatIsAskedFor_scoresAndGoesOnScoring() throws Exception {
    try (ModelsOnTopic at = ModelsOnTopic.withLadder(folder, "{ gammas: [1, 9, 25] }");
        Service service = Service.start(at.settings());
        Trainer trainer = Trainer.start(at.settings())) {
      await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
      rideUntil(at, FIRST + 1);

      JsonNode head =
          at.models("rung", "bikes", "--gamma", "9", "--by", "ana", "--why", "strike", "--json")
              .json();
      long number = head.get("version").asLong();
      assertThat(head.get("by").asText()).isEqualTo("ana");
      assertThat(head.get("why").asText()).isEqualTo("strike");
      assertThat(head.get("tipVersion").asLong()).as("training grows from it").isEqualTo(number);
      LedgerVersion climbed = version(at, number);
      LedgerVersion parent = version(at, climbed.manifest().getParentVersion());
      assertThat(parent.servedGamma()).isEqualTo(1);
      assertThat(climbed.servedGamma()).isEqualTo(9);
      assertThat(climbed.segments()).isEqualTo(parent.segments());
      assertThat(climbed.grown()).isEqualTo(parent.grown());
      assertThat(climbed.model()).isNotEqualTo(climbed.grown());

      refusals(at);

      rideUntil(at, number + 2);
      List<Score> byRung = scoresBy(at, number);
      LedgerVersion later = version(at, number + 1);
      assertThat(later.servedGamma()).as("until the settings change").isEqualTo(9);
      assertThat(byRung).as("the scorer took the rung").isNotEmpty();
      assertThat(at.models("replay", "bikes", "--json").json().get("identical").asLong())
          .as("each score is that of the version it names, which is the rung's")
          .isEqualTo(rows);
      JsonNode history = at.models("history", "bikes", "--json").json().get("heads");
      assertThat(history)
          .anySatisfy(
              one -> {
                assertThat(one.get("version").asLong()).isEqualTo(number);
                assertThat(one.get("why").asText()).isEqualTo("strike");
              });
      assertThat(at.models("verify").out()).contains("nothing is wrong");
      rebuildAll(at, number);
    }
  }

  private static void refusals(ModelsOnTopic at) {
    at.models("rung", "bikes", "--gamma", "5").saysOneSentence(1, "no rung of gamma 5.0", "25.0");
    at.models("rung", "bikes", "--gamma", "nine").saysOneSentence(2, "nine");
    at.models("rung", "bikes@1", "--gamma", "9").saysOneSentence(2, "the model alone");
    at.models("rung", "cars", "--gamma", "9").saysOneSentence(2, "no model cars");
    assertThat(at.models("pin", "bikes@1").exitCode()).isZero();
    at.models("rung", "bikes", "--gamma", "25").saysOneSentence(1, "pinned");
    assertThat(at.models("unpin", "bikes").exitCode()).isZero();
  }

  /** What each rung lost is remembered in manifests, so that a rebuild chooses the same one. */
  @Test
  void versions_ofAnAdaptiveLadder_areTrainedAgainToTheirHashes() throws Exception {
    try (ModelsOnTopic at =
            ModelsOnTopic.withLadder(folder, "{ gammas: [1, 9, 25], serve: adaptive }");
        Service service = Service.start(at.settings());
        Trainer trainer = Trainer.start(at.settings())) {
      await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
      rideUntil(at, FIRST + 3);

      assertThat(version(at, FIRST + 2).manifest().getMetrics())
          .containsKeys("rungLoss.1.0", "rungLoss.9.0", "rungLoss.25.0");
      rebuildAll(at, -1);
    }
  }

  /** All are the same, but the one that only lets another rung score. */
  private static void rebuildAll(ModelsOnTopic at, long climbed) throws Exception {
    CliRun run = at.models("rebuild", "bikes", "--from", "0", "--json");
    JsonNode versions = new ObjectMapper().readTree(run.out()).get("versions");
    assertThat(versions).hasSizeGreaterThan(4);
    for (JsonNode version : versions) {
      boolean trained = version.get("version").asLong() != climbed;
      assertThat(version.get("same").asBoolean()).as(version.toString()).isEqualTo(trained);
      if (!trained) {
        assertThat(version.get("differences").toString()).contains("lets another rung score");
      }
    }
  }

  private static List<Score> scoresBy(ModelsOnTopic at, long version) throws Exception {
    LedgerVersion by = version(at, version);
    List<Score> scores = new ArrayList<>();
    for (ConsumerRecord<String, byte[]> record : at.scores(1)) {
      Score score = Contracts.SCORE.decode(record.value());
      if (score.getVersion() == version) {
        scores.add(score);
        assertThat(score.getModelHash().bytes()).isEqualTo(by.hash().bytes());
      }
    }
    return scores;
  }

  private static LedgerVersion version(ModelsOnTopic at, long number) throws Exception {
    return ModelTopic.read(at.settings()).version("bikes", number);
  }

  private void rideUntil(ModelsOnTopic at, long version) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    do {
      at.ride(rows, STEP);
      rows += STEP;
      at.scores(rows);
    } while (serving(at) < version && System.nanoTime() - deadline < 0);
    assertThat(serving(at)).isGreaterThanOrEqualTo(version);
  }

  private static long serving(ModelsOnTopic at) {
    return at.models("list", "--json").json().get("models").get(0).path("version").asLong(-1);
  }
}
