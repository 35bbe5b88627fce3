package io.holdfast.cli.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.Right;
import io.holdfast.schemas.topic.Rights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AclsCommandTest {
  @TempDir private Path folder;
  private Path config;

  @BeforeEach
  void configure() throws IOException {
    config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            """
            kafka: { bootstrap.servers: "broker:9092" }
            holdfast:
              models:
                in: { objective: squared, label: y, labels: { in: record } }
                apart: { objective: squared, label: y, labels: { in: topic } }
            """);
  }

  /** Of type, name, pattern and operation, as both sides say it. */
  private static String said(String type, String name, boolean prefix, String operation) {
    return String.join(
        " ",
        type.toLowerCase(Locale.ROOT).replace('-', '_'),
        name,
        prefix ? "prefixed" : "literal",
        operation.toLowerCase(Locale.ROOT).replace("_", ""));
  }

  @Test
  void json_hasTheRightsOfTheProgram_andNoOthers() {
    Settings settings = Settings.read(config, Map.of());
    for (String program : List.of("service", "trainer")) {
      Set<String> expected = new HashSet<>();
      for (Right right :
          program.equals("service") ? Rights.service(settings) : Rights.trainer(settings)) {
        AclOperation operation = right.operation();
        expected.add(said(right.type().name(), right.name(), right.prefix(), operation.name()));
      }
      Set<String> printed = new HashSet<>();
      for (JsonNode acl : run("--for", program, "--json").json()) {
        for (JsonNode operation : acl.get("operations")) {
          printed.add(
              said(
                  acl.get("resource").asText(),
                  acl.get("name").asText(),
                  acl.get("pattern").asText().equals("prefixed"),
                  operation.asText()));
        }
      }
      assertThat(printed).isEqualTo(expected);
    }
  }

  @Test
  void lines_areCommandsOfAShell() throws Exception {
    Path tool = folder.resolve("kafka-acls.sh");
    Files.writeString(tool, "#!/bin/sh\necho \"$# $*\"\n");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
    Path lines = Files.writeString(folder.resolve("lines"), run("--principal", "User:ann's").out());
    var shell = new ProcessBuilder("sh", lines.toString()).redirectErrorStream(true);
    shell.environment().merge("PATH", folder.toString(), (path, own) -> own + ":" + path);
    shell.environment().put("KAFKA_ACLS_OPTIONS", "--command-config admin.properties");
    Process process = shell.start();
    String ran = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(ran).isZero();
    assertThat(ran.lines().toList())
        .hasSizeGreaterThan(10)
        .allMatch(
            line ->
                line.contains(
                    "--bootstrap-server broker:9092 --command-config admin.properties --add"
                        + " --allow-principal User:ann's --operation"));
    assertThat(ran)
        .contains(
            "--operation Read --operation Write --operation DescribeConfigs --topic apart.join"
                + " --resource-pattern-type literal")
        .contains(
            "--operation Write --transactional-id holdfast-in-score --resource-pattern-type"
                + " prefixed");
  }

  private CliRun run(String... more) {
    List<String> arguments = new ArrayList<>(List.of("acls", "--config", config.toString()));
    arguments.addAll(List.of(more));
    CliRun run = CliRun.of(arguments.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }
}
