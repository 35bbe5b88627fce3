package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of the project, as their readers follow them. */
class DocumentationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");

  @Test
  void links_leadToPagesAndHeadingsThatAreThere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      String text = Files.readString(page);
      LINK.matcher(text)
          .results()
          .map(link -> link.group(1))
          .filter(target -> !target.contains("://") && !target.startsWith("mailto:"))
          .filter(target -> !leads(page, target))
          .forEach(target -> broken.add(ROOT.relativize(page) + " -> " + target));
    }
    assertThat(broken).isEmpty();
  }

  private static boolean leads(Path page, String target) {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path there = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!Files.exists(there)) {
      return false;
    }
    return hash < 0 || headings(there).contains(target.substring(hash + 1));
  }

  private static List<String> headings(Path page) {
    try {
      return HEADING.matcher(Files.readString(page)).results().map(h -> slug(h.group(1))).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The anchor that GitHub gives a heading. */
  private static String slug(String heading) {
    return heading
        .strip()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}\\- _]", "")
        .replace(' ', '-');
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> top = Files.list(ROOT)) {
      return Stream.concat(docs, top).filter(path -> path.toString().endsWith(".md")).toList();
    }
  }
}
