package io.holdfast.schemas.wire;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.avro.Schema;

/** Reads Avro schemas ({@code .avsc}) from files and from text. Stateless. */
public final class SchemaFile {
  /** Types within types: what walks a schema takes a few frames of the stack for each. */
  static final int MAX_DEPTH = 200;

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
    } catch (StackOverflowError e) {
      throw tooDeep();
    } catch (RuntimeException e) {
      String message = String.valueOf(e.getMessage());
      throw new IllegalArgumentException(message.lines().findFirst().orElse(message), e);
    }
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException("its type is " + schema.getType().getName());
    }
    return bounded(schema);
  }

  /**
   * The same schema, unless its types are nested too deeply: an IllegalArgumentException in one
   * sentence. Types that name each other may be, however flat the text is.
   */
  public static Schema bounded(Schema schema) {
    descend(schema, 0, new HashSet<>());
    return schema;
  }

  private static void descend(Schema schema, int depth, Set<String> seen) {
    if (depth > MAX_DEPTH) {
      throw tooDeep();
    }
    switch (schema.getType()) {
      case RECORD -> {
        if (seen.add(schema.getFullName())) {
          schema.getFields().forEach(field -> descend(field.schema(), depth + 1, seen));
        }
      }
      case UNION -> schema.getTypes().forEach(type -> descend(type, depth, seen));
      case ARRAY -> descend(schema.getElementType(), depth + 1, seen);
      case MAP -> descend(schema.getValueType(), depth + 1, seen);
      default -> {}
    }
  }

  private static IllegalArgumentException tooDeep() {
    return new IllegalArgumentException("its types are nested more than " + MAX_DEPTH + " deep");
  }
}
