package io.holdfast.schemas.settings.keys;

import io.holdfast.schemas.Sentence;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tables of settings in {@code docs/configuration.md}. Stateless. */
public final class ConfigurationPage {
  private static final Pattern TABLE =
      Pattern.compile("(<!-- settings of ([\\w.]+) -->\n).*?(<!-- end -->)", Pattern.DOTALL);

  private ConfigurationPage() {}

  /**
   * A page with its tables as they should be: each stands between {@code <!-- settings of GROUP
   * -->} and {@code <!-- end -->}, where GROUP is {@code service}, {@code trainer}, {@code topics},
   * {@code registry}, {@code model} or {@code model.GROUP}.
   */
  public static String refreshed(String page) {
    return TABLE
        .matcher(page)
        .replaceAll(
            table ->
                Matcher.quoteReplacement(table.group(1) + table(table.group(2)) + table.group(3)));
  }

  private static String table(String name) {
    boolean own = name.equals("model");
    boolean ofModel = name.startsWith("model.");
    String group = own ? "" : name.replaceFirst("^model\\.", "") + ".";
    List<Key<?>> keys = own ? ModelKeys.OWN : ofModel ? ModelKeys.ALL : ProgramKeys.ALL;
    return "\n| key | default | meaning |\n|---|---|---|\n"
        + keys.stream()
            .filter(key -> key.path().startsWith(group))
            .map(key -> row(key, group.length()))
            .collect(Collectors.joining())
        + "\n";
  }

  private static String row(Key<?> key, int groupLength) {
    String usual =
        key.usually().isEmpty()
            ? key.defaultText().map(text -> "`" + text + "`").orElse("")
            : key.usually();
    String meaning = key.sentence() + (key.more().isEmpty() ? "" : more(key.more()));
    return Sentence.of("| `%s` | %s | %s |\n", key.path().substring(groupLength), usual, meaning);
  }

  /** In parentheses or with a small letter, it goes on with the sentence. */
  private static String more(String markdown) {
    char first = markdown.charAt(0);
    return (first == '(' || Character.isLowerCase(first) ? " " : ". ") + markdown;
  }
}
