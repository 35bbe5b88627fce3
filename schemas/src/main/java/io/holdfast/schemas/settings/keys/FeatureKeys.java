package io.holdfast.schemas.settings.keys;

import static io.holdfast.schemas.settings.keys.Key.Flag.Group.COLUMNS;

import io.holdfast.schemas.settings.keys.Key.Flag;
import java.util.List;

/** Which fields are features of a model, below {@code features}. */
public final class FeatureKeys {
  private static final KeyTable KEYS = new KeyTable();

  public static final Key<List<String>> INCLUDE =
      KEYS.texts("features.include", "The features")
          .usually("every field that is nothing else and has a type a feature can have")
          .flag(COLUMNS, "--features", Flag.COLUMNS)
          .help("The features (default: every column that is nothing else)");
  public static final Key<List<String>> EXCLUDE =
      KEYS.texts("features.exclude", "Fields that are no features")
          .flag(COLUMNS, "--exclude", Flag.COLUMNS);
  public static final Key<List<String>> CATEGORICAL =
      KEYS.texts("features.categorical", "Numbers that are names; text is without saying")
          .flag(COLUMNS, "--categorical", "COL,...");
  public static final Key<List<String>> MISSING =
      KEYS.texts(
              "features.missing",
              "Words that say that there is no value, beside NA, null, ? and the like")
          .more("([values](values.md))")
          .flag(COLUMNS, "--missing", "WORD,...");
  public static final Key<List<String>> DATES =
      KEYS.texts("features.dates", "Dates: take hour, weekday and month")
          .more("In UTC, in place of the date itself")
          .flag(COLUMNS, "--dates", Flag.COLUMNS);
  public static final Key<String> ABSENT =
      KEYS.choice(
              "features.absent",
              "What becomes of records whose schema lacks a feature: serve or refuse",
              "serve",
              "refuse")
          .more(
              "`serve`: it counts as missing; `refuse`: they are [dead"
                  + " letters](operations.md#health)");

  static final List<Key<?>> ALL = KEYS.all();

  private FeatureKeys() {}
}
