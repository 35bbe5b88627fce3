package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.scorer.topic.FollowedModel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands that write heads do to a real topic. */
class ModelsHeadsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path folder;
  private ModelsOnTopic at;
  private LedgerVersion first;
  private LedgerVersion second;
  private LedgerVersion third;

  @BeforeEach
  void publish() throws Exception {
    at = ModelsOnTopic.withBoats(folder);
    first = at.begin();
    at.serve(first);
    second = at.grow(1, first, 2, "a");
    at.serve(second);
    third = at.grow(2, second, 3, "a", "b");
    at.serve(third);
  }

  @AfterEach
  void close() {
    at.close();
  }

  @Test
  void actions_writeHeadsByTheRulesAndTheHistoryHasThemAll_andOtherProgramsFollow() {
    FollowedModel followed = follow();
    assertThat(followed.model().version()).isEqualTo(2);
    CliRun back = at.models("rollback", "bikes@1", "--by", "ana", "--why", "off in winter");
    assertThat(back.exitCode()).as(back.err()).isZero();
    assertThat(back.out()).contains("bikes serves version 1; training grows from it");
    assertThat(followed.awaitCurrent(PATIENCE)).isTrue();
    assertThat(followed.model().hash()).isEqualTo(second.hash().toString());
    double[] row = new double[second.model().features().size()];
    assertThat(followed.model().score(row).rawScores())
        .containsExactly(Scorer.of(second.model()).score(row));

    assertThat(at.models("pin", "bikes@0").out()).contains("serves version 0, pinned");
    at.models("promote", "bikes@2").saysOneSentence(1, "pinned", "unpin it first");
    assertThat(at.models("unpin", "bikes").out()).contains("serves version 1;");
    assertThat(at.models("shadow", "bikes@2").out()).contains("version 2 shadows it");
    JsonNode promoted = at.models("promote", "bikes@2", "--json").json();
    assertThat(promoted.get("version").asLong()).isEqualTo(2);
    assertThat(promoted.get("shadowVersion").isNull()).as("it serves now").isTrue();
    assertThat(promoted.get("reason").asText()).isEqualTo("PROMOTED");

    JsonNode history = at.models("history", "bikes", "--json").json().get("heads");
    assertThat(history)
        .extracting(head -> head.get("reason").asText())
        .containsExactly(
            "INITIAL",
            "TRAINED",
            "TRAINED",
            "ROLLED_BACK",
            "PINNED",
            "UNPINNED",
            "SHADOWED",
            "PROMOTED");
    assertThat(history)
        .extracting(head -> head.get("sequence").asLong())
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    assertThat(history.get(3).get("by").asText()).isEqualTo("ana");
    assertThat(history.get(3).get("why").asText()).isEqualTo("off in winter");
    assertThat(history.get(4).get("by").asText()).isEqualTo(System.getProperty("user.name"));
    assertThat(at.models("history", "bikes", "--last", "1").out().lines()).hasSize(2);
    assertThat(at.models("verify").out()).contains("nothing is wrong");
    JsonNode verified = at.models("verify", "bikes", "--json").json();
    assertThat(verified.get("violations")).isEmpty();
    assertThat(verified.get("models").get(0).get("heads").asLong()).isPositive();
    assertThat(at.models("list").out()).contains("bikes");
    assertThat(followed.awaitCurrent(PATIENCE)).isTrue();
    assertThat(followed.model().version()).isEqualTo(2);
    assertThat(followed.problem()).isNull();
    followed.close();
  }

  @Test
  void headThatWasWritten_isThereForWhoReadsNext() throws Exception {
    try (Admin admin = Admin.create(Map.copyOf(at.settings().kafka()))) {
      for (int i = 0; i < 30; i++) {
        HeadChange change = i % 2 == 0 ? new HeadChange.Pinned(1) : new HeadChange.Unpinned();
        HeadWriter.apply(at.settings(), "bikes", change, "ana", "", false);
        assertThat(end(admin, IsolationLevel.READ_COMMITTED))
            .isEqualTo(end(admin, IsolationLevel.READ_UNCOMMITTED));
      }
    }
  }

  private long end(Admin admin, IsolationLevel of) throws Exception {
    var topic = new TopicPartition(at.settings().topics().models(), 0);
    return admin
        .listOffsets(Map.of(topic, OffsetSpec.latest()), new ListOffsetsOptions(of))
        .partitionResult(topic)
        .get()
        .offset();
  }

  @Test
  void topicThatWasTamperedWith_isFoundOut() throws Exception {
    at.send("bikes/version/1", null);
    at.send("bikes/version/2", new byte[] {1, 2, 3});
    at.send("nonsense", new byte[] {1});

    CliRun run = at.models("verify", "--json");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
    JsonNode violations = new ObjectMapper().readTree(run.out()).get("violations");
    assertThat(violations)
        .extracting(violation -> violation.get("kind").asText())
        .contains("BAD_RECORD", "BAD_KEY");
    assertThat(at.models("verify", "boats").exitCode()).as("nothing of boats is there").isOne();
    assertThat(at.models("verify").out()).contains("what is wrong stands above");
    at.send("bikes/version/2", null);
    try (FollowedModel followed = follow()) {
      assertThat(followed.model().version()).as("what can be verified").isZero();
      assertThat(followed.problem()).contains("version 2 of bikes cannot serve");
    }
    assertThatThrownBy(() -> follow("boats"))
        .isInstanceOf(TopicException.class)
        .hasMessageEndingWith(" has no model boats that serves");
  }

  private FollowedModel follow() {
    return follow("bikes");
  }

  private FollowedModel follow(String model) {
    Settings settings = at.settings();
    return FollowedModel.start(settings.kafka(), settings.topics().models(), model, PATIENCE);
  }

  @Test
  void whatIsNotToBe_isRefusedInOneSentenceAndWritesNothing() throws Exception {
    at.models("rollback", "bikes@7").saysOneSentence(1, "version 7", "0 to 2");
    at.models("rollback", "bikes").saysOneSentence(2, "bikes@12");
    at.models("unpin", "bikes").saysOneSentence(1, "not pinned");
    at.models("unpin", "bikes@1").saysOneSentence(2, "the model alone");
    at.models("shadow", "bikes@2").saysOneSentence(1, "version 2", "serves");
    at.models("shadow", "bikes", "none").saysOneSentence(1, "no version of bikes shadows");
    at.models("shadow", "bikes", "nome").saysOneSentence(2, "none");
    at.models("shadow", "bikes@1", "--promote-when", "better")
        .saysOneSentence(1, "version 2", "it grew from", "update.gate to manual");
    at.models("shadow", "bikes@1", "--promote-when", "newer").saysOneSentence(2, "better alone");
    at.models("shadow", "bikes@1", "--error", "0.1").saysOneSentence(2, "--promote-when better");
    at.models("shadow", "bikes@1", "--promote-when", "better", "--error", "1")
        .saysOneSentence(2, "above 0 and below 1");
    at.models("shadow", "bikes", "none", "--promote-when", "better").saysOneSentence(2, "none");
    at.models("rollback", "boats@1").saysOneSentence(1, "boats", "no version that serves");
    at.models("rollback", "cars@1").saysOneSentence(2, "no model cars", "bikes, boats");
    try (var admin = Admin.create(Map.copyOf(at.settings().kafka()))) {
      admin.deleteTopics(List.of("bikes.shadow-scores")).all().get();
    }
    var bikes = at.settings().model("bikes");
    await()
        .atMost(PATIENCE)
        .until(() -> !TopicCheck.shadowProblems(at.settings(), bikes).isEmpty());
    at.models("shadow", "bikes@1").saysOneSentence(1, "bikes.shadow-scores", "topics create");

    assertThat(ModelTopic.read(at.settings()).ledger().history("bikes")).hasSize(3);
  }

  @Test
  void exportedVersion_isImportedAsTheNextWithTheSameScores() throws Exception {
    Path file = folder.resolve("one.hf");
    assertThat(at.models("export", "bikes@1", "--out", "" + file).exitCode()).isZero();

    at.models("import", "bikes", "--file", "" + file)
        .saysOneSentence(1, "cannot follow on bikes", "categories only appended");
    assertThat(at.models("rollback", "bikes@1").exitCode()).isZero();
    CliRun dry = at.models("import", "bikes", "--file", "" + file, "--dry-run");
    assertThat(dry.out()).startsWith("Would publish, and did not, version 3 of bikes: ");
    JsonNode imported = at.models("import", "bikes", "--file", "" + file, "--json").json();

    assertThat(imported.get("published").asLong()).isEqualTo(3);
    assertThat(imported.get("version").asLong()).isEqualTo(3);
    assertThat(imported.get("reason").asText()).isEqualTo("IMPORTED");
    assertThat(imported.get("records").asInt()).as("its segment is there already").isEqualTo(1);
    assertThat(at.models("verify").out()).contains("nothing is wrong");
    ModelTopic topic = ModelTopic.read(at.settings());
    LedgerVersion version = topic.version("bikes", 3);
    assertThat(topic.parent(version.manifest()).orElseThrow().getVersion()).isEqualTo(1);
    assertThat(Scorer.of(version.model()).score(new double[] {1, 0}))
        .isEqualTo(Scorer.of(second.model()).score(new double[] {1, 0}));
  }

  @Test
  void modelOfFiftyMegabytes_isVersionZeroOfANewModel() throws Exception {
    List<Tree> trees = new ArrayList<>();
    var random = new SplittableRandom(1);
    for (int i = 0; i < 9_000; i++) {
      trees.add(full(254, random));
    }
    var large =
        new Model(
            new Squared(),
            List.of(new Feature.Numeric("x"), new Feature.Numeric("y")),
            1,
            List.of(new Segment(trees)));
    Path file = folder.resolve("large.hf");
    ModelFile.save(file, "whatever", large, 1, 1, Instant.EPOCH);

    CliRun run = at.models("import", "boats", "--file", "" + file, "--json");

    JsonNode json = run.json();
    assertThat(json.get("published").asLong()).isZero();
    assertThat(json.get("bytes").asLong()).isGreaterThan(50_000_000);
    LedgerVersion read = ModelTopic.read(at.settings()).version("boats", 0);
    assertThat(read.model().trees()).isEqualTo(9_000);
    double[] row = {0.3, 0.7};
    assertThat(Scorer.of(read.model()).score(row)).isEqualTo(Scorer.of(large).score(row));
    at.models("import", "bikes", "--file", "" + file)
        .saysOneSentence(1, "cannot follow on bikes", "features of its parent");
  }

  /** A full tree of that many splits, no two alike. */
  private static Tree full(int splits, SplittableRandom random) {
    int[] features = new int[splits];
    double[] thresholds = new double[splits];
    boolean[] missingLeft = new boolean[splits];
    int[] left = new int[splits];
    int[] right = new int[splits];
    double[] leaves = new double[splits + 1];
    for (int i = 0; i < splits; i++) {
      features[i] = i % 2;
      thresholds[i] = random.nextDouble();
      missingLeft[i] = random.nextBoolean();
      left[i] = 2 * i + 1 < splits ? 2 * i + 1 : -1 - (2 * i + 1 - splits);
      right[i] = 2 * i + 2 < splits ? 2 * i + 2 : -1 - (2 * i + 2 - splits);
      leaves[i] = random.nextDouble(-1, 1);
    }
    leaves[splits] = random.nextDouble(-1, 1);
    return new Tree(features, thresholds, missingLeft, new long[splits][0], left, right, leaves);
  }
}
