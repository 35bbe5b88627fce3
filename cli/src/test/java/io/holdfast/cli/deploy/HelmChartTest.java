package io.holdfast.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import io.holdfast.schemas.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart, linted and rendered by Helm. */
class HelmChartTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Path CHART =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("deploy/helm/holdfast");
  private static final String MODEL =
      """
      config:
        kafka: { bootstrap.servers: "kafka:9092", sasl.jaas.config: "${LOGIN}" }
        holdfast:
          models:
            orders: { objective: squared, label: minutes, schemas: [orders.avsc] }
      files:
        orders.avsc: '{"type": "record", "name": "Order", "fields": [{"name": "x", "type": "double"}]}'
      """;

  @TempDir private Path folder;

  @BeforeAll
  static void onlyWhereHelmRuns() {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "Helm's library is that of Linux on amd64");
  }

  private List<JsonNode> rendered(String more) throws IOException {
    Path values = Files.writeString(folder.resolve("values.yaml"), MODEL + more);
    String text = new Helm(CHART).template().withName("hf").withValuesFile(values).call();
    List<JsonNode> all = new ArrayList<>();
    YAML.readerFor(JsonNode.class).<JsonNode>readValues(text).forEachRemaining(all::add);
    return all.stream().filter(JsonNode::isObject).toList();
  }

  private static JsonNode one(List<JsonNode> all, String kind, String name) {
    return all.stream()
        .filter(
            object ->
                object.get("kind").asText().equals(kind)
                    && object.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void chart_hasNothingToComplainOf() {
    LintResult result = new Helm(CHART).lint().strict().call();
    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
  }

  @Test
  void pods_runWithoutRights_onAFileSystemThatIsRead() throws IOException {
    for (String program : List.of("service", "trainer")) {
      JsonNode pod = one(rendered(""), "StatefulSet", "hf-" + program).at("/spec/template/spec");
      assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
      JsonNode container = pod.at("/containers/0");
      assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
      assertThat(container.at("/securityContext/capabilities/drop/0").asText()).isEqualTo("ALL");
      assertThat(container.at("/readinessProbe/httpGet/path").asText())
          .isEqualTo("/health/readiness");
      assertThat(container.at("/resources/requests/memory").asText()).isNotEmpty();
    }
  }

  @Test
  void configuration_isAcceptedByThePrograms_eachPodWithAnIdOfItsOwn() throws IOException {
    JsonNode data = one(rendered(""), "ConfigMap", "hf-config").get("data");
    for (Map.Entry<String, JsonNode> file : data.properties()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue().asText());
    }
    Map<String, String> variables = Map.of("POD_NAME", "hf-service-1", "LOGIN", "secret");
    Settings settings = Settings.read(folder.resolve("holdfast.yml"), variables);
    assertThat(settings.models()).containsOnlyKeys("orders");
    assertThat(settings.service().instanceId()).isEqualTo("hf-service-1");
    assertThat(settings.service().host()).isEqualTo("0.0.0.0");
    assertThat(settings.security().tokensFile()).hasToString("/holdfast/secrets/tokens");
    assertThat(data.toString()).doesNotContain("LOGIN=", "secret}");
    String pods = one(rendered(""), "StatefulSet", "hf-service").toString();
    assertThat(pods).contains("\"secretName\":\"holdfast-tokens\"");
    assertThat(one(rendered(""), "StatefulSet", "hf-trainer").toString())
        .doesNotContain("holdfast-tokens");
  }

  @Test
  void options_addTheirObjects() throws IOException {
    assertThat(kinds(rendered("")))
        .contains("PodDisruptionBudget")
        .doesNotContain("NetworkPolicy", "ServiceMonitor", "ScaledObject");
    List<JsonNode> all =
        rendered(
            """
            networkPolicy: { enabled: true, from: { app: gateway } }
            serviceMonitor: { enabled: true }
            service: { autoscaling: { enabled: true } }
            """);
    assertThat(kinds(all)).contains("NetworkPolicy", "ServiceMonitor", "ScaledObject");
    assertThat(one(all, "StatefulSet", "hf-service").at("/spec/replicas").isMissingNode())
        .as("who scales says how many")
        .isTrue();
  }

  private static List<String> kinds(List<JsonNode> all) {
    return all.stream().map(object -> object.get("kind").asText()).toList();
  }

  @Test
  void valuesThatAreNone_areRefused() {
    assertThatThrownBy(() -> rendered("service: { replicas: many }\n"))
        .hasMessageContaining("replicas");
    assertThatThrownBy(() -> rendered("sevice: { replicas: 2 }\n")).hasMessageContaining("sevice");
  }
}
