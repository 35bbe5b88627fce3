package io.holdfast.schemas.settings;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.schemas.settings.keys.ConfigurationPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * docs/configuration.md says what the tables of settings say, and those name the keys that the
 * reader knows, and their defaults. {@code -Dholdfast.write=true} writes the page.
 */
class ConfigurationPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("holdfast.root", "..")).resolve("docs/configuration.md");
  private static final String MODEL = "holdfast.models.bikes";
  private static final Map<String, String> LEAST =
      Map.of(MODEL + ".objective", "squared", MODEL + ".label", "count");

  /** What must be set for a key to have a meaning, below the model; several by semicolons. */
  private static final Map<String, String> NEEDS =
      Map.ofEntries(
          Map.entry("labels.wait", "labels.in=topic"),
          Map.entry("labels.correlation.record", "labels.in=topic"),
          Map.entry("gammaBy", "gamma=auto;environment=e"),
          Map.entry("ladder.gammas", "update.policy=replace"),
          Map.entry("anchorIntercept", "anchors=[a]"),
          Map.entry("linear.strength", "base=linear"),
          Map.entry("linear.l1Ratio", "base=linear"),
          Map.entry("linear.folds", "base=linear;linear.strength=auto"),
          Map.entry("trees.keptOut", "trees.stopAfter=3"),
          Map.entry("trees.stopBy", "trees.stopAfter=3"),
          Map.entry("adaboost.criterion", "booster=adaboost;objective=exponential"),
          Map.entry("adaboost.resample", "booster=adaboost;objective=exponential"),
          Map.entry("trees.multiclass", "objective=softmax;classes=3"),
          Map.entry("update.evict", "update.policy=append"),
          Map.entry("update.keepBins", "update.policy=append"),
          Map.entry("update.halfLife", "update.policy=decay"),
          Map.entry("update.refitRate", "update.policy=refit"),
          Map.entry("update.margin", "update.gate=better"),
          Map.entry("update.holdOut", "update.gate=better"),
          Map.entry("update.error", "update.gate=shown"));

  private static final Pattern HEADING = Pattern.compile("(##|###) ([\\w.]+)");
  private static final Pattern ROW = Pattern.compile("\\| (`[^|]+`) \\| ([^|]*)\\|([^|]*)\\|.*");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern PARAMETER = Pattern.compile("`(\\w+)`:");

  @TempDir Path folder;

  /** A key by its full name, with what the page says of its default. */
  record Row(String key, String usual) {}

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    String top = "";
    String group = "";
    for (String line : Files.readAllLines(PAGE)) {
      Matcher heading = HEADING.matcher(line);
      Matcher row = ROW.matcher(line);
      if (heading.matches()) {
        top = heading.group(1).equals("##") ? heading.group(2).replace("NAME", "bikes") : top;
        group = heading.group(1).equals("##") ? top : top + "." + heading.group(2);
      } else if (group.equals(MODEL + ".objective") && row.matches()) {
        PARAMETER
            .matcher(row.group(3))
            .results()
            .forEach(parameter -> rows.add(new Row(MODEL + "." + parameter.group(1), "")));
      } else if (row.matches()) {
        for (String key : codes(row.group(1))) {
          rows.add(new Row(group + "." + key, row.group(2).strip()));
        }
      }
    }
    return rows;
  }

  private static List<String> codes(String text) {
    return CODE.matcher(text).results().map(code -> code.group(1)).toList();
  }

  /** Those whose default is one value, whatever else is set. */
  static Stream<Row> plainDefaults() throws IOException {
    return rows().stream().filter(row -> row.usual().matches("`[^`]+`"));
  }

  @Test
  void page_isThatOfTheTables() throws IOException {
    String page = Files.readString(PAGE);
    String refreshed = ConfigurationPage.refreshed(page);
    if (Boolean.getBoolean("holdfast.write")) {
      Files.writeString(PAGE, refreshed);
    } else {
      assertThat(page)
          .as("./mvnw -pl schemas -am test -Dtest=ConfigurationPageTest -Dholdfast.write=true")
          .isEqualTo(refreshed);
    }
  }

  @Test
  void page_namesTheKeysThatAreRead() throws IOException {
    Map<String, Set<String>> documented = new TreeMap<>();
    for (Row row : rows()) {
      for (int dot = row.key().length(); dot > 0; dot = row.key().lastIndexOf('.', dot - 1)) {
        String path = row.key().substring(0, dot);
        int last = path.lastIndexOf('.');
        if (last > 0 && !path.equals(MODEL) && path.startsWith("holdfast.")) {
          documented
              .computeIfAbsent(path.substring(0, last), group -> new TreeSet<>())
              .add(path.substring(last + 1));
        }
      }
    }
    documented.remove("holdfast");
    Map<String, String> keys = new LinkedHashMap<>(LEAST);
    documented.keySet().forEach(group -> keys.put(group + ".qqqqqqqq", "1"));

    String message = catchThrowableOfType(SettingsException.class, () -> read(keys)).getMessage();

    Map<String, Set<String>> known =
        Pattern.compile("([\\w.]+)\\.qqqqqqqq is no setting; known here: ([\\w, ]+)")
            .matcher(message)
            .results()
            .flatMap(
                found ->
                    Stream.of(found.group(2).strip().split(", ", -1))
                        .map(key -> Map.entry(found.group(1), key)))
            .collect(
                groupingBy(
                    Map.Entry::getKey,
                    TreeMap::new,
                    mapping(Map.Entry::getValue, toCollection(TreeSet::new))));
    assertThat(documented).isEqualTo(known);
  }

  @ParameterizedTest
  @MethodSource("plainDefaults")
  void default_isThatOfThePage(Row row) throws IOException {
    Map<String, String> keys = new LinkedHashMap<>(LEAST);
    for (String need : NEEDS.getOrDefault(row.key().replace(MODEL + ".", ""), "").split(";", -1)) {
      if (!need.isEmpty()) {
        String[] pair = need.split("=", -1);
        keys.put(MODEL + "." + pair[0], pair[1]);
      }
    }
    Settings without = read(keys);
    keys.put(row.key(), codes(row.usual()).getFirst().replace("NAME", "bikes"));

    assertThat(read(keys)).usingRecursiveComparison().isEqualTo(without);
  }

  private Settings read(Map<String, String> keys) throws IOException {
    return Settings.read(Files.writeString(folder.resolve("h.yml"), flow("", keys)), Map.of());
  }

  /** The keys below a prefix as YAML's flow style. */
  private static String flow(String prefix, Map<String, String> keys) {
    Map<String, String> entries = new LinkedHashMap<>();
    keys.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            String rest = key.substring(prefix.length());
            int dot = rest.indexOf('.');
            if (dot < 0) {
              entries.put(rest, value);
            } else {
              String name = rest.substring(0, dot);
              entries.computeIfAbsent(name, group -> flow(prefix + group + ".", keys));
            }
          }
        });
    return "{ "
        + String.join(
            ", ", entries.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList())
        + " }";
  }
}
