package io.holdfast.boosting.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The two flows that docs/concepts.md draws name classes that there are, where they are. */
class FlowsTest {
  private static final Pattern STOP =
      Pattern.compile(" {4,}([A-Z]\\w+) {2,}\\S.* {2,}([a-z]+(?:\\.[a-z]+)*)");

  @Test
  void stops_areClassesOfTheirPackages() throws IOException {
    Path page = Path.of(System.getProperty("holdfast.root", "..")).resolve("docs/concepts.md");
    List<String> classes =
        Sources.main().stream().map(source -> source.path().replace('/', '.')).toList();
    int stops = 0;
    for (String line : Files.readAllLines(page)) {
      Matcher stop = STOP.matcher(line);
      if (stop.matches()) {
        stops++;
        String name = ".io.holdfast." + stop.group(2) + "." + stop.group(1) + ".java";
        assertThat(classes).as(line).anyMatch(path -> path.endsWith(name));
      }
    }
    assertThat(stops).isGreaterThan(20);
  }
}
