package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Head actions while a trainer trains and a service scores. */
class ModelsTrainedIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int STEP = 500;

  @TempDir Path folder;
  private int rows;

  @Test
  void trainer_goesOnFromWhatTheHeadSays() throws Exception {
    try (ModelsOnTopic at = new ModelsOnTopic(folder);
        Service service = Service.start(at.settings());
        Trainer trainer = Trainer.start(at.settings())) {
      await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
      rideUntil(at, "version", 2);

      assertThat(at.models("shadow", "bikes@1").exitCode()).isZero();
      rideUntilCompared(at);
      checkComparison(at);

      long before = newest(at);
      assertThat(at.models("rollback", "bikes@1", "--by", "ana").exitCode()).isZero();
      long after = newest(at); // the trainer may have made a version just before the rollback
      rideUntil(at, "version", after + 1);
      assertThat(LongStream.rangeClosed(before + 1, after + 1).map(made -> parent(at, made)))
          .contains(1L);

      assertThat(at.models("pin", "bikes@1").exitCode()).isZero();
      long pinnedAt = newest(at);
      rideUntil(at, "tipVersion", pinnedAt + 1);
      assertThat(head(at).get("version").asLong()).isEqualTo(1);
      JsonNode unpinned = at.models("unpin", "bikes", "--json").json();
      assertThat(unpinned.get("version").asLong()).isGreaterThan(pinnedAt);

      Path file = folder.resolve("tip.hf");
      assertThat(at.models("export", "bikes", "--out", "" + file).exitCode()).isZero();
      Path foreign = folder.resolve("tip.txt"); // as LightGBM has it, and training goes on from it
      CliRun away =
          CliRun.of("export", "--model", "" + file, "--to", "lightgbm", "--out", "" + foreign);
      assertThat(away.exitCode()).as(away.err()).isZero();
      JsonNode imported = at.models("import", "bikes", "--file", "" + foreign, "--json").json();
      long number = imported.get("published").asLong();
      rideUntil(at, "version", number + 1);
      assertThat(parent(at, number + 1)).isEqualTo(number);

      JsonNode history = at.models("history", "bikes", "--json").json().get("heads");
      for (int i = 0; i < history.size(); i++) {
        assertThat(history.get(i).get("sequence").asLong()).isEqualTo(i + 1L);
      }
      rebuildAll(at, number);
      at.scores(rows);
      assertThat(at.models("replay", "bikes", "--json").json().get("identical").asLong())
          .isEqualTo(rows);
    }
  }

  /** Every version can be trained again, whatever its parent, but the one that was imported. */
  private static void rebuildAll(ModelsOnTopic at, long imported) throws Exception {
    CliRun run = at.models("rebuild", "bikes", "--from", "0", "--json");
    JsonNode versions = new ObjectMapper().readTree(run.out()).get("versions");
    assertThat(versions).hasSizeGreaterThan((int) imported + 1);
    for (JsonNode version : versions) {
      if (version.get("version").asLong() == imported) {
        assertThat(version.get("differences").toString())
            .contains("not trained here, but imported");
      } else {
        assertThat(version.get("same").asBoolean()).as(version.toString()).isTrue();
      }
    }
    assertThat(run.exitCode()).as("one did not come out").isEqualTo(1);
  }

  private void rideUntil(ModelsOnTopic at, String field, long version) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    do {
      ride(at);
    } while (head(at).path(field).asLong(-1) < version && System.nanoTime() - deadline < 0);
    assertThat(head(at).path(field).asLong(-1)).as(field).isGreaterThanOrEqualTo(version);
  }

  private void rideUntilCompared(ModelsOnTopic at) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (compared(at) < 3 && System.nanoTime() - deadline < 0) {
      ride(at);
    }
    assertThat(compared(at)).isGreaterThanOrEqualTo(3);
  }

  private void ride(ModelsOnTopic at) throws Exception {
    at.ride(rows, STEP);
    rows += STEP;
    at.scores(rows);
  }

  private static int compared(ModelsOnTopic at) {
    return at.models("compare", "bikes", "--json").json().get("windows").size();
  }

  private static JsonNode head(ModelsOnTopic at) {
    return at.models("list", "--json").json().get("models").get(0);
  }

  private static long newest(ModelsOnTopic at) {
    return head(at).get("newest").asLong();
  }

  private static long parent(ModelsOnTopic at, long version) {
    return at.models("show", "bikes@" + version, "--json").json().get("parentVersion").asLong();
  }

  /** The newest comparison is what the shadow's own scores on their topic give. */
  private void checkComparison(ModelsOnTopic at) throws Exception {
    Map<String, Double> shadow = new HashMap<>();
    for (ConsumerRecord<String, byte[]> record : at.committed("bikes.shadow-scores", STEP)) {
      Score score = Contracts.SCORE.decode(record.value());
      assertThat(score.getVersion()).isEqualTo(1);
      assertThat(record.partition()).isEqualTo(score.getSourcePartition());
      shadow.put(
          score.getSourcePartition() + "@" + score.getSourceOffset(), score.getRawScores().get(0));
    }
    WindowReport report = newestReport(at);
    double loss = 0;
    int labelled = 0;
    for (ConsumerRecord<String, byte[]> record : at.committed("bikes.examples", 1)) {
      if (isIn(report.getRanges(), record)) {
        Example example = Contracts.EXAMPLE.decode(record.value());
        String source = example.getSourcePartition() + "@" + example.getSourceOffset();
        double raw = Objects.requireNonNull(shadow.get(source), "the shadow scored " + source);
        loss += (raw - example.getLabel()) * (raw - example.getLabel()) / 2;
        labelled++;
      }
    }
    assertThat(report.getShadow().getRows()).isEqualTo(labelled);
    assertThat(report.getShadow().getLoss()).isCloseTo(loss / labelled, within(1e-9));
    assertThat(report.getShadow().getAgainstLoss()).isEqualTo(report.getLoss());
  }

  private static WindowReport newestReport(ModelsOnTopic at) throws Exception {
    List<WindowReport> compared = new ArrayList<>();
    for (ConsumerRecord<String, byte[]> record : at.committed("holdfast.reports", 1)) {
      WindowReport report = Contracts.REPORT.decode(record.value());
      if (report.getShadow() != null) {
        compared.add(report);
      }
    }
    return compared.getLast();
  }

  private static boolean isIn(List<OffsetRange> ranges, ConsumerRecord<String, byte[]> record) {
    return ranges.stream()
        .anyMatch(
            range ->
                range.getPartition() == record.partition()
                    && range.getFrom() <= record.offset()
                    && record.offset() < range.getTo());
  }
}
