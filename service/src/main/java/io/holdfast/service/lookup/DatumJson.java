package io.holdfast.service.lookup;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** Avro records as the JSON that requests to score them have: what is no use to a model is out. */
final class DatumJson {
  private DatumJson() {}

  static ObjectNode of(GenericRecord record) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      put(object, field.name(), branch(field.schema(), value), value);
    }
    return object;
  }

  private static Schema branch(Schema schema, @Nullable Object value) {
    return schema.isUnion()
        ? schema.getTypes().get(GenericData.get().resolveUnion(schema, value))
        : schema;
  }

  private static void put(ObjectNode object, String name, Schema type, @Nullable Object value) {
    switch (value) {
      case null -> object.putNull(name);
      case GenericRecord inner -> object.set(name, of(inner));
      case Boolean truth -> object.put(name, truth);
      case Integer number -> time(object, name, type.getLogicalType(), number, number);
      case Long number -> time(object, name, type.getLogicalType(), number, number);
      case Float number when Float.isFinite(number) -> object.put(name, number);
      case Double number when Double.isFinite(number) -> object.put(name, number);
      case CharSequence text -> object.put(name, text.toString());
      case GenericData.EnumSymbol symbol -> object.put(name, symbol.toString());
      default -> {} // arrays, maps, bytes
    }
  }

  private static void time(
      ObjectNode object, String name, @Nullable LogicalType logical, long value, Number plain) {
    switch (logical == null ? "" : logical.getName()) {
      case "date" -> object.put(name, LocalDate.ofEpochDay(value).toString());
      case "timestamp-millis", "local-timestamp-millis" ->
          object.put(name, Instant.ofEpochMilli(value).toString());
      case "timestamp-micros", "local-timestamp-micros" ->
          object.put(name, Instant.EPOCH.plus(value, ChronoUnit.MICROS).toString());
      default -> object.put(name, plain.longValue());
    }
  }
}
