package io.holdfast.schemas.feature;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Whether the schemas that are known of a model's records fit it. Several may be: producers differ,
 * and one may register what the model cannot read. Stateless.
 */
public final class SchemaFit {
  private SchemaFit() {}

  /**
   * What is wrong, in one sentence; empty if the newest schema fits, or none is known.
   *
   * @param newestFirst the schemas that are known
   * @param version that serves; null if none does yet
   * @param features of that version
   */
  public static Optional<String> problem(
      ModelSettings model,
      List<Schema> newestFirst,
      @Nullable Long version,
      List<Feature> features) {
    if (newestFirst.isEmpty()) {
      return Optional.empty();
    }
    if (version == null) {
      return joined(settingsProblems(model, newestFirst));
    }
    String unreadable = unreadable(newestFirst.getFirst(), features);
    List<Schema> readable = fitting(newestFirst, features);
    if (unreadable != null) {
      return Optional.of(
          Sentence.of(
              "the newest schema of topic %s, %s (%s), does not fit version %d: %s; records written"
                  + " with it are dead letters%s",
              model.topics().records(),
              newestFirst.getFirst().getFullName(),
              Fingerprint.hex(Fingerprint.of(newestFirst.getFirst())),
              version,
              unreadable,
              readable.isEmpty()
                  ? ", and no other is known: register one that fits"
                  : ": mend what writes them, and register the schema that fits once more"));
    }
    return joined(settingsProblems(model, readable));
  }

  /** As one sentence; empty if there are none. */
  static Optional<String> joined(List<String> problems) {
    return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
  }

  /** The schemas whose records can be scored: those that have all features come first. */
  public static List<Schema> fitting(List<Schema> schemas, List<Feature> features) {
    List<Schema> whole = new ArrayList<>();
    List<Schema> partly = new ArrayList<>();
    for (Schema schema : schemas) {
      try {
        boolean all = FeatureDecoder.compile(schema, features).found() == features.size();
        (all ? whole : partly).add(schema);
      } catch (MalformedRecordException e) {
        // its records cannot be scored
      }
    }
    whole.addAll(partly);
    return whole;
  }

  /** Why the settings fit none of the schemas, by the first of them; empty if they fit one. */
  public static List<String> settingsProblems(ModelSettings model, List<Schema> schemas) {
    boolean fits = schemas.isEmpty() || schemas.stream().anyMatch(schema -> fits(model, schema));
    return fits ? List.of() : problems(model, schemas.getFirst());
  }

  /** Whether the settings fit a schema. */
  public static boolean fits(ModelSettings model, Schema schema) {
    return problems(model, schema).isEmpty();
  }

  /**
   * Which fields of the newest schema are no features because of their type alone; empty if there
   * are none, or the settings do not fit it.
   */
  public static Optional<String> leftOut(ModelSettings model, List<Schema> newestFirst) {
    if (newestFirst.isEmpty() || !fits(model, newestFirst.getFirst())) {
      return Optional.empty();
    }
    List<String> fields = RecordLayout.unusable(model, newestFirst.getFirst());
    return fields.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Sentence.of(
                "fields of the newest schema %s of topic %s are left out, as a feature takes one"
                    + " number, boolean, date, time, enum or string a record: %s; name them in"
                    + " features.exclude if they may be, or write what counts of them as such a"
                    + " field",
                newestFirst.getFirst().getFullName(),
                model.topics().records(),
                String.join(", ", fields)));
  }

  private static List<String> problems(ModelSettings model, Schema schema) {
    try {
      RecordLayout.features(model, schema);
      return List.of();
    } catch (SettingsException e) {
      return e.problems();
    }
  }

  private static @Nullable String unreadable(Schema schema, List<Feature> features) {
    try {
      FeatureDecoder.compile(schema, features);
      return null;
    } catch (MalformedRecordException e) {
      return e.getMessage();
    }
  }
}
