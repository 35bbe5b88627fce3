package io.holdfast.schemas.settings;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.settings.keys.Key;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A group of keys being read. Each reading method returns the value or, after noting a problem, the
 * default, so that reading goes on and finds the other mistakes. Not thread-safe.
 */
final class Section {
  private final String path;
  private final Map<String, YamlNode> entries;
  private final int line;
  private final UnaryOperator<String> spelling;
  private final Problems problems;
  private final Set<String> known = new LinkedHashSet<>();
  private final List<Section> sections = new ArrayList<>(); // that were read below this one

  /**
   * A section at {@code path}.
   *
   * @param spelling what a full key is called in messages
   */
  Section(String path, YamlNode node, UnaryOperator<String> spelling, Problems problems) {
    this.path = path;
    this.line = node.line();
    this.spelling = spelling;
    this.problems = problems;
    this.entries =
        switch (node) {
          case YamlNode.Mapping mapping -> mapping.entries();
          case YamlNode.Empty _ -> Map.of();
          case YamlNode.Scalar _, YamlNode.Sequence _ -> {
            String name = spelling.apply(path);
            problems.add(
                Sentence.of("%s must be a group of keys, not %s", name, node.kind()), line);
            yield Map.of();
          }
        };
  }

  /** A group from flat keys such as {@code trees.maxLeaves}; lists are separated by commas. */
  static YamlNode nested(Map<String, String> flat) {
    YamlNode root = new YamlNode.Mapping(Map.of(), 0);
    for (Map.Entry<String, String> entry : flat.entrySet()) {
      String rest = entry.getKey();
      YamlNode node = new YamlNode.Scalar(entry.getValue(), 0);
      for (int dot = rest.lastIndexOf('.'); dot >= 0; dot = rest.lastIndexOf('.')) {
        node = new YamlNode.Mapping(Map.of(rest.substring(dot + 1), node), 0);
        rest = rest.substring(0, dot);
      }
      root = merged(root, new YamlNode.Mapping(Map.of(rest, node), 0));
    }
    return root;
  }

  private static YamlNode merged(YamlNode below, YamlNode above) {
    if (!(above instanceof YamlNode.Mapping(Map<String, YamlNode> over, int _))
        || !(below instanceof YamlNode.Mapping(Map<String, YamlNode> under, int line))) {
      return above;
    }
    Map<String, YamlNode> both = new LinkedHashMap<>(under);
    over.forEach((key, node) -> both.merge(key, node, Section::merged));
    return new YamlNode.Mapping(both, line);
  }

  /** A setting as the user knows it. */
  String name(Key<?> key) {
    return name(key.name());
  }

  /** The full key as the user knows it. */
  String name(String key) {
    return spelling.apply(path.isEmpty() ? key : path + "." + key);
  }

  boolean has(String key) {
    return entries.containsKey(key) && !(entries.get(key) instanceof YamlNode.Empty);
  }

  boolean has(Key<?> key) {
    return has(key.name());
  }

  /** Whether a key is there that may be of no use; it is no unknown key, whatever is made of it. */
  boolean ignores(String key) {
    known.add(key);
    return has(key);
  }

  Collection<String> keys() {
    return entries.keySet();
  }

  /** Reads a group below, in which no key may be left over. */
  <T> T group(String key, Function<Section, T> reader) {
    Section section = section(key, Map.of());
    T read = reader.apply(section);
    section.rejectUnknown();
    return read;
  }

  Section section(String key) {
    return section(key, Map.of());
  }

  /** A group below, with keys set over those that are there. */
  Section section(String key, Map<String, String> changes) {
    known.add(key);
    YamlNode group = entries.getOrDefault(key, new YamlNode.Empty(0));
    YamlNode node = changes.isEmpty() ? group : merged(group, nested(changes));
    String full = path.isEmpty() ? key : path + "." + key;
    Section section = new Section(full, node, spelling, problems);
    sections.add(section);
    return section;
  }

  /** The value of a setting, or its default. */
  <T> T read(Key<T> key) {
    T read = optional(key);
    return read == null ? key.byDefault() : read;
  }

  /** The value of a setting whose default depends on others. */
  <T> T read(Key<T> key, T fallback) {
    T read = optional(key);
    return read == null ? fallback : read;
  }

  /** The value of a setting; null if it is not there, or wrong. */
  <T> @Nullable T optional(Key<T> key) {
    String text = optionalText(key.name());
    if (text == null) {
      return null;
    }
    T value = key.kind().parse(text);
    if (value == null) {
      wrong(key, key.kind().rule(text), quoted(text) + key.kind().suggestion(text));
    }
    return value;
  }

  /** The path of a field, by path or by the text of its column; null if it is not there. */
  @Nullable String field(Key<String> key) {
    String named = optional(key);
    return named == null ? null : ColumnName.path(named);
  }

  /** Paths of fields, likewise. */
  List<String> fields(Key<List<String>> key) {
    return list(key).stream().map(ColumnName::path).toList();
  }

  @Nullable String optionalText(String key) {
    known.add(key);
    switch (entries.getOrDefault(key, new YamlNode.Empty(0))) {
      case YamlNode.Empty _ -> {}
      case YamlNode.Scalar(String text, int _) when !text.isBlank() -> {
        return text;
      }
      case YamlNode.Scalar _ -> wrong(key, "set to a value or left out", "''");
      case YamlNode node -> wrong(key, "a single value", node.kind());
    }
    return null;
  }

  /** A text that must be there; {@code example} ends the sentence if it is not. */
  String required(Key<String> key, String example) {
    String text = optional(key);
    if (text == null && !(entries.get(key.name()) instanceof YamlNode.Scalar)) {
      problems.add(Sentence.of("%s is missing: %s", name(key), example), line);
    }
    return text == null ? "" : text;
  }

  /** Names, each with the direction that something rises in: +1 or −1. */
  Map<String, Integer> directions(Key<Map<String, Integer>> setting) {
    Map<String, Integer> directions = new LinkedHashMap<>();
    byName(setting)
        .forEach(
            (name, text) -> {
              switch (text) {
                case "increasing", "+1", "1" -> directions.put(ColumnName.path(name), 1);
                case "decreasing", "-1" -> directions.put(ColumnName.path(name), -1);
                default -> {
                  String found = name + " is " + quoted(text);
                  wrong(setting.name(), "increasing or decreasing for each feature", found);
                }
              }
            });
    return directions;
  }

  /** Names, each with that of its group. */
  Map<String, String> groups(Key<Map<String, String>> setting) {
    Map<String, String> groups = new LinkedHashMap<>();
    byName(setting)
        .forEach(
            (name, text) -> {
              if (text.isBlank()) {
                wrong(setting.name(), "a group for each feature", name + " is " + quoted(text));
              }
              groups.put(ColumnName.path(name), text);
            });
    return groups;
  }

  /**
   * Names with a word each, empty if it is none. A group of keys, or from flags one text such as
   * {@code temp=increasing,price=-1}.
   */
  private Map<String, String> byName(Key<?> setting) {
    known.add(setting.name());
    Map<String, String> words = new LinkedHashMap<>();
    switch (entries.getOrDefault(setting.name(), new YamlNode.Empty(0))) {
      case YamlNode.Empty _ -> {}
      case YamlNode.Mapping(Map<String, YamlNode> named, int _) ->
          named.forEach(
              (name, node) ->
                  words.put(name, node instanceof YamlNode.Scalar text ? text.text() : ""));
      case YamlNode.Scalar(String text, int at) when at == 0 -> {
        for (String item : split(text)) {
          int equals = item.lastIndexOf('=');
          String name = equals < 0 ? item : item.substring(0, equals).strip();
          words.put(name, equals < 0 ? "" : item.substring(equals + 1).strip());
        }
      }
      case YamlNode node -> wrong(setting, setting.kind().rule(""), node.kind());
    }
    return words;
  }

  List<String> list(Key<List<String>> setting) {
    String key = setting.name();
    known.add(key);
    return switch (entries.getOrDefault(key, new YamlNode.Empty(0))) {
      case YamlNode.Empty _ -> List.of();
      case YamlNode.Scalar scalar when scalar.line() == 0 -> split(scalar.text());
      case YamlNode.Sequence sequence -> texts(key, sequence);
      case YamlNode node -> {
        wrong(setting, setting.kind().rule(""), node.kind());
        yield List.of();
      }
    };
  }

  /** Names that stand in place of a number; none if that is there, or nothing. */
  List<String> names(Key<?> setting) {
    String key = setting.name();
    known.add(key);
    return switch (entries.getOrDefault(key, new YamlNode.Empty(0))) {
      case YamlNode.Scalar(String text, int at) when at == 0 && text.contains(",") -> split(text);
      case YamlNode.Sequence sequence -> texts(key, sequence);
      default -> List.of();
    };
  }

  /** Shares, one or several; none if it is not there, or wrong. */
  List<Double> shares(Key<List<Double>> setting) {
    if (!(entries.get(setting.name()) instanceof YamlNode.Sequence sequence)) {
      return read(setting, List.of());
    }
    known.add(setting.name());
    String text = String.join(",", texts(setting.name(), sequence));
    List<Double> shares = setting.kind().parse(text);
    if (shares == null) {
      wrong(setting, setting.kind().rule(text), "[" + text + "]");
      return List.of();
    }
    return shares;
  }

  private static List<String> split(String text) {
    return Arrays.stream(text.split(",", -1))
        .filter(item -> !item.isBlank())
        .map(String::strip)
        .toList();
  }

  /** The file of {@code text}, from {@code folder}; {@code right} is what it must be. */
  Path file(Key<?> key, String text, Path folder, String right) {
    Path file = folder.resolve(text).normalize();
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      wrong(key, right, file + " is none");
    }
    return file;
  }

  private List<String> texts(String key, YamlNode.Sequence sequence) {
    List<String> items = new ArrayList<>();
    for (YamlNode item : sequence.items()) {
      if (item instanceof YamlNode.Scalar scalar && !scalar.text().isBlank()) {
        items.add(scalar.text());
      } else {
        wrong(key, "a list of single values", "one with " + item.kind() + " in it");
      }
    }
    return items;
  }

  /** Notes that a setting's value is wrong. */
  void wrong(Key<?> key, String right, String value) {
    wrong(key.name(), right, value);
  }

  void wrong(String key, String right, String value) {
    problemAt(key, "%s must be %s: %s", name(key), right, value);
  }

  /** Notes a key that is there and has no meaning, since another is not what {@code value} says. */
  void onlyIf(boolean meaningful, String key, String other, String value) {
    if (!meaningful && has(key)) {
      problem("%s has no meaning unless %s is %s: leave it out", name(key), name(other), value);
    }
  }

  /** Notes a key that an objective has no use for. */
  void uselessFor(String objective, String key, String which) {
    problem(
        "%s has no meaning for the objective %s, which %s: leave it out",
        name(key), objective, which);
  }

  /** Notes a problem of the whole section. */
  @FormatMethod
  void problem(@FormatString String format, @Nullable Object... arguments) {
    problems.add(Sentence.of(format, arguments), line);
  }

  /** Notes a problem of a key. */
  @FormatMethod
  void problemAt(String key, @FormatString String format, @Nullable Object... arguments) {
    YamlNode node = entries.get(key);
    problems.add(Sentence.of(format, arguments), node == null ? line : node.line());
  }

  /** Notes every key that nobody asked for; called last. */
  void rejectUnknown() {
    entries.forEach(
        (key, node) -> {
          if (!known.contains(key)) {
            String suggestion =
                below(key)
                    .or(() -> Suggestion.closest(key, known).map(this::name))
                    .map(name -> "did you mean " + name + "?")
                    .orElseGet(() -> "known here: " + String.join(", ", known));
            problems.add(Sentence.of("%s is no setting; %s", name(key), suggestion), node.line());
          }
        });
  }

  /** The full name of the key of this name in a group below, the fewest groups down. */
  private Optional<String> below(String key) {
    return sections.stream()
        .filter(section -> section.known.contains(key))
        .map(section -> section.name(key))
        .findFirst()
        .or(() -> sections.stream().flatMap(section -> section.below(key).stream()).findFirst());
  }

  static String quoted(String text) {
    return text.isEmpty() || !text.equals(text.strip()) ? "'" + text + "'" : text;
  }
}
