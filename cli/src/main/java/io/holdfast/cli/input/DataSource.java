package io.holdfast.cli.input;

import io.holdfast.cli.csv.Dialect;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a command line names: a file, a pattern of names, standard input as {@code -}, or
 * several of them one after another. Owned by one thread.
 */
public final class DataSource {
  private static final String STANDARD_INPUT = "-";

  private final List<String> arguments;
  private final @Nullable DataFormat format;
  private Dialect dialect = Dialect.FOUND;
  private @Nullable List<InputFile> files;

  private DataSource(List<String> arguments, @Nullable DataFormat format) {
    this.arguments = List.copyOf(arguments);
    this.format = format;
  }

  public static DataSource of(String argument) {
    return new DataSource(List.of(argument), null);
  }

  public static DataSource of(Path path) {
    return of(path.toString());
  }

  /** All of them, one after another. */
  public static DataSource of(List<DataSource> all) {
    return all.size() == 1
        ? all.getFirst()
        : new DataSource(all.stream().flatMap(one -> one.arguments.stream()).toList(), null);
  }

  /** The same, written as {@code given} says, or as names and beginnings say if it is null. */
  public DataSource as(@Nullable DataFormat given) {
    return given == null ? this : new DataSource(arguments, given);
  }

  /** Declares how CSV is written, before any of it is read. */
  public void written(Dialect declared) {
    dialect = declared;
  }

  /** The files that are named so far as names tell: standard input is none. */
  public List<Path> paths() {
    return arguments.stream()
        .filter(argument -> !argument.equals(STANDARD_INPUT))
        .flatMap(argument -> expanded(argument).stream())
        .toList();
  }

  /** The files to read, one at least; standard input is kept until the process ends. */
  public List<InputFile> files() {
    if (files == null) {
      List<InputFile> found = new ArrayList<>();
      for (String argument : arguments) {
        if (argument.equals(STANDARD_INPUT)) {
          String name = "standard input";
          found.add(InputFile.of(name, InputFile.spooled(name, System.in), format));
        } else {
          expanded(argument).forEach(path -> found.add(file(path)));
        }
      }
      found.forEach(file -> file.written(dialect));
      files = List.copyOf(found);
    }
    return files;
  }

  private InputFile file(Path path) {
    if (!Files.exists(path)) {
      throw new DataException("there is no file %s", path);
    }
    if (Files.isDirectory(path)) {
      throw new DataException(
          "%s is no file: name a file of CSV, JSON Lines, Avro or Parquet, or many as %s",
          path, path.resolve("*.csv"));
    }
    String name = path.toString();
    boolean pipe = !Files.isRegularFile(path);
    return InputFile.of(name, pipe ? InputFile.spooled(name, path) : path, format);
  }

  private static boolean isPattern(String argument) {
    return argument.matches(".*[*?\\[{].*") && !Files.exists(Path.of(argument));
  }

  /** The file that an argument names, or those of a pattern in order of their names. */
  private static List<Path> expanded(String argument) {
    if (!isPattern(argument)) {
      return List.of(Path.of(argument));
    }
    Path pattern = Path.of(argument);
    Path root = pattern.getRoot() == null ? Path.of("") : pattern.getRoot();
    int depth = 0;
    while (depth < pattern.getNameCount() && !isPattern(pattern.getName(depth).toString())) {
      root = root.resolve(pattern.getName(depth++));
    }
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + argument);
    int levels = argument.contains("**") ? Integer.MAX_VALUE : pattern.getNameCount() - depth;
    List<Path> found;
    try (Stream<Path> all = Files.walk(root, levels, FileVisitOption.FOLLOW_LINKS)) {
      found =
          all.filter(matcher::matches).filter(path -> !Files.isDirectory(path)).sorted().toList();
    } catch (IOException | java.io.UncheckedIOException e) {
      throw new DataException("there is no file %s", argument).because(e);
    }
    if (found.isEmpty()) {
      throw new DataException("there is no file %s", argument);
    }
    return found;
  }

  /** What models say of what they were trained on. */
  public String label() {
    return arguments.stream()
        .map(argument -> "file:" + Path.of(argument).getFileName())
        .collect(Collectors.joining("+"));
  }

  /** What it is called where the name of the whole is needed. */
  @Override
  public String toString() {
    String first =
        arguments.getFirst().equals(STANDARD_INPUT) ? "standard input" : arguments.getFirst();
    return arguments.size() == 1 ? first : first + " and " + (arguments.size() - 1) + " more";
  }
}
