package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of the how-to pages are ones that the command line understands. */
class HowToCommandsTest {
  private static final Pattern COMMAND = Pattern.compile("^ {4,}\\./holdfast (.+)$");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

  static List<String> commands() throws IOException {
    List<String> commands = new ArrayList<>();
    try (Stream<Path> pages = Files.list(Path.of("..", "docs", "how-to"))) {
      for (Path page : pages.sorted().toList()) {
        for (String line : Files.readAllLines(page)) {
          Matcher command = COMMAND.matcher(line);
          if (command.matches() && !command.group(1).contains("|")) {
            commands.add(command.group(1).replaceAll(" +#.*", ""));
          }
        }
      }
    }
    return commands;
  }

  /** What is said of a command with a flag more that is none: so it is read, and not run. */
  private static String complaint(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      words.add(word.group().replaceAll("^['\"]|['\"]$", ""));
    }
    long first = words.stream().takeWhile(one -> !one.startsWith("-")).count();
    words.add((int) first, "--none-such");
    return CliRun.of(words.toArray(String[]::new)).err();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void command_ofAPage_isUnderstood(String command) {
    assertThat(complaint(command)).startsWith("holdfast: Unknown option: '--none-such'");
  }

  @Test
  void mistakes_areSeen() {
    assertThat(complaint("models list --confg=holdfast.yml")).contains("--confg");
    assertThat(complaint("models import --file x")).contains("MODEL");
  }
}
