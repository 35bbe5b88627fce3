package io.holdfast.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.holdfast.schemas.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The compose file against the Compose specification's own schema, and against the repository. */
class ComposeFileTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Path ROOT = Path.of(System.getProperty("holdfast.root", ".."));

  @Test
  void composeFile_isValidByTheSpecification() throws IOException {
    assertThat(schema().validate(compose())).isEmpty();
  }

  @Test
  void composeFile_withAMisspelledKey_isRefused() throws IOException {
    ObjectNode broken = compose().deepCopy();
    ((ObjectNode) broken.at("/services/service")).put("helthcheck", true);
    assertThat(schema().validate(broken)).isNotEmpty();
  }

  @Test
  void mountsAndBuilds_nameWhatTheRepositoryHolds() throws IOException {
    String dockerfile = Files.readString(ROOT.resolve("deploy/Dockerfile"));
    for (JsonNode service : compose().get("services")) {
      for (JsonNode volume : service.path("volumes")) {
        String source = volume.asText().split(":", 2)[0];
        if (source.startsWith("./")) {
          assertThat(ROOT.resolve(source)).exists();
        } else {
          assertThat(compose().get("volumes").has(source)).as("named volume %s", source).isTrue();
        }
      }
      JsonNode build = service.path("build");
      if (!build.isMissingNode()) {
        assertThat(ROOT.resolve(build.get("dockerfile").asText())).exists();
        assertThat(dockerfile).contains(" AS " + build.get("target").asText() + "\n");
      }
    }
  }

  @Test
  void exampleConfiguration_isAcceptedByTheProgram() {
    Path config = ROOT.resolve("deploy/config/holdfast.yml");
    Settings settings = Settings.read(config, Map.of("KAFKA_BOOTSTRAP_SERVERS", "kafka:19092"));
    assertThat(settings.kafka()).containsEntry("bootstrap.servers", "kafka:19092");
    assertThat(settings.models()).containsOnlyKeys("orders");
  }

  private static JsonNode compose() throws IOException {
    return YAML.readTree(Files.readString(ROOT.resolve("docker-compose.yml")));
  }

  private static JsonSchema schema() throws IOException {
    try (InputStream in =
        ComposeFileTest.class.getResourceAsStream("/compose-spec/compose-spec.json")) {
      ObjectNode schema =
          (ObjectNode)
              new ObjectMapper()
                  .readTree(Objects.requireNonNull(in, "compose-spec.json is a test resource"));
      // The published file names its parts by draft 4's "id", a keyword that its own draft dropped.
      for (JsonNode part : schema.findParents("id")) {
        if (part.get("id").isTextual()) {
          ((ObjectNode) part).remove("id");
        }
      }
      schema.put("$schema", "https://json-schema.org/draft/2019-09/schema");
      return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V201909).getSchema(schema);
    }
  }
}
