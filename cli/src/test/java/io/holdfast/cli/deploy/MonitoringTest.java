package io.holdfast.cli.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alerts and dashboard, by Prometheus' own tool where it is installed. */
class MonitoringTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Path DEPLOY =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("deploy");
  private static final Path ALERTS = DEPLOY.resolve("prometheus/alerts.yml");

  @Test
  void alerts_fireWhenTheyShould() throws Exception {
    promtool("check", "rules", ALERTS.toString());
    promtool("test", "rules", DEPLOY.resolve("prometheus/alerts.test.yml").toString());
    promtool(
        "check", "config", "--syntax-only", DEPLOY.resolve("prometheus/prometheus.yml").toString());
  }

  @Test
  void queriesOfTheDashboard_areQueries(@TempDir Path folder) throws Exception {
    List<Map<String, String>> rules = new ArrayList<>();
    for (String query : queries()) {
      String plain = query.replace("$__rate_interval", "5m").replace("$model", ".*");
      rules.add(Map.of("record", "panel:" + rules.size(), "expr", plain));
    }
    Path file = folder.resolve("panels.yml");
    YAML.writeValue(
        file.toFile(), Map.of("groups", List.of(Map.of("name", "panels", "rules", rules))));
    promtool("check", "rules", file.toString());
  }

  @Test
  void everyAlert_hasItsParagraph() throws IOException {
    String page =
        Files.readString(DEPLOY.resolveSibling("docs/how-to/alerts.md")).toLowerCase(Locale.ROOT);
    JsonNode rules = YAML.readTree(ALERTS.toFile()).at("/groups/0/rules");
    assertThat(rules).isNotEmpty();
    for (JsonNode rule : rules) {
      String heading = rule.get("alert").asText().toLowerCase(Locale.ROOT);
      assertThat(page).contains("\n## " + heading + "\n");
      assertThat(rule.at("/annotations/runbook_url").asText()).endsWith("#" + heading);
    }
  }

  private static List<String> queries() throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(DEPLOY.resolve("grafana/holdfast.json").toFile());
    List<String> queries = new ArrayList<>();
    dashboard
        .get("panels")
        .forEach(
            panel ->
                panel.get("targets").forEach(target -> queries.add(target.get("expr").asText())));
    assertThat(queries).hasSizeGreaterThan(10);
    return queries;
  }

  private static void promtool(String... arguments) throws IOException, InterruptedException {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool"))),
        "promtool is not installed: it comes with Prometheus");
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(tool.getInputStream().readAllBytes(), UTF_8);
    assertThat(tool.waitFor()).as(said).isZero();
  }
}
