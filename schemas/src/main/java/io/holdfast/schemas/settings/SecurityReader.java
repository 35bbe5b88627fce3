package io.holdfast.schemas.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Security.Jwt;
import io.holdfast.schemas.settings.Security.Role;
import io.holdfast.schemas.settings.Security.Tls;
import io.holdfast.schemas.settings.Security.Token;
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.ProgramKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads who may do what over HTTP. No message repeats what may be a secret. Stateless. */
final class SecurityReader {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,100}");
  private static final Pattern HASH = Pattern.compile("sha256:[0-9a-fA-F]{64}");
  private static final int LEAST_CHARACTERS = 20;
  private static final int MOST_CHARACTERS = 1_000;
  private static final String RIGHT =
      "NAME ROLE TOKEN: a name of letters, digits and . _ @ -, one of viewer, operator, admin, and"
          + " a token of 20 to 1000 visible ASCII characters, or sha256: and its hash";

  private SecurityReader() {}

  /** The section {@code security}; files are looked for in {@code folder}. */
  static Security read(Section section, Path folder) {
    List<String> lines = section.list(ProgramKeys.TOKENS);
    Consumer<String> report =
        what -> section.problemAt("tokens", "%s: %s", section.name(ProgramKeys.TOKENS), what);
    Path file = path(section, ProgramKeys.TOKENS_FILE, folder);
    Path certificate = path(section, ProgramKeys.CERTIFICATE, folder);
    Path key = path(section, ProgramKeys.PRIVATE_KEY, folder);
    if ((certificate == null) != (key == null)) {
      section.problem(
          "%s and %s go together: one of them is missing",
          section.name(ProgramKeys.CERTIFICATE), section.name(ProgramKeys.PRIVATE_KEY));
    }
    return new Security(
        tokens(lines, report),
        file,
        jwt(section),
        section.read(ProgramKeys.OPEN_READING),
        certificate == null || key == null ? null : new Tls(certificate, key));
  }

  /** The tokens of a file: a line each, but empty ones and those that begin with #. */
  static List<Token> file(Path file) {
    List<String> problems = new ArrayList<>();
    List<Token> tokens = List.of();
    try (Stream<String> lines = Files.lines(file, UTF_8)) {
      List<String> said =
          lines.filter(line -> !line.isBlank() && !line.strip().startsWith("#")).toList();
      tokens = tokens(said, problem -> problems.add(file + ": " + problem));
      if (said.isEmpty()) {
        problems.add(file + " has no token: write a line such as ana operator sha256:...");
      }
    } catch (IOException | UncheckedIOException e) {
      problems.add(
          Sentence.of(
              "holdfast.security.tokensFile cannot be read: %s must be a text file in UTF-8",
              file));
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return tokens;
  }

  private static List<Token> tokens(List<String> lines, Consumer<String> report) {
    List<Token> tokens = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Set<String> hashes = new HashSet<>();
    for (int k = 0; k < lines.size(); k++) {
      Token token = token(lines.get(k));
      if (token == null) {
        report.accept(Sentence.of("entry %d must be %s", k + 1, RIGHT));
      } else if (!names.add(token.name()) || !hashes.add(token.hash())) {
        report.accept(
            Sentence.of(
                "entry %d must have a name and a token of its own: %s", k + 1, token.name()));
      } else {
        tokens.add(token);
      }
    }
    return tokens;
  }

  private static @Nullable Token token(String line) {
    String[] parts = line.strip().split("\\s+", -1);
    if (parts.length != 3 || !NAME.matcher(parts[0]).matches()) {
      return null;
    }
    Role role = Role.of(parts[1]).orElse(null);
    String secret = parts[2];
    if (role == null) {
      return null;
    }
    if (secret.startsWith("sha256:")) {
      return HASH.matcher(secret).matches()
          ? new Token(parts[0], role, secret.substring(7).toLowerCase(Locale.ROOT))
          : null;
    }
    boolean right =
        secret.length() >= LEAST_CHARACTERS
            && secret.length() <= MOST_CHARACTERS
            && secret
                .chars()
                .allMatch(c -> c > ' ' && c < 0x7F && c != ';' && c != ',' && c != '"');
    return right ? new Token(parts[0], role, Security.hash(secret)) : null;
  }

  private static @Nullable Jwt jwt(Section section) {
    String jwks = section.optional(ProgramKeys.JWKS);
    String issuer = section.optional(ProgramKeys.ISSUER);
    String audience = section.optional(ProgramKeys.AUDIENCE);
    String claim = section.read(ProgramKeys.ROLES_CLAIM);
    if (jwks == null && issuer == null && audience == null) {
      return null;
    }
    URI url = jwks == null ? null : url(jwks);
    if (jwks != null && url == null) {
      section.wrong(
          ProgramKeys.JWKS,
          "an https:// or http:// address without user",
          jwks.contains("@") ? "one with @" : Section.quoted(jwks));
    }
    if (jwks == null || issuer == null || audience == null) {
      section.problem(
          "%s, issuer and audience go together: a token of anybody, for anything, must not be"
              + " taken",
          section.name(ProgramKeys.JWKS));
    }
    return url == null || issuer == null || audience == null
        ? null
        : new Jwt(url, issuer, audience, claim);
  }

  private static @Nullable URI url(String text) {
    try {
      URI url = new URI(text.strip());
      boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      return http && url.getHost() != null && url.getUserInfo() == null ? url : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static @Nullable Path path(Section section, Key<String> key, Path folder) {
    String text = section.optional(key);
    try {
      return text == null ? null : folder.resolve(text).normalize();
    } catch (InvalidPathException e) {
      section.wrong(key, "a file's path", Section.quoted(String.valueOf(text)));
      return null;
    }
  }
}
