package io.holdfast.schemas.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.holdfast.schemas.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses one YAML file to {@link YamlNode}s with environment variables filled in. One use each. */
final class YamlFile {
  /*
   * Own tree rather than Jackson's: it keeps the line of each value for the messages and the text
   * as written, so that a password 0123 stays what it is. Variables are filled in after parsing,
   * value by value: what a variable holds can never become structure.
   */
  private static final Pattern VARIABLE =
      Pattern.compile("\\$?\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?}");

  private final Path file;
  private final Map<String, String> environment;
  private final Problems problems;

  YamlFile(Path file, Map<String, String> environment, Problems problems) {
    this.file = file;
    this.environment = environment;
    this.problems = problems;
  }

  /**
   * The file's one document.
   *
   * @throws SettingsException if the file cannot be read or is no YAML
   */
  YamlNode read() {
    try (YAMLParser parser = new YAMLFactory().createParser(Files.readAllBytes(file))) {
      if (parser.nextToken() == null) {
        return new YamlNode.Empty(1);
      }
      YamlNode root = node(parser, "");
      if (parser.nextToken() != null) {
        throw syntax(parser, "a second document begins; keep all settings in one");
      }
      return root;
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new SettingsException(
          Sentence.of(
              "%s is not valid YAML%s: %s",
              file, line > 0 ? " at line " + line : "", firstLine(e)));
    } catch (NoSuchFileException e) {
      throw new SettingsException(Sentence.of("there is no configuration file %s", file));
    } catch (IOException e) {
      throw new SettingsException(
          Sentence.of(
              "the configuration file %s cannot be read: %s",
              file, Files.isDirectory(file) ? "it is a folder" : e.getMessage()));
    }
  }

  private YamlNode node(YAMLParser parser, String key) throws IOException {
    int line = parser.currentTokenLocation().getLineNr();
    if (parser.isCurrentAlias()) {
      throw syntax(parser, "aliases are not supported; write the value out");
    }
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> mapping(parser, key, line);
      case START_ARRAY -> {
        List<YamlNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(node(parser, key));
        }
        yield new YamlNode.Sequence(items, line);
      }
      case VALUE_NULL -> new YamlNode.Empty(line);
      default -> new YamlNode.Scalar(filledIn(parser.getText(), key, line), line);
    };
  }

  private YamlNode mapping(YAMLParser parser, String key, int line) throws IOException {
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String path = key.isEmpty() ? name : key + "." + name;
      int nameLine = parser.currentTokenLocation().getLineNr();
      parser.nextToken();
      if (entries.put(name, node(parser, path)) != null) {
        problems.add(Sentence.of("%s is set twice; keep one of them", path), nameLine);
      }
    }
    return new YamlNode.Mapping(entries, line);
  }

  private String filledIn(String text, String key, int line) {
    return VARIABLE
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(value(found, key, line)));
  }

  private String value(MatchResult matcher, String key, int line) {
    String whole = matcher.group();
    if (whole.startsWith("$$")) {
      return whole.substring(1);
    }
    String name = matcher.group(1);
    @Nullable String set = environment.get(name);
    @Nullable String value = set == null ? matcher.group(2) : set;
    if (value == null) {
      problems.add(
          Sentence.of(
              "%s names the environment variable %s, which is not set: set it or write"
                  + " ${%s:default}",
              key, name, name),
          line);
      return "";
    }
    return value;
  }

  private SettingsException syntax(YAMLParser parser, String message) {
    return new SettingsException(
        Sentence.of(
            "%s is not a configuration file at line %d: %s",
            file, parser.currentTokenLocation().getLineNr(), message));
  }

  private static String firstLine(JsonProcessingException e) {
    String message = e.getOriginalMessage();
    return message == null ? "it cannot be parsed" : message.lines().findFirst().orElse(message);
  }
}
