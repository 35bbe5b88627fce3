package io.holdfast.schemas.feature;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.Suggestion;
import io.holdfast.schemas.settings.Correlation;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.wire.FieldAliases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Which fields of a record schema are a model's features. */
public final class RecordLayout {
  /** The namespace of schemas that are made of a header. */
  private static final String CSV = "holdfast.csv";

  private static final int MAX_FIELDS = 65_536;
  private static final int MAX_DEPTH = 100; // as bodies of records
  private static final int MAX_FEATURES = 4_096;

  private final ModelSettings settings;
  private final Schema schema;
  private final Map<String, List<Schema>> fields;
  private final List<String> leftOut = new ArrayList<>(); // that are of no use

  private RecordLayout(ModelSettings settings, Schema schema) {
    this.settings = settings;
    this.schema = schema;
    this.fields = fields(schema);
  }

  /**
   * The features of a model for a record schema, in the order of its fields: those the settings
   * include, or every field, nested ones by path, that is a number, boolean, enum, string or
   * timestamp and has no other role. Enums and strings, and what the settings say, are categorical,
   * with no categories yet; of dates that the settings name there are parts. A field is also named
   * by an alias that it has.
   *
   * @throws SettingsException with a sentence for each field that is named and missing, or named
   *     and of a type that cannot be a feature
   */
  public static List<Feature> features(ModelSettings settings, Schema schema) {
    return new RecordLayout(settings, schema).features();
  }

  /** A sentence on fields that are no features because of their type alone, or none. */
  public static List<String> leftOut(ModelSettings settings, Schema schema) {
    List<String> named = unusable(settings, schema);
    String sentence =
        "left out, as a feature takes one number, boolean, date, time, enum or string a row: ";
    return named.isEmpty() ? List.of() : List.of(sentence + String.join(", ", named));
  }

  /** These fields, each with its type. */
  static List<String> unusable(ModelSettings settings, Schema schema) {
    RecordLayout layout = new RecordLayout(settings, schema);
    layout.features();
    return layout.leftOut.stream()
        .map(path -> ColumnName.of(path) + " (" + describe(layout.fields(path)) + ")")
        .toList();
  }

  private List<Schema> fields(String path) {
    return fields.getOrDefault(path, List.of());
  }

  /**
   * All fields that hold values, by path in the order of the schema, with their types beside null.
   * A record within itself is not followed.
   */
  static Map<String, List<Schema>> fields(Schema schema) {
    Collector collector = new Collector();
    collector.collect("", schema);
    return collector.fields;
  }

  /**
   * Counts what it comes by, too: records within records, each of which names the one before it
   * twice, may have no field that holds a value, and take as long as if they had.
   */
  private static final class Collector {
    private final Map<String, List<Schema>> fields = new LinkedHashMap<>();
    private final Set<String> above = new HashSet<>();
    private int count;

    void collect(String path, Schema schema) {
      switch (schema.getType()) {
        case NULL -> {}
        case UNION -> schema.getTypes().forEach(type -> collect(path, type));
        case RECORD -> {
          if (above.add(schema.getFullName())) {
            for (Schema.Field field : schema.getFields()) {
              bound();
              collect(path.isEmpty() ? field.name() : path + "." + field.name(), field.schema());
            }
            above.remove(schema.getFullName());
          }
        }
        default -> fields.computeIfAbsent(path, key -> new ArrayList<>()).add(schema);
      }
    }

    private void bound() {
      if (++count > MAX_FIELDS || above.size() > MAX_DEPTH) {
        throw new SettingsException(
            Sentence.of(
                "there are more than %,d fields or columns, nested ones counted, or they are"
                    + " nested more than %d deep: leave out those that no model needs",
                MAX_FIELDS, MAX_DEPTH));
      }
    }
  }

  private List<Feature> features() {
    List<String> problems = new ArrayList<>();
    Set<String> roles = roles(problems);
    ModelSettings.Features named = settings.features();
    Set<String> included = named(named.include(), "included", problems);
    Set<String> excluded = named(named.exclude(), "excluded", problems);
    Set<String> categorical = named(named.categorical(), "categorical", problems);
    Set<String> dates = named(named.dates(), "date", problems);
    List<Feature> features = new ArrayList<>();
    fields.forEach(
        (path, types) -> {
          boolean taken =
              included.contains(path)
                  || dates.contains(path)
                  || (included.isEmpty() && !roles.contains(path));
          // A model must not see what it predicts, even if a record that holds it is included.
          boolean label =
              settings.labels() instanceof Labels.InRecord && path.equals(now(settings.label()));
          if (!taken || label || excluded.contains(path)) {
            return;
          }
          if (dates.contains(path)) {
            features.addAll(parts(path, types, problems));
            return;
          }
          boolean wanted = named.include().contains(path) || named.categorical().contains(path);
          Feature feature = feature(path, types, categorical.contains(path));
          if (feature != null) {
            features.add(feature);
          } else if (wanted) {
            problems.add(unusable(path, types));
          } else {
            leftOut.add(path);
          }
        });
    checkMonotone(features, problems);
    checkInteractions(features, problems);
    if (features.isEmpty() && problems.isEmpty()) {
      problems.add(
          Sentence.of(
              "%s leaves no field that could be a feature: it has %s",
              source(), String.join(", ", fields.keySet())));
    }
    if (features.size() > MAX_FEATURES) {
      problems.add(
          Sentence.of(
              "%,d fields or columns would be features, and a model has at most %,d: include those"
                  + " that count, or exclude others",
              features.size(), MAX_FEATURES));
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return features;
  }

  private void checkInteractions(List<Feature> features, List<String> problems) {
    List<String> names = features.stream().map(Feature::name).toList();
    for (String name : settings.booster().interactions().keySet()) {
      if (!names.contains(name) && problems.isEmpty()) {
        problems.add(
            Sentence.of(
                "%s, which is in a group of interactions, must be a feature%s",
                name, Suggestion.aside(name, names)));
      }
    }
  }

  private void checkMonotone(List<Feature> features, List<String> problems) {
    for (String name : settings.booster().monotone().keySet()) {
      if (!features.contains(new Feature.Numeric(name)) && problems.isEmpty()) {
        problems.add(
            Sentence.of(
                "the monotone feature %s must be a numeric feature, and those are %s",
                name,
                features.stream()
                    .filter(feature -> feature instanceof Feature.Numeric)
                    .map(Feature::name)
                    .collect(Collectors.joining(", "))));
      }
    }
  }

  /** The path of a field today, if settings name it by one that it had. */
  private String now(String path) {
    return FieldAliases.resolve(schema, path);
  }

  /** The fields that are no features unless they are included by name. */
  private Set<String> roles(List<String> problems) {
    boolean labelInRecord = settings.labels() instanceof Labels.InRecord;
    Set<String> roles = new HashSet<>();
    if (labelInRecord) {
      roles.add(now(settings.label()));
      role("label", settings.label(), true, problems);
    }
    Map<String, @Nullable String> optional = new LinkedHashMap<>();
    optional.put("environment", settings.environment());
    optional.put("weight", settings.weight());
    optional.put("time", settings.time());
    optional.put("id", settings.id());
    if (settings.labels() instanceof Labels.InTopic labels
        && labels.correlation().record() instanceof Correlation.Place.Field field) {
      optional.put("correlation", field.path());
    }
    optional.forEach(
        (role, path) -> {
          if (path != null) {
            roles.add(now(path));
            // Environment and weight may come with the label instead.
            boolean elsewhere =
                !labelInRecord && (role.equals("environment") || role.equals("weight"));
            role(role, path, !elsewhere, problems);
          }
        });
    for (String anchor : settings.anchors()) {
      roles.add(now(anchor));
      role("anchor", anchor, labelInRecord, problems); // it may come with the label instead
    }
    return roles;
  }

  private void role(String role, String path, boolean required, List<String> problems) {
    boolean anchor = role.equals("anchor");
    List<Schema> types = fields(now(path));
    if (types.isEmpty() && required) {
      problems.add(missing(role, path));
    }
    if (!types.stream()
        .map(FieldType::of)
        .allMatch(type -> anchor ? type.numeric() : type != FieldType.UNUSABLE)) {
      problems.add(
          Sentence.of(
              "the %s field %s is %s in %s, not a number, boolean%s",
              role,
              path,
              describe(types),
              source(),
              anchor ? " or time: a category is an environment" : ", enum, string or time"));
    }
  }

  /** All fields that the paths name, those below a record's path included. */
  private Set<String> named(List<String> paths, String role, List<String> problems) {
    Set<String> named = new LinkedHashSet<>();
    for (String name : paths) {
      String path = now(name);
      List<String> below =
          fields.keySet().stream()
              .filter(field -> field.equals(path) || field.startsWith(path + "."))
              .toList();
      named.addAll(below);
      if (below.isEmpty()) {
        problems.add(missing(role, path));
      }
    }
    return named;
  }

  /** What has the fields, in words: people who bring a CSV file know of no schema. */
  private String source() {
    return CSV.equals(schema.getNamespace())
        ? "the file"
        : "the record schema " + schema.getFullName();
  }

  private String missing(String role, String path) {
    return Sentence.of(
        "%s has no field %s, which is to be the %s field%s",
        source(),
        path,
        role,
        Suggestion.closest(path, fields.keySet())
            .map(name -> "; did you mean " + name + "?")
            .orElse("; it has " + String.join(", ", fields.keySet())));
  }

  /** The parts of a date or time, in place of itself. */
  private List<Feature> parts(String path, List<Schema> types, List<String> problems) {
    List<DatePart> parts = DatePart.of(types);
    if (parts.isEmpty()) {
      problems.add(
          Sentence.of(
              "the field %s is %s in %s, which has no hour, weekday or month:"
                  + " that takes a date or time",
              path, describe(types), source()));
    }
    return parts.stream().<Feature>map(part -> new Feature.Numeric(part.feature(path))).toList();
  }

  private static @Nullable Feature feature(String path, List<Schema> types, boolean categorical) {
    List<FieldType> meanings = types.stream().map(FieldType::of).toList();
    if (categorical || meanings.contains(FieldType.ENUM) || meanings.contains(FieldType.STRING)) {
      boolean category = meanings.stream().allMatch(FieldType::categorical);
      return category ? new Feature.Categorical(path, List.of()) : null;
    }
    return meanings.stream().allMatch(FieldType::numeric) ? new Feature.Numeric(path) : null;
  }

  private String unusable(String path, List<Schema> types) {
    boolean categorical = settings.features().categorical().contains(path);
    return Sentence.of(
        "the field %s is %s in %s, which cannot be %s",
        path,
        describe(types),
        source(),
        categorical
            ? "categorical: that takes a string, enum, boolean or number"
            : "a feature: that takes numbers, or strings, enums, booleans and whole numbers");
  }

  private static String describe(List<Schema> types) {
    return types.stream().map(FieldType::describe).collect(Collectors.joining(" or "));
  }
}
