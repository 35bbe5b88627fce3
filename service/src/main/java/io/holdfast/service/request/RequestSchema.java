package io.holdfast.service.request;

import io.holdfast.schemas.wire.DecimalReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A record schema as a JSON request may fill it: every field may be missing or null, since a label,
 * a time or an identity is often not at hand, and types that are no use to a model are left out.
 * Features keep their paths and types, so the stream's decoder reads the one as it reads the other.
 */
final class RequestSchema {
  private RequestSchema() {}

  static Schema of(Schema record) {
    return record(record, new HashSet<>());
  }

  private static Schema record(Schema schema, Set<String> above) {
    above.add(schema.getFullName());
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      List<Schema> branches = branches(field.schema(), above);
      if (branches.size() > 1) {
        Schema.Field wider = new Schema.Field(field.name(), Schema.createUnion(branches));
        field.aliases().forEach(wider::addAlias);
        fields.add(wider);
      }
    }
    above.remove(schema.getFullName());
    return Schema.createRecord(schema.getName(), null, schema.getNamespace(), false, fields);
  }

  /** Null and what the field may usefully be. */
  private static List<Schema> branches(Schema type, Set<String> above) {
    List<Schema> branches = new ArrayList<>();
    branches.add(Schema.create(Schema.Type.NULL));
    for (Schema branch : type.isUnion() ? type.getTypes() : List.of(type)) {
      Schema usable = usable(branch, above);
      if (usable != null && !branches.contains(usable)) { // two decimals are one
        branches.add(usable);
      }
    }
    return branches;
  }

  private static @Nullable Schema usable(Schema type, Set<String> above) {
    return switch (type.getType()) {
      case INT, LONG, FLOAT, DOUBLE, BOOLEAN, STRING, ENUM -> type;
      // A record within itself holds no features.
      case RECORD -> above.contains(type.getFullName()) ? null : record(type, above);
      // A decimal may have any digits, as it may in a file of text.
      case BYTES, FIXED ->
          DecimalReader.of(type) != null
              ? LogicalTypes.bigDecimal().addToSchema(Schema.create(Schema.Type.BYTES))
              : type.getLogicalType() instanceof LogicalTypes.Uuid ? type : null;
      case NULL, ARRAY, MAP, UNION -> null;
    };
  }
}
