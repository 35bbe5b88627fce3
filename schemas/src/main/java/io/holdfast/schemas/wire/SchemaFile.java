package io.holdfast.schemas.wire;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.Schema;

/** Reads Avro schemas ({@code .avsc}) from files and from text. Stateless. */
public final class SchemaFile {
  private SchemaFile() {}

  /** The record schema in a file, or a SettingsException in one sentence. */
  public static Schema read(Path file) {
    String json;
    try {
      json = Files.readString(file);
    } catch (IOException e) {
      throw new SettingsException(Sentence.of("the schema file %s cannot be read", file));
    }
    try {
      return parse(json);
    } catch (IllegalArgumentException e) {
      throw new SettingsException(
          Sentence.of(
              "the schema file %s must hold one Avro record schema: %s", file, e.getMessage()));
    }
  }

  /** The record schema that JSON holds, or an IllegalArgumentException in one sentence. */
  @SuppressWarnings("IllegalCatch") // Avro's parser throws what it likes, even NPEs.
  public static Schema parse(String json) {
    Schema schema;
    try {
      schema = new Schema.Parser().parse(json);
    } catch (NullPointerException e) {
      throw new IllegalArgumentException(
          "it names a type that it does not define, perhaps a misspelt one", e);
    } catch (RuntimeException e) {
      String message = String.valueOf(e.getMessage());
      throw new IllegalArgumentException(message.lines().findFirst().orElse(message), e);
    }
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException("its type is " + schema.getType().getName());
    }
    return schema;
  }
}
