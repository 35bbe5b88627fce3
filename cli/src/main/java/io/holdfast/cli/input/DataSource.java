package io.holdfast.cli.input;

import io.holdfast.cli.csv.Dialect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a command line names: a file, a pattern of names, standard input as {@code -}, a topic,
 * or several of them one after another. Owned by one thread.
 */
public final class DataSource {
  private static final String STANDARD_INPUT = "-";

  private final List<String> arguments;
  private Dialect dialect = Dialect.FOUND;
  private @Nullable Function<TopicRange, Path> topicReader;
  private @Nullable List<InputFile> files;

  private DataSource(List<String> arguments) {
    this.arguments = List.copyOf(arguments);
  }

  public static DataSource of(String argument) {
    return new DataSource(List.of(argument));
  }

  public static DataSource of(Path path) {
    return of(path.toString());
  }

  /** All of them, one after another. */
  public static DataSource of(List<DataSource> all) {
    if (all.size() == 1) {
      return all.getFirst();
    }
    var source = new DataSource(all.stream().flatMap(one -> one.arguments.stream()).toList());
    source.dialect = all.getFirst().dialect;
    source.topicReader =
        all.stream().map(one -> one.topicReader).filter(Objects::nonNull).findFirst().orElse(null);
    return source;
  }

  /** Declares how CSV is written, before any of it is read. */
  public void written(Dialect declared) {
    dialect = declared;
  }

  /** The topics that are named; throws DataException if one is named badly. */
  public List<TopicRange> topics() {
    return arguments.stream().filter(TopicRange::isOne).map(TopicRange::parse).toList();
  }

  /** Declares what makes an Avro file of what a topic holds, before any of it is read. */
  public void topicsBy(Function<TopicRange, Path> reader) {
    topicReader = reader;
  }

  /** The files that are named so far as names tell: standard input is none. */
  public List<Path> paths() {
    return arguments.stream()
        .filter(argument -> !argument.equals(STANDARD_INPUT) && !TopicRange.isOne(argument))
        .flatMap(argument -> found(argument).stream())
        .toList();
  }

  /** The files to read, one at least; standard input is kept until the process ends. */
  public List<InputFile> files() {
    if (files == null) {
      List<InputFile> found = new ArrayList<>();
      for (String argument : arguments) {
        if (argument.equals(STANDARD_INPUT)) {
          String name = "standard input";
          found.add(InputFile.of(name, InputFile.spooled(name, System.in)));
        } else if (TopicRange.isOne(argument)) {
          found.add(topic(TopicRange.parse(argument)));
        } else {
          List<Path> paths = found(argument);
          if (paths.isEmpty()) {
            throw new DataException("there is no file %s", argument);
          }
          paths.forEach(path -> found.add(file(path)));
        }
      }
      found.forEach(file -> file.written(dialect));
      files = List.copyOf(found);
    }
    return files;
  }

  private InputFile topic(TopicRange range) {
    Function<TopicRange, Path> reader = topicReader;
    if (reader == null) {
      throw new DataException("%s cannot be read here: name a file", range.name());
    }
    return InputFile.avro(range.name(), reader.apply(range));
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
    return InputFile.of(name, pipe ? InputFile.spooled(name, path) : path);
  }

  private static boolean isPattern(String argument) {
    return argument.matches(".*[*?\\[{].*") && !Files.exists(Path.of(argument));
  }

  /** The file that an argument names, or those of a pattern in order of their names. */
  private static List<Path> found(String argument) {
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
    try (Stream<Path> all = Files.walk(root, levels, FileVisitOption.FOLLOW_LINKS)) {
      return all.filter(matcher::matches)
          .filter(path -> !Files.isDirectory(path))
          .sorted()
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException | UncheckedIOException e) {
      throw new DataException("%s cannot be looked for: %s", argument, e.getMessage()).because(e);
    }
  }

  /** What models say of what they were trained on. */
  public String label() {
    return arguments.stream()
        .map(
            argument ->
                TopicRange.isOne(argument)
                    ? TopicRange.parse(argument).label()
                    : "file:" + Path.of(argument).getFileName())
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
