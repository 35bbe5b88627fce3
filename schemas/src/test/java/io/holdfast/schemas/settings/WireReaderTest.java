package io.holdfast.schemas.settings;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.schemas.settings.Framings.Format;
import io.holdfast.schemas.settings.Registry.Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireReaderTest {
  @TempDir Path folder;

  @BeforeEach
  void files() throws IOException {
    Files.writeString(folder.resolve("ride.avsc"), "{}");
    Files.writeString(folder.resolve("keys.p12"), "");
  }

  private Settings read(String registry, String framing) throws IOException {
    String text =
        "holdfast: { registry: {"
            + registry
            + "}, models: { m: { objective: squared, label: y, topics: { framing: {"
            + framing
            + "} } } } }";
    return Settings.read(Files.writeString(folder.resolve("h.yml"), text), Map.of());
  }

  @Test
  void nothingSet_isNoRegistry_andDetected() throws Exception {
    Settings settings = read("", "");

    assertThat(settings.registry()).isNull();
    assertThat(settings.model("m").topics().framings()).isEqualTo(Framings.DETECTED);
  }

  @Test
  void everyKey_isRead() throws Exception {
    Settings settings =
        read(
            "urls: ['http://a:8081/', 'https://b/apis/v7'], user: u, password: p, timeout: 2s,"
                + " keystore: keys.p12, keystorePassword: k, truststore: keys.p12,"
                + " subjects: topic-record, reports: confluent",
            "records: confluent, labels: json, labelSchema: ride.avsc, scores: confluent,"
                + " examples: confluent-header");

    Registry registry = requireNonNull(settings.registry());
    assertThat(registry.urls())
        .containsExactly(URI.create("http://a:8081/"), URI.create("https://b/apis/v7"));
    assertThat(registry.credentials()).isEqualTo(new Credentials.Basic("u", "p"));
    assertThat(registry.timeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(registry.tls())
        .isEqualTo(
            new Registry.Tls(
                new Registry.Store(folder.resolve("keys.p12"), "k"),
                new Registry.Store(folder.resolve("keys.p12"), null)));
    Framings framings = settings.model("m").topics().framings();
    assertThat(framings.records()).isEqualTo(new Framings.Read(Format.CONFLUENT, null));
    assertThat(framings.labels())
        .isEqualTo(new Framings.Read(Format.JSON, folder.resolve("ride.avsc")));
    assertThat(framings.scores()).isEqualTo(Format.CONFLUENT);
    assertThat(framings.examples()).isEqualTo(Format.CONFLUENT_HEADER);
    assertThat(registry.subjects()).isEqualTo(Registry.Subjects.TOPIC_RECORD);
    assertThat(registry.reports()).isEqualTo(Format.CONFLUENT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "urls: [ftp://a] | '' | holdfast.registry.urls must be a list of http:// or https://",
        "urls: ['http://u:secret@a'] | '' | without user, query or fragment: one with @",
        "urls: [http://a], user: u | '' | holdfast.registry.password is missing",
        "urls: [http://a], user: u, password: p, token: t | '' | token and holdfast.registry.user",
        "urls: [http://a], timeout: 2m | '' | holdfast.registry.timeout must be a duration above 0",
        "urls: [http://a], keystore: none.p12 | '' | holdfast.registry.keystore must be a readable",
        "'' | records: confluent | holdfast.registry.urls must be set while",
        "'' | scores: confluent | holdfast.registry.urls must be set while",
        "reports: confluent | '' | holdfast.registry.urls must be set while holdfast.registry.rep",
        "'' | scores: json | framing.scores must be one of single-object, confluent, confluent-h",
        "'' | records: xml | framing.records must be one of auto, single-object, confluent,",
        "'' | records: plain | framing.recordSchema must name the file of the one schema",
        "'' | labels: json, labelSchema: none.avsc | labelSchema must be a readable Avro schema",
        "'' | records: single-object, recordSchema: ride.avsc | recordSchema has no meaning while",
      })
  void mistake_isASentenceThatNamesTheKey(String registry, String framing, String said) {
    SettingsException mistake =
        catchThrowableOfType(SettingsException.class, () -> read(registry, framing));

    assertThat(mistake).hasMessageContaining(said);
    assertThat(mistake.getMessage()).doesNotContain("secret");
  }
}
