package io.holdfast.boosting.house;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The repository's main code and its pages, as they lie on the disk. */
final class Sources {
  private static final Path ROOT = Path.of(System.getProperty("holdfast.root", ".."));
  private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

  private Sources() {}

  /** A file, with its path from the repository's root and its lines. */
  record Source(String path, int lines) {
    String folder() {
      return path.substring(0, path.lastIndexOf('/'));
    }

    boolean isOf(String module) {
      return path.startsWith(module + "/");
    }

    boolean isIn(String enginePackage) {
      return folder().endsWith("/boosting/" + enginePackage);
    }
  }

  /** Main Java of all modules. */
  static List<Source> main() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .flatMap(folder -> files(folder, ".java"))
          .map(file -> new Source(name(file), lines(file)))
          .toList();
    }
  }

  /** Pages for people, by path from the root, with their words: what has a letter or a digit. */
  static Map<String, Long> pages() throws IOException {
    Stream<Path> top = Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md").map(ROOT::resolve);
    return Stream.concat(top, files(ROOT.resolve("docs"), ".md"))
        .collect(
            java.util.stream.Collectors.toMap(
                Sources::name, Sources::words, Long::sum, java.util.TreeMap::new));
  }

  static int files(Collection<Source> sources, Predicate<Source> which) {
    return (int) sources.stream().filter(which).count();
  }

  static int lines(Collection<Source> sources, Predicate<Source> which) {
    return sources.stream().filter(which).mapToInt(Source::lines).sum();
  }

  /** How many files the largest package has among these. */
  static long largestPackage(Collection<Source> sources, Predicate<Source> which) {
    return sources.stream()
        .filter(which)
        .collect(groupingBy(Source::folder, counting()))
        .values()
        .stream()
        .mapToLong(Long::longValue)
        .max()
        .orElse(0);
  }

  static long median(Collection<Source> sources) {
    return sources.stream()
        .mapToInt(Source::lines)
        .sorted()
        .skip(sources.size() / 2)
        .findFirst()
        .orElse(0);
  }

  private static Stream<Path> files(Path folder, String ending) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(Path file) {
    return ROOT.relativize(file).toString().replace('\\', '/');
  }

  private static int lines(Path file) {
    return text(file).split("\n", -1).length - 1;
  }

  private static long words(Path file) {
    return WORD.matcher(text(file)).results().count();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
