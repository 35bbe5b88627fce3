package io.holdfast.schemas.wire;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.avro.Schema;

/**
 * Fields by the names that they have and by those that they had: Avro's aliases. A field that has a
 * name goes before one that had it. Stateless.
 */
public final class FieldAliases {
  private FieldAliases() {}

  /** The field of a record that has that name, or had it. */
  public static Optional<Schema.Field> find(Schema record, String name) {
    Schema.Field field = record.getField(name);
    return field != null
        ? Optional.of(field)
        : record.getFields().stream().filter(one -> one.aliases().contains(name)).findFirst();
  }

  /** The path by which the schema knows a path today; the same where it knows none. */
  public static String resolve(Schema schema, String path) {
    if (schema.isUnion()) {
      for (Schema type : schema.getTypes()) {
        String resolved = resolve(type, path);
        if (!resolved.equals(path)) {
          return resolved;
        }
      }
    }
    if (schema.getType() != Schema.Type.RECORD) {
      return path;
    }
    int dot = path.indexOf('.');
    Optional<Schema.Field> field = find(schema, dot < 0 ? path : path.substring(0, dot));
    if (field.isEmpty() || dot < 0) {
      return field.map(Schema.Field::name).orElse(path);
    }
    return field.get().name() + "." + resolve(field.get().schema(), path.substring(dot + 1));
  }

  /** Whether two schemas that are equal otherwise have equal aliases, too. */
  public static boolean same(Schema a, Schema b) {
    return same(a, b, new HashSet<>());
  }

  private static boolean same(Schema a, Schema b, Set<String> compared) {
    return switch (a.getType()) {
      case RECORD -> !compared.add(a.getFullName()) || sameFields(a, b, compared);
      case UNION ->
          IntStream.range(0, a.getTypes().size())
              .allMatch(i -> same(a.getTypes().get(i), b.getTypes().get(i), compared));
      default -> true; // features are in no arrays and maps
    };
  }

  private static boolean sameFields(Schema a, Schema b, Set<String> compared) {
    return a.getFields().stream()
        .allMatch(
            field -> {
              Schema.Field other = b.getField(field.name());
              return other != null
                  && field.aliases().equals(other.aliases())
                  && same(field.schema(), other.schema(), compared);
            });
  }
}
