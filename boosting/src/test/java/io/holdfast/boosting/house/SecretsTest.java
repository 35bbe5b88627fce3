package io.holdfast.boosting.house;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No file that git tracks holds what opens something. */
class SecretsTest {
  private static final Path ROOT = Path.of(System.getProperty("holdfast.root", ".."));
  private static final long LARGEST = 2 << 20;

  /** What secrets of well-known makers look like, by a name for people. */
  private static final Map<String, Pattern> SECRETS =
      Map.of(
          "a private key", Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY-----\\s+[A-Za-z0-9+/]"),
          "a key of AWS", Pattern.compile("\\b(AKIA|ASIA)[0-9A-Z]{16}\\b"),
          "a token of GitHub", Pattern.compile("\\b(gh[pousr]_|github_pat_)[A-Za-z0-9_]{36}"),
          "a token of GitLab", Pattern.compile("\\bglpat-[A-Za-z0-9_-]{20}"),
          "a token of Slack", Pattern.compile("\\bxox[abprs]-[A-Za-z0-9-]{10}"),
          "a key of Google", Pattern.compile("\\bAIza[0-9A-Za-z_-]{35}"),
          "a key of a model's maker", Pattern.compile("\\bsk-[A-Za-z0-9_-]{32}"),
          "a signed token", Pattern.compile("\\beyJ[A-Za-z0-9_-]{20,}\\.eyJ[A-Za-z0-9_-]{20,}\\."),
          "a password in an address",
              Pattern.compile("\\b[a-z]+://[^/\\s:@\"<{$]+:[^/\\s@\"<{$]+@"),
          "a password of Maven", Pattern.compile("<password>[^$<\\s][^<]*</password>"));

  /** Told by the test of what must not be in an address. */
  private static final List<String> KNOWN = List.of("://u:secret@");

  @Test
  void filesThatGitTracks_holdNoSecret() throws Exception {
    List<String> found = new ArrayList<>();
    List<Path> files = tracked();
    for (Path file : files) {
      if (Files.isRegularFile(file) && Files.size(file) <= LARGEST) {
        String text = Files.readString(file, ISO_8859_1);
        secrets(text).forEach(what -> found.add(ROOT.relativize(file) + ": " + what));
      }
    }
    assertThat(found).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "key = AKIA" + "ABCDEFGHIJKLMNOP",
        "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIE",
        "gh" + "p_abcdefghijklmnopqrstuvwxyz0123456789",
        "jdbc" + "://root:hunter2@db/x",
      })
  void aSecret_isFound(String text) {
    assertThat(secrets(text)).hasSize(1);
  }

  private static List<String> secrets(String text) {
    List<String> found = new ArrayList<>();
    SECRETS.forEach(
        (what, pattern) -> {
          Matcher matcher = pattern.matcher(text);
          while (matcher.find()) {
            if (KNOWN.stream().noneMatch(matcher.group()::contains)) {
              found.add(what + " at character " + matcher.start());
            }
          }
        });
    return found;
  }

  /** None where there is no git. */
  private static List<Path> tracked() throws IOException, InterruptedException {
    if (!Files.exists(ROOT.resolve(".git"))) {
      return List.of();
    }
    Process git = new ProcessBuilder("git", "ls-files", "-z").directory(ROOT.toFile()).start();
    String names = new String(git.getInputStream().readAllBytes(), ISO_8859_1);
    assertThat(git.waitFor()).isZero();
    return List.of(names.split("\0")).stream().map(ROOT::resolve).toList();
  }
}
