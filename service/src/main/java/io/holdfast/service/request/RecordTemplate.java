package io.holdfast.service.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** A record to fill in: every field that a request may have, each with a value of its type. */
public final class RecordTemplate {
  private RecordTemplate() {}

  /** As JSON, of records of {@code written}; the field {@code without}, a label, is left out. */
  public static String of(Schema written, @Nullable String without) {
    return record(RequestSchema.of(written), without).toPrettyString();
  }

  private static ObjectNode record(Schema schema, @Nullable String without) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (Schema.Field field : schema.getFields()) {
      if (!field.name().equals(without)) {
        put(object, field.name(), field.schema().getTypes().get(1)); // the first that is not null
      }
    }
    return object;
  }

  private static void put(ObjectNode object, String name, Schema type) {
    switch (type.getType()) {
      case RECORD -> object.set(name, record(type, null));
      case ENUM -> object.put(name, type.getEnumSymbols().getFirst());
      case BOOLEAN -> object.put(name, false);
      case STRING -> object.put(name, "");
      default -> {
        LogicalType logical = type.getLogicalType();
        String kind = logical == null ? "" : logical.getName();
        if (kind.equals("date")) {
          object.put(name, "2026-01-31");
        } else if (kind.contains("timestamp")) {
          object.put(name, "2026-01-31T12:00:00Z");
        } else {
          object.put(name, 0);
        }
      }
    }
  }
}
