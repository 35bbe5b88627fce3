package io.holdfast.schemas.settings;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.settings.keys.ModelKeys;
import org.jspecify.annotations.Nullable;

/**
 * What a record and its label have in common, and where each holds it.
 *
 * @param record where the record holds it
 * @param label where the label holds it
 */
public record Correlation(Place record, Place label) {
  /** By the Kafka key. */
  public static final Correlation BY_KEY = new Correlation(new Place.Key(), new Place.Key());

  /** Where an id is. Ids are compared as bytes; those of fields as text. */
  public sealed interface Place {
    /** The Kafka key. */
    record Key() implements Place {
      @Override
      public String toString() {
        return "key";
      }
    }

    /** The last header of that name. */
    record Header(String name) implements Place {
      @Override
      public String toString() {
        return "header " + name;
      }
    }

    /** A field, by path. */
    record Field(String path) implements Place {
      @Override
      public String toString() {
        return "field " + path;
      }
    }

    /** The place of {@code key}, {@code field PATH} or {@code header NAME}. */
    static @Nullable Place parse(String text) {
      String[] words = text.strip().split("\\s+", 2);
      if (words.length == 1) {
        return words[0].equals("key") ? new Key() : null;
      }
      return switch (words[0]) {
        case "header" -> new Header(words[1]);
        case "field" -> new Field(ColumnName.path(words[1]));
        default -> null;
      };
    }
  }

  /** Reads {@code labels.correlation}: by the key unless it says otherwise. */
  static Correlation read(Section section) {
    Place ofRecord = place(section, ModelKeys.CORRELATION_RECORD, new Place.Key());
    return new Correlation(ofRecord, place(section, ModelKeys.CORRELATION_LABEL, ofRecord));
  }

  private static Place place(
      Section section, io.holdfast.schemas.settings.keys.Key<String> key, Place fallback) {
    String text = section.optional(key);
    if (text == null) {
      return fallback;
    }
    Place place = Place.parse(text);
    if (place == null) {
      section.wrong(key, "key, field PATH or header NAME", "'" + text + "'");
    }
    return place == null ? fallback : place;
  }
}
