package io.holdfast.cli.config;

import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.ColumnName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A configuration file with comments, for rows of a schema. Immutable.
 *
 * @param text the file
 * @param rows what the records are like
 */
record ConfigDraft(String text, Schema rows) {
  /** A label of more texts is taken for no class. */
  static final int MOST_CLASSES = 20;

  private static final String PLAIN = "[A-Za-z][A-Za-z0-9_./-]*";
  private static final Set<String> WORDS =
      Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");
  private static final Set<String> TWO = Set.of("0", "1");

  /** What the user says; the rest is found, or the default. */
  record Wanted(
      @Nullable String name,
      String label,
      @Nullable String environment,
      @Nullable String objective,
      String bootstrap,
      @Nullable String registry) {}

  /** What is learned, and why; classes by name, if labels name them. */
  private record Learned(String objective, List<String> classes, String why) {}

  static ConfigDraft ofFile(
      Wanted wanted, String file, Schema rows, Set<String> labels, List<String> notes) {
    return of(
        wanted, name(wanted, file), file, rows, labels, notes.stream().map("# "::concat).toList());
  }

  static ConfigDraft ofSchema(Wanted wanted, Path file, Schema rows) {
    String line = "schemas: [" + quoted(file.toAbsolutePath().normalize().toString()) + "]";
    return of(
        wanted,
        name(wanted, file.toString()),
        file.toString(),
        rows,
        Set.of(),
        List.of(line + " # of records, known without the schema topic"));
  }

  static ConfigDraft ofTopic(Wanted wanted, String topic, Schema rows, Set<String> labels) {
    String line =
        "topics: { records: " + quoted(topic) + " } # the others are NAME.scores and so on";
    return of(wanted, name(wanted, topic), "topic " + topic, rows, labels, List.of(line));
  }

  /** What is enough to read a topic. */
  static String provisional(Wanted wanted, String topic) {
    return "kafka: { bootstrap.servers: "
        + quoted(wanted.bootstrap())
        + " }\nholdfast:\n"
        + registry(wanted)
        + "  models: { records: { objective: squared, label: label, topics: { records: "
        + quoted(topic)
        + " } } }\n";
  }

  private static String registry(Wanted wanted) {
    return wanted.registry() == null
        ? ""
        : "  registry: { urls: [" + quoted(wanted.registry()) + "] } # of the records' schemas\n";
  }

  private static ConfigDraft of(
      Wanted wanted,
      String name,
      String source,
      Schema rows,
      Set<String> labels,
      List<String> more) {
    Schema.Field label = field(rows, wanted.label());
    Learned learned = learned(wanted, label, labels);
    List<String> lines = new ArrayList<>();
    lines.add(
        "# Written by holdfast init from "
            + oneLine(source)
            + ". All keys and defaults: docs/configuration.md;");
    lines.add("# holdfast config schema prints what lets an editor complete and check them.");
    lines.add("kafka:");
    lines.add("  bootstrap.servers: " + quoted(wanted.bootstrap()));
    lines.add("  # security.protocol: SASL_SSL # and whatever else Kafka's clients take");
    lines.add("holdfast:");
    if (wanted.registry() == null) {
      lines.add(
          "  # registry: { urls: ['http://localhost:8081'] } # if records name their schemas"
              + " there");
    } else {
      lines.add(registry(wanted).stripTrailing());
    }
    lines.add("  models:");
    lines.add("    " + quoted(name) + ":");
    List<String> model = new ArrayList<>();
    model.add("objective: " + learned.objective() + " # " + learned.why());
    if (!learned.classes().isEmpty()) {
      model.add(
          "classes: "
              + learned.classes().stream()
                  .map(ConfigDraft::quoted)
                  .collect(Collectors.joining(", ", "[", "]"))
              + " # of two, the second is the positive one");
    }
    model.add("label: " + quoted(wanted.label()) + " # what is predicted");
    model.add(
        label == null
            ? "labels: { in: topic, wait: 1h } # as records have none; they are joined by key"
            : "# labels: { in: topic, wait: 1h } # if they come later, on a topic of their own");
    model.add(environment(wanted, rows));
    model.add("# time: COLUMN # the time of a row, which is no feature");
    model.add("# features: { exclude: [COLUMN] } # ids, and what is known only after the label");
    model.add("# gamma: 4 # above 1, to be wrong about one environment costs more");
    model.add("window: { rows: 1000 } # labelled rows from which each version is learned");
    model.addAll(more);
    model.forEach(line -> lines.add("      " + line));
    return new ConfigDraft(String.join("\n", lines).replace("${", "$${") + "\n", rows);
  }

  private static String environment(Wanted wanted, Schema rows) {
    String why = " # what may shift: a season, a site; a feature only if features.include has it";
    if (wanted.environment() != null) {
      return "environment: " + quoted(wanted.environment()) + why;
    }
    String words =
        rows.getFields().stream()
            .filter(field -> List.of(Schema.Type.STRING, Schema.Type.ENUM).contains(type(field)))
            .map(field -> ColumnName.of(field.name()))
            .filter(column -> !column.equals(wanted.label()))
            .limit(10)
            .collect(Collectors.joining(", "));
    return "# environment: COLUMN" + why + (words.isEmpty() ? "" : ", such as " + oneLine(words));
  }

  private static Learned learned(Wanted wanted, Schema.@Nullable Field label, Set<String> values) {
    Learned found = found(wanted, label, values);
    return wanted.objective() == null
        ? found
        : new Learned(wanted.objective(), found.classes(), "as --objective has it");
  }

  private static Learned found(Wanted wanted, Schema.@Nullable Field label, Set<String> values) {
    if (label == null) {
      return new Learned(
          "squared", List.of(), "of a number; logistic of 0 or 1, softmax of classes");
    }
    List<String> named =
        switch (type(label)) {
          case BOOLEAN -> List.of("false", "true");
          case ENUM -> value(label).getEnumSymbols();
          case STRING -> List.copyOf(values);
          default -> List.of();
        };
    if (type(label) == Schema.Type.STRING && (named.size() < 2 || named.size() > MOST_CLASSES)) {
      throw CommandException.usage(
          "--label names column %s, which is text of %s values: a label is a number, true or false,"
              + " or names 2 to %d classes",
          wanted.label(),
          named.isEmpty() ? "unknown" : named.size() > MOST_CLASSES ? "more" : "1",
          MOST_CLASSES);
    }
    if (named.size() == 2) {
      return new Learned("logistic", named, "the label has two values");
    }
    if (!named.isEmpty()) {
      return new Learned("softmax", named, "the label has " + named.size() + " values");
    }
    return TWO.equals(values)
        ? new Learned("logistic", List.of(), "the label is 0 or 1")
        : new Learned(
            "squared", List.of(), "the label is a number; others: absolute, poisson, ...");
  }

  private static Schema.@Nullable Field field(Schema rows, String column) {
    Schema.Field field = rows.getField(ColumnName.field(ColumnName.text(column)));
    return field == null ? rows.getField(column) : field;
  }

  private static Schema value(Schema.Field field) {
    return field.schema().isUnion()
        ? field.schema().getTypes().stream()
            .filter(one -> one.getType() != Schema.Type.NULL)
            .findFirst()
            .orElse(field.schema())
        : field.schema();
  }

  private static Schema.Type type(Schema.Field field) {
    return value(field).getType();
  }

  /** A name for a model: the beginning of what it is made from. */
  private static String name(Wanted wanted, String source) {
    if (wanted.name() != null) {
      return wanted.name();
    }
    String last = source.substring(source.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    String plain = last.replaceFirst("[.].*", "").replaceAll("[^a-z0-9_-]+", "-");
    return plain.matches("[a-z].*") ? plain : "model";
  }

  private static String quoted(String text) {
    return text.matches(PLAIN) && !WORDS.contains(text.toLowerCase(Locale.ROOT))
        ? text
        : Json.line(text);
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\R", " ");
  }
}
