package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.kafka.EmbeddedBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user may get wrong with a broker that runs: one sentence each, and no trace. */
class BrokerBadInputIT {
  @TempDir Path folder;

  @Test
  void commands_onABrokerThatIsNotReadyForThem_sayWhatToDo() throws Exception {
    try (var broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
        var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path rows = TestFiles.write(folder.resolve("rows.csv"), 20, 1);
      Path config = config(broker, taken.getLocalPort());

      for (String command : List.of("service", "trainer", "doctor")) {
        CliRun missing = CliRun.of(command, "--config=" + config);
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("m.records").contains("topics create");
        assertThat(missing.err()).doesNotContain("\tat ");
      }
      CliRun.of("replay", rows.toString(), "--topic=t", "--bootstrap=" + broker.bootstrapServers())
          .saysOneSentence(1, "has no topic holdfast.schemas, t");

      createWithoutCompaction(broker, "holdfast.models");
      CliRun uncompacted = CliRun.of("topics", "create", "--config=" + config, "--partitions=2");
      assertThat(uncompacted.exitCode()).isEqualTo(1);
      assertThat(uncompacted.err()).contains("holdfast.models").contains("compact");
      CliRun.of("trainer", "--config=" + config).saysOneSentence(1, "holdfast.models", "compact");
      CliRun ill = CliRun.of("doctor", "--json", "--config=" + config);
      assertThat(ill.exitCode()).isEqualTo(1);
      assertThat(ill.out()).contains("\"healthy\" : false").contains("cleanup.policy=compact");

      delete(broker, "holdfast.models");
      CliRun created = CliRun.of("topics", "create", "--config=" + config, "--partitions=2");
      assertThat(created.exitCode()).as(created.err()).isZero();
      CliRun well = CliRun.of("doctor", "--config=" + config);
      assertThat(well.exitCode()).as(well.err()).isZero();
      assertThat(well.out()).startsWith("All is well: 7 topics on ");
      for (String command : List.of("service", "trainer")) {
        CliRun.of(command, "--config=" + config)
            .saysOneSentence(1, "port " + taken.getLocalPort(), "holdfast." + command + ".port");
      }

      CliRun.of("replay", rows.toString(), "--config=" + config, "--ahead=10")
          .saysOneSentence(2, "--ahead must be more than the model's window of 1000 rows");
      CliRun sent = CliRun.of("replay", rows.toString(), "--config=" + config, "--key=id");
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(sent.out()).contains("20 records sent to m.records");
    }
  }

  private Path config(EmbeddedBroker broker, int port) throws IOException {
    return Files.writeString(
        folder.resolve("holdfast.yml"),
        """
        kafka: { bootstrap.servers: "BOOTSTRAP" }
        holdfast:
          service: { host: 127.0.0.1, port: PORT, stateDirectory: "STATE" }
          trainer: { host: 127.0.0.1, port: PORT }
          models:
            m:
              objective: squared
              label: y
              features: { exclude: [id, yb] }
              window: { rows: 1000 }
        """
            .replace("BOOTSTRAP", broker.bootstrapServers())
            .replace("PORT", String.valueOf(port))
            .replace("STATE", folder.resolve("state").toString()));
  }

  private static void createWithoutCompaction(EmbeddedBroker broker, String topic)
      throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
  }

  private static void delete(EmbeddedBroker broker, String topic) throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.deleteTopics(List.of(topic)).all().get();
    }
  }
}
