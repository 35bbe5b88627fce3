package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shadow that is to be promoted once it is shown to be better, on a real broker. */
class ModelsPromotedIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int STEP = 500;
  private static final int WINDOW = 200;
  private static final Pattern EVIDENCE = Pattern.compile("is better is \\S+ after (\\d+) rows");

  @TempDir Path folder;
  private int rows;

  @Test
  void trainer_promotesTheShadow_andARestartKeepsItsEvidence() throws Exception {
    try (ModelsOnTopic at = ModelsOnTopic.withManualGate(folder);
        Service service = Service.start(at.settings())) {
      try (Trainer first = Trainer.start(at.settings())) {
        await().atMost(PATIENCE).until(() -> service.ready() && first.ready());
        rideUntil(at, () -> head(at).path("tipVersion").asLong(-1) >= 2);
        CliRun asked =
            at.models("shadow", "bikes@2", "--promote-when", "better", "--error", "0.01");
        assertThat(asked.exitCode()).as(asked.err()).isZero();
        assertThat(asked.out())
            .contains("version 2 shadows it until it is shown to be better (error 0.01)");
        assertThat(head(at).get("promoteError").asDouble()).isEqualTo(0.01);
        rideUntil(at, () -> evidence(at) >= 800);
      }
      assertThat(head(at).get("version").asLong()).as("not shown yet").isZero();
      try (Trainer second = Trainer.start(at.settings())) {
        await().atMost(PATIENCE).until(second::ready);
        rideUntil(at, () -> head(at).get("version").asLong() == 2);
        assertThat(evidences(at))
            .as("it went on where it was")
            .isSorted()
            .doesNotHaveDuplicates()
            .last(LONG)
            .isGreaterThan(2_000);
        check(at);
        await().atMost(PATIENCE).until(() -> servedLast(at) == 2);
      }
    }
  }

  private static void check(ModelsOnTopic at) {
    List<JsonNode> promotions = new ArrayList<>();
    for (JsonNode past : at.models("history", "bikes", "--json").json().get("heads")) {
      if (past.get("reason").asText().equals("PROMOTED")) {
        promotions.add(past);
      }
    }
    assertThat(promotions).hasSize(1);
    JsonNode promoted = promotions.getFirst();
    assertThat(promoted.get("version").asLong()).isEqualTo(2);
    assertThat(promoted.get("tipVersion").asLong()).as("it grew from 2").isGreaterThan(2);
    assertThat(promoted.get("shadowVersion").isNull()).isTrue();
    assertThat(promoted.get("promoteError").isNull()).isTrue();
    assertThat(promoted.get("by").asText()).isEqualTo("trainer");
    assertThat(promoted.get("why").asText()).startsWith("better by evidence of 1");
    assertThat(at.models("verify").out()).contains("nothing is wrong");
    CliRun audit = CliRun.of("audit", "--config=" + at.config());
    assertThat(audit.exitCode()).as(audit.out() + audit.err()).isZero();
  }

  /** How many rows the newest report's evidence is of; 0 without one. */
  private static long evidence(ModelsOnTopic at) {
    List<Long> found = evidences(at);
    return found.isEmpty() ? 0 : found.getLast();
  }

  /** How many rows the evidence of each report is of that has any. */
  private static List<Long> evidences(ModelsOnTopic at) {
    List<Long> found = new ArrayList<>();
    for (var record : at.committed("holdfast.reports", 1)) {
      try {
        WindowReport report = Contracts.REPORT.decode(record.value());
        Matcher said = EVIDENCE.matcher(report.getDecision());
        if (said.find()) {
          found.add(Long.valueOf(said.group(1)));
        }
      } catch (MalformedRecordException e) {
        throw new AssertionError(e);
      }
    }
    return found;
  }

  private long servedLast(ModelsOnTopic at) throws Exception {
    ride(at);
    long version = -1;
    for (var record : at.scores(rows)) {
      version = Math.max(version, Contracts.SCORE.decode(record.value()).getVersion());
    }
    return version;
  }

  private void rideUntil(ModelsOnTopic at, BooleanSupplier reached) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    do {
      ride(at);
    } while (!reached.getAsBoolean() && System.nanoTime() - deadline < 0);
    assertThat(reached.getAsBoolean()).isTrue();
  }

  private void ride(ModelsOnTopic at) throws Exception {
    at.ride(rows, STEP);
    rows += STEP;
    at.scores(rows);
    int examples = at.committed(ModelsOnTopic.MODEL + ".examples", 1).size();
    at.committed("holdfast.reports", examples / WINDOW); // the trainer is not far behind
  }

  private static JsonNode head(ModelsOnTopic at) {
    return at.models("list", "--json").json().get("models").get(0);
  }
}
