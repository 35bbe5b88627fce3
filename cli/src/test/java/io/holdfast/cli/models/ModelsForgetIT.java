package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.version.Digest;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows are forgotten while a trainer trains and a service scores. */
class ModelsForgetIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int STEP = 300;
  private static final int ANA_FROM = 700;

  @TempDir Path folder;
  private int rows;

  @Test
  void versionsAfter_haveNoRowOfTheKey_andTheAuditorAgrees() throws Exception {
    try (ModelsOnTopic at = new ModelsOnTopic(folder);
        Service service = Service.start(at.settings());
        Trainer trainer = Trainer.start(at.settings())) {
      await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
      rideUntil(at, 5);

      JsonNode ana = forgotten(at, "ana", "--by", "eve", "--why", "request 7");
      long origin = ana.at("/forgotten/origin/version").asLong();
      assertThat(origin).as("hers begin late").isPositive();
      check(at, ana);
      rideUntil(at, last(ana) + 2);
      rebuildAll(at);

      nothingChanges(at, "--key", "ben", "--dry-run");
      nothingChanges(at, "--key", "nobody", "--out", "" + folder.resolve("nobody.json"));
      JsonNode ben = forgotten(at, "ben");
      assertThat(ben.at("/forgotten/origin/version").asLong()).isLessThan(origin);
      check(at, ben);
      rideUntil(at, last(ben) + 2);
      rebuildAll(at);
      agree(at);

      loseTheBeginning(at);
      CliRun refused = at.models("forget", "bikes", "--key", "cem");
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err()).contains("are gone").contains("--afresh");
      JsonNode cem = forgotten(at, "cem", "--afresh");
      assertThat(cem.at("/forgotten/origin/version").asLong()).isZero();
      check(at, cem);
      rideUntil(at, last(cem) + 2);
      rebuildAll(at);
      agree(at);
    }
  }

  /** All that says how versions came to be agrees with what is there. */
  private static void agree(ModelsOnTopic at) {
    CliRun verified = at.models("verify", "bikes");
    assertThat(verified.exitCode()).as(verified.out() + verified.err()).isZero();
    CliRun audited = CliRun.of("audit", "--config=" + at.config());
    assertThat(audited.out()).as(audited.err()).contains("bikes: as promised");
  }

  private JsonNode forgotten(ModelsOnTopic at, String key, String... more) throws Exception {
    Path file = folder.resolve(key + ".json");
    List<String> arguments =
        new ArrayList<>(List.of("forget", "bikes", "--key", key, "--out", "" + file, "--json"));
    arguments.addAll(List.of(more));
    CliRun run = at.models(arguments.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    JsonNode certificate = run.json();
    assertThat(new ObjectMapper().readTree(file.toFile())).isEqualTo(certificate);
    assertThat(Files.readString(file))
        .doesNotContain("\"" + key)
        .contains(Digest.of(key.getBytes(StandardCharsets.UTF_8)).hex());
    return certificate;
  }

  /** What a certificate says, and what is on the topics. */
  private static void check(ModelsOnTopic at, JsonNode certificate) throws Exception {
    assertThat(certificate.get("checked").asBoolean()).as(certificate.toPrettyString()).isTrue();
    JsonNode made = certificate.at("/forgotten/made");
    assertThat(made).isNotEmpty();
    long tip = certificate.at("/forgotten/tipBefore/version").asLong();
    List<Long> retired = new ArrayList<>();
    certificate
        .at("/forgotten/retired")
        .forEach(version -> retired.add(version.get("version").asLong()));
    assertThat(retired).contains(tip);
    assertThat(at.models("show", "bikes@" + tip).exitCode()).isEqualTo(1);
    assertThat(certificate.at("/head/version").asLong()).isEqualTo(last(certificate));
    List<String> kept = new ArrayList<>();
    certificate.get("kept").forEach(topic -> kept.add(topic.get("topic").asText()));
    assertThat(kept).contains("bikes.records", "bikes.scores", "bikes.examples");
  }

  private static long last(JsonNode certificate) {
    JsonNode made = certificate.at("/forgotten/made");
    return made.get(made.size() - 1).at("/version/version").asLong();
  }

  private static void nothingChanges(ModelsOnTopic at, String... arguments) {
    List<String> all = new ArrayList<>(List.of("forget", "bikes"));
    all.addAll(List.of(arguments));
    String before = at.models("history", "bikes", "--json").out();
    CliRun run = at.models(all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(at.models("history", "bikes", "--json").out()).isEqualTo(before);
  }

  private static void rebuildAll(ModelsOnTopic at) {
    CliRun run = at.models("rebuild", "bikes", "--from", "0");
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
  }

  private void rideUntil(ModelsOnTopic at, long version) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    do {
      at.ride(rows, STEP, ModelsForgetIT::key);
      rows += STEP;
      at.scores(rows);
    } while (version(at) < version && System.nanoTime() - deadline < 0);
    assertThat(version(at)).isGreaterThanOrEqualTo(version);
  }

  private static String key(int row) {
    return switch (row % 40) {
      case 8 -> row < ANA_FROM ? "k" + row : "ana";
      case 9 -> "ben";
      case 10 -> "cem";
      default -> "k" + row;
    };
  }

  private static long version(ModelsOnTopic at) {
    JsonNode head = at.models("list", "--json").json().get("models").get(0);
    return head.path("version").asLong(-1);
  }

  private static void loseTheBeginning(ModelsOnTopic at) throws Exception {
    try (Admin admin = Admin.create(Map.copyOf(at.settings().kafka()))) {
      List<ConsumerRecord<String, byte[]>> examples = at.committed("bikes.examples", 100);
      var partition = new TopicPartition("bikes.examples", examples.getFirst().partition());
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(20))).all().get();
    }
  }
}
