package io.holdfast.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.faults.Deployment.Shape;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * One model's topic of records is deleted and made anew while it is written to: every record that
 * it has then gets its one outcome, and the other model does not feel it. Long runs alone.
 */
@EnabledIf("large")
class RecordsMadeAnewIT {
  private static final long SEED = Long.getLong("holdfast.faults.seed", 1);

  @TempDir Path folder;

  static boolean large() {
    return Scale.large();
  }

  @Test
  void recordsMadeAnew_areScoredOnce_andAnotherModelGoesOn() {
    try (var at = new Deployment(folder, new Shape(1, 2, 1, 2, SEED))) {
      int times = Scale.of(20);
      for (int time = 0; time < times; time++) {
        Operator.makeAnew(at, "m1.records", 3);
        at.awaitSent(300);
      }
      at.feed().pause();
      Map<String, Integer> outcomes =
          await()
              .atMost(Deployment.PATIENCE)
              .until(() -> outcomes(at, "m1"), all -> !all.containsValue(0));
      JsonNode verdict =
          await()
              .atMost(Deployment.PATIENCE)
              .until(() -> audited(at), found -> found.at("/counts/underway").asLong() == 0);
      long doubled = outcomes.values().stream().filter(count -> count > 1).count();
      long records = outcomes.size() + at.feed().rows();
      int found = verdict.path("findings").size();
      // None is lost: it was waited for them all.
      var audit =
          new Audit(records, records, 0, doubled, found, verdict.path("findings").toString());
      String fault = "a topic of records deleted and made anew";
      FaultTable.add(fault, times, records, audit, List.of(), "RecordsMadeAnewIT");
      assertThat(outcomes.values()).containsOnly(1);
      assertThat(verdict.path("findings")).as("%s", verdict).isEmpty();
      assertThat(verdict.at("/counts/records").asLong()).isEqualTo(at.feed().rows());
    }
  }

  private static JsonNode audited(Deployment at) {
    return CliRun.of("audit", "--config=" + at.config(), "--model=m0", "--json")
        .json()
        .at("/models/0");
  }

  /** How many outcomes each record has that is there; scores of those that were have other keys. */
  private static Map<String, Integer> outcomes(Deployment at, String model)
      throws MalformedRecordException {
    String servers = at.brokers().directServers();
    Map<String, Integer> outcomes = new HashMap<>();
    for (var record : CommittedRecords.of(servers, model + ".records")) {
      outcomes.put(place(record.partition(), record.offset(), record), 0);
    }
    for (var record : CommittedRecords.of(servers, model + ".scores")) {
      Score score = Contracts.SCORE.decode(record.value());
      String place = place(score.getSourcePartition(), score.getSourceOffset(), record);
      outcomes.computeIfPresent(place, (_, count) -> count + 1);
    }
    for (var letter : CommittedRecords.of(servers, model + ".dead-letters")) {
      if (header(letter, DeadLetterMessage.OF).equals("record")) {
        int partition = Integer.parseInt(header(letter, DeadLetterMessage.PARTITION));
        long offset = Long.parseLong(header(letter, DeadLetterMessage.OFFSET));
        outcomes.computeIfPresent(place(partition, offset, letter), (_, count) -> count + 1);
      }
    }
    return outcomes;
  }

  private static String place(int partition, long offset, ConsumerRecord<String, byte[]> of) {
    return partition + "@" + offset + " " + of.key();
  }

  private static String header(ConsumerRecord<String, byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }
}
