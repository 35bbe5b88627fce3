package io.holdfast.schemas.topic;

import io.holdfast.schemas.Sentence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes.Decimal;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** The logical types of a schema in reading order: what its fingerprint leaves out. Stateless. */
final class LogicalTypes {
  private LogicalTypes() {}

  static List<String> of(Schema schema) {
    List<String> types = new ArrayList<>();
    collect(schema, new HashSet<>(), types);
    return types;
  }

  private static String name(@Nullable LogicalType type) {
    if (type instanceof Decimal decimal) {
      return Sentence.of(
          "%s(%d, %d)", decimal.getName(), decimal.getPrecision(), decimal.getScale());
    }
    return type == null ? "" : type.getName();
  }

  private static void collect(Schema schema, Set<String> seen, List<String> types) {
    types.add(name(schema.getLogicalType()));
    switch (schema.getType()) {
      case RECORD -> {
        if (seen.add(schema.getFullName())) {
          schema.getFields().forEach(field -> collect(field.schema(), seen, types));
        }
      }
      case UNION -> schema.getTypes().forEach(type -> collect(type, seen, types));
      case ARRAY -> collect(schema.getElementType(), seen, types);
      case MAP -> collect(schema.getValueType(), seen, types);
      default -> {}
    }
  }
}
