package io.holdfast.schemas.feature;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.List;
import org.apache.avro.Schema;

/** SKELETON: which fields of a record schema are a model's features. */
public final class RecordLayout {
  private RecordLayout() {}

  /**
   * The features of a model for a record schema: those the settings include, or every field, nested
   * ones by path, that is a number, boolean, enum, string or timestamp and has no other role. Enums
   * and strings, and what the settings say, are categorical, with no categories yet.
   *
   * @throws io.holdfast.schemas.settings.SettingsException if a named field is missing or has a
   *     type that cannot be a feature
   */
  public static List<Feature> features(ModelSettings settings, Schema schema) {
    return List.of(new Feature.Numeric("SKELETON" + settings + schema));
  }
}
