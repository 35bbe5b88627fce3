package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.avro.Interval;
import io.holdfast.schemas.avro.LossChange;
import io.holdfast.schemas.avro.ReasonReport;
import io.holdfast.schemas.avro.RisenEnvironment;
import io.holdfast.schemas.avro.SubgroupReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.wire.Contracts;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast why}, from reports on their topic. */
class WhyIT {
  private static final String SENTENCE =
      "Loss rose by 0.12 (0.08 to 0.16), from 0.41 to 0.53: mostly labels given the features (0.10,"
          + " 0.06 to 0.14), most in rows with city = berlin (18 % of rows, +0.45, 0.30 to 0.60).";

  @TempDir Path folder;

  @Test
  void why_saysWhatTheReportSays() throws Exception {
    try (ModelsOnTopic at = new ModelsOnTopic(folder)) {
      assertThat(why("bikes").out()).contains("in any of 0 windows");
      why("bikes@1").saysOneSentence(1, "no window of bikes was reported");
      report(at, 1, null);
      report(at, 2, reason());

      assertThat(why("bikes@2").out())
          .contains(SENTENCE, "other features", "labels given the features", "e1", "+0.1000");
      assertThat(why("bikes").out()).contains(SENTENCE).doesNotContain("\n1 ");
      assertThat(why("bikes@1").out()).contains("window 1 of bikes", "not shown");
      JsonNode json = why("bikes@2", "--json").json();
      assertThat(json.at("/window/reason/change").asText()).isEqualTo("LABELS");
      assertThat(json.at("/window/reason/rise/high").asDouble()).isEqualTo(0.16);
      assertThat(json.at("/window/reason/subgroup/conditions/0").asText())
          .isEqualTo("city = berlin");
      why("bikes@7").saysOneSentence(1, "window 7 of bikes", "1 to 2");
      why("bikes@x").saysOneSentence(2, "MODEL@WINDOW", "bikes@x");
    }
  }

  private CliRun why(String... arguments) {
    List<String> all = new ArrayList<>(List.of("why"));
    all.addAll(List.of(arguments));
    all.add("--config=" + folder.resolve("holdfast.yml"));
    return CliRun.of(all.toArray(String[]::new));
  }

  private static void report(ModelsOnTopic at, long window, @Nullable ReasonReport reason)
      throws Exception {
    WindowReport report =
        WindowReport.newBuilder()
            .setFormat(reason == null ? 5 : 6)
            .setModel("bikes")
            .setWindow(window)
            .setRanges(List.of())
            .setRows(500)
            .setUnusable(Map.of())
            .setServedVersions(List.of(window))
            .setLoss(0.53)
            .setConstantLoss(0.9)
            .setMetrics(Map.of())
            .setEnvironments(List.of())
            .setPublishedVersion(window)
            .setDecision("Version " + window + " has 2 new trees.")
            .setTreesAppended(2)
            .setTreesTotal(4)
            .setTrainingMillis(1)
            .setAt(Instant.EPOCH)
            .setCalibration(List.of())
            .setReason(reason)
            .build();
    Map<String, Object> kafka = Map.copyOf(at.settings().kafka());
    try (var producer =
        new KafkaProducer<>(kafka, new StringSerializer(), new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  at.settings().topics().reports(), "bikes", Contracts.REPORT.encode(report)))
          .get();
    }
  }

  private static ReasonReport reason() {
    return ReasonReport.newBuilder()
        .setSentence(SENTENCE)
        .setEnvironment("")
        .setChange(LossChange.LABELS)
        .setRowsBefore(2_000)
        .setRows(500)
        .setLossBefore(0.41)
        .setLoss(0.53)
        .setRise(new Interval(0.12, 0.08, 0.16))
        .setFeatures(new Interval(0.02, -0.01, 0.05))
        .setLabels(new Interval(0.1, 0.06, 0.14))
        .setOverlap(0.9)
        .setSubgroup(
            new SubgroupReport(List.of("city = berlin"), 0.17, 0.18, new Interval(0.45, 0.3, 0.6)))
        .setEnvironments(
            List.of(
                new RisenEnvironment("e1", 1_000L, 250L, new Interval(0.2, 0.1, 0.3)),
                new RisenEnvironment("e2", 1_000L, 250L, new Interval(0.0, -0.1, 0.1))))
        .build();
  }
}
