package io.holdfast.schemas.settings;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the values of a model's topics are framed. Immutable.
 *
 * @param records as others write them
 * @param labels likewise, with labels in a topic
 * @param scores as we write them, and shadow scores
 * @param examples as we write them
 */
public record Framings(Read records, Read labels, Format scores, Format examples) {
  /** Whatever comes, as far as it can be told; what is written needs no registry. */
  public static final Framings DETECTED =
      new Framings(
          new Read(Format.AUTO, null),
          new Read(Format.AUTO, null),
          Format.SINGLE_OBJECT,
          Format.SINGLE_OBJECT);

  /**
   * A topic that is read.
   *
   * @param schema the file of the one schema of values that name none; null if there is none
   */
  public record Read(Format format, @Nullable Path schema) {}

  /** The ways in which a value says by which schema it was written. */
  public enum Format {
    /** Told by what it looks like. */
    AUTO,
    /** Avro's single-object encoding. */
    SINGLE_OBJECT,
    /** Confluent's: a magic byte and the schema's number in a registry. */
    CONFLUENT,
    /** Confluent's in a header. */
    CONFLUENT_HEADER,
    /** Not at all: Avro of the one schema. */
    PLAIN,
    /** Not at all: JSON of the one schema. */
    JSON;

    /** The name in settings. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Format of(String label) {
      return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Whether values say nothing of their schema. */
    public boolean needsSchema() {
      return this == PLAIN || this == JSON;
    }

    /** Whether values say it by what a registry calls it. */
    public boolean needsRegistry() {
      return this == CONFLUENT || this == CONFLUENT_HEADER;
    }
  }
}
