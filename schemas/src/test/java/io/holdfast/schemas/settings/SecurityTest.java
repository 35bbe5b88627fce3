package io.holdfast.schemas.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.schemas.settings.Security.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecurityTest {
  private static final String TOKEN = "a-token-of-twenty-letters";

  @TempDir private Path folder;

  private Security read(String security) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("h.yml"),
            "holdfast: { security: "
                + security
                + ", models: { bikes: { objective: squared, label: count } } }");
    return Settings.read(file, Map.of("ANA", TOKEN)).security();
  }

  @Test
  void tokens_areHashesOfWhatTheEnvironmentOrAFileHolds() throws IOException {
    String hash = Security.hash(TOKEN + "2");
    Files.writeString(
        folder.resolve("tokens"),
        "# who may act\n\nbo\tadmin  sha256:" + hash.toUpperCase(Locale.ROOT) + "\n");

    Security security =
        read("{ tokens: [ 'ana operator ${ANA}' ], tokensFile: tokens }").withFile();

    assertThat(security.tokens())
        .containsExactly(
            new Security.Token("ana", Role.OPERATOR, Security.hash(TOKEN)),
            new Security.Token("bo", Role.ADMIN, hash));
    assertThat(security.toString()).doesNotContain(TOKEN);
    assertThat(security.configured()).isTrue();
  }

  @Test
  void roles_includeThoseBefore() throws IOException {
    assertThat(Security.NONE.configured()).isFalse();
    assertThat(Security.NONE.anyMay(Role.VIEWER)).isFalse();
    Security ana = read("{ tokens: [ 'ana operator ${ANA}' ] }");
    assertThat(ana.anyMay(Role.OPERATOR)).isTrue();
    assertThat(ana.anyMay(Role.ADMIN)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tokens: [ 'ana owner a-token-of-twenty-letters' ] | entry 1 must be NAME ROLE TOKEN",
        "tokens: [ 'ana viewer a-token-too-short' ] | entry 1 must be NAME ROLE TOKEN",
        "tokens: [ 'ana viewer sha256:a-token-of-twenty-letters' ] | entry 1 must be",
        "tokens: [ 'viewer a-token-of-twenty-letters' ] | entry 1 must be NAME ROLE TOKEN",
        "tokens: [ 'a viewer ${ANA}', 'b admin ${ANA}' ] | entry 2 must have a name and a token",
        "jwks: 'https://id/keys' | issuer and audience go together",
        "jwks: 'ftp://a-token-of-twenty-letters@id', issuer: i, audience: a | must be an https://",
        "certificate: c.pem | go together",
      },
      quoteCharacter = '`')
  void mistakes_areSaidWithoutSecrets(String security, String said) {
    String message =
        catchThrowableOfType(SettingsException.class, () -> read("{ " + security + " }"))
            .getMessage();

    assertThat(message).contains(said).doesNotContain(TOKEN).doesNotContain("too-short");
  }

  @Test
  void file_thatIsNoneOrEmpty_isSaid() throws IOException {
    Security missing = read("{ tokensFile: none }");
    assertThat(catchThrowableOfType(SettingsException.class, missing::withFile))
        .hasMessageContaining("holdfast.security.tokensFile cannot be read");
    Files.writeString(folder.resolve("tokens"), "# nobody\n");
    Security empty = read("{ tokensFile: tokens }");
    assertThat(catchThrowableOfType(SettingsException.class, empty::withFile))
        .hasMessageContaining("has no token");
  }
}
