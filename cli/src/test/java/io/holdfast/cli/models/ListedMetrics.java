package io.holdfast.cli.models;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What docs/metrics.md lists, held against the pages of running programs. */
final class ListedMetrics {
  private static final Pattern ROW =
      Pattern.compile("\\| `(\\w+)` \\| (\\w+) \\|([^|]*)\\|[^|]+\\|([^|]*)\\|");
  private static final Pattern TYPE = Pattern.compile("# TYPE holdfast_(\\w+) (\\w+)");
  private static final Pattern SAMPLE = Pattern.compile("holdfast_(\\w+?)(?:\\{(.*)})? [^ ]+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Pattern PART = Pattern.compile("_(bucket|count|sum)$");

  /** Of a series: its labels, in order, but for those that its type brings. */
  private record Family(String type, Set<String> labels) {}

  private final Map<String, Family> always = new TreeMap<>();
  private final Map<String, Family> sometimes = new TreeMap<>();

  ListedMetrics() throws IOException {
    Path page = Path.of(System.getProperty("holdfast.root", "..")).resolve("docs/metrics.md");
    for (String line : Files.readAllLines(page)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        Set<String> labels =
            Arrays.stream(row.group(3).split(", ?"))
                .map(String::strip)
                .filter(label -> !label.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Family> to = row.group(4).isBlank() ? always : sometimes;
        to.put(row.group(1), new Family(row.group(2), labels));
        if (!row.group(2).matches("gauge|counter")) {
          to.put(row.group(1) + "_max", new Family("gauge", labels));
        }
      }
    }
    assertThat(always).as("rows of the page").hasSizeGreaterThan(30);
  }

  /** Nothing of the list is missing, and nothing is on the pages that is not on the list. */
  void require(Collection<String> pages) {
    Map<String, Family> found = new TreeMap<>();
    pages.forEach(page -> read(page, found));
    Map<String, Family> listed = new TreeMap<>(always);
    sometimes.forEach(
        (name, family) -> {
          if (found.containsKey(name)) {
            listed.put(name, family);
          }
        });
    assertThat(found).isEqualTo(listed);
  }

  private static void read(String page, Map<String, Family> found) {
    for (String line : page.lines().toList()) {
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (type.matches()) {
        found.putIfAbsent(type.group(1), new Family(type.group(2), new TreeSet<>()));
      } else if (sample.matches()) {
        Family whole = found.get(PART.matcher(sample.group(1)).replaceFirst(""));
        Family family = requireNonNull(found.getOrDefault(sample.group(1), whole), line);
        Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
        while (label.find()) {
          if (!label.group(1).equals("le")) {
            family.labels().add(label.group(1));
          }
        }
      }
    }
  }
}
