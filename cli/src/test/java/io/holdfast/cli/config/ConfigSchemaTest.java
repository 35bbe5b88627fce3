package io.holdfast.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.ModelKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The schema takes what the reader takes, and refuses what it refuses of a key by itself. */
class ConfigSchemaTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Path ROOT = Path.of(System.getProperty("holdfast.root", ".."));

  @ParameterizedTest
  @ValueSource(strings = {"deploy/config/holdfast.yml", "docs/examples/deliveries.yml"})
  void filesOfTheRepository_areValid(String file) throws IOException {
    assertThat(schema().validate(YAML.readTree(Files.readString(ROOT.resolve(file))))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gama: 4",
        "trees: { maxLeafs: 3 }",
        "trees: { maxLeaves: 1 }",
        "trees: { learningRate: 0 }",
        "update: { policy: autp }",
        "labels: { wait: an hour }",
        "topics: { records: a/b }",
        "anchorSplits: maybe",
      })
  void mistakes_areRefused(String keys) throws IOException {
    assertThat(schema().validate(model(keys))).isNotEmpty();
  }

  static Stream<Key<?>> keysWithDefaults() {
    return ModelKeys.ALL.stream()
        .filter(key -> !key.path().equals("labels.wait"))
        .filter(key -> key.defaultText().isPresent() && key.group().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("keysWithDefaults")
  void defaults_areValid(Key<?> key) throws IOException {
    assertThat(schema().validate(model(key.path() + ": " + key.defaultText().orElseThrow())))
        .isEmpty();
  }

  @Test
  void variables_mayStandForAnyValue() throws IOException {
    assertThat(schema().validate(model("gamma: '${GAMMA:4}'"))).isEmpty();
  }

  private static JsonNode model(String keys) throws IOException {
    return YAML.readTree(
        "holdfast: { models: { m: { objective: squared, label: y, " + keys + " } } }");
  }

  private static JsonSchema schema() throws IOException {
    StringWriter out = new StringWriter();
    int exit = new CommandLine(new ConfigCommand()).setOut(new PrintWriter(out)).execute("schema");
    assertThat(exit).isZero();
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
        .getSchema(new ObjectMapper().readTree(out.toString()));
  }
}
