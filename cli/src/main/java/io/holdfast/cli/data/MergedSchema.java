package io.holdfast.cli.data;

import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A schema that reads rows of several: a field that some lack is null there, one that was renamed
 * has its last name, and each has the widest of its types. Stateless.
 */
public final class MergedSchema {
  private static final List<Schema.Type> WHOLE = List.of(Schema.Type.INT, Schema.Type.LONG);
  private static final List<Schema.Type> NUMBERS =
      List.of(Schema.Type.INT, Schema.Type.LONG, Schema.Type.FLOAT, Schema.Type.DOUBLE);

  private MergedSchema() {}

  /**
   * Reads both; throws DataException, which names {@code of} and the column, if none can.
   *
   * @param newer whose names and order stay
   */
  public static Schema of(String of, Schema newer, Schema older) {
    return newer.equals(older) ? newer : records(of, "", newer, older);
  }

  private static Schema records(String of, String path, Schema newer, Schema older) {
    List<Schema.Field> fields = new ArrayList<>();
    Set<Schema.Field> theirs = new LinkedHashSet<>(older.getFields());
    for (Schema.Field field : newer.getFields()) {
      Schema.Field same = same(field, older);
      theirs.remove(same);
      Set<String> aliases = new TreeSet<>(field.aliases());
      Schema type = optional(field.schema());
      if (same != null) {
        type = merged(of, path + field.name(), field.schema(), same.schema());
        aliases.addAll(same.aliases());
        aliases.add(same.name());
        aliases.remove(field.name());
      }
      fields.add(field(field, type, aliases));
    }
    theirs.forEach(one -> fields.add(field(one, optional(one.schema()), one.aliases())));
    return Schema.createRecord(newer.getName(), null, newer.getNamespace(), false, fields);
  }

  /** The field of that name, or one that has become it or has been it. */
  private static Schema.@Nullable Field same(Schema.Field field, Schema older) {
    Schema.Field same = older.getField(field.name());
    for (Schema.Field one : older.getFields()) {
      boolean renamed =
          field.aliases().contains(one.name()) || one.aliases().contains(field.name());
      same = same == null && renamed ? one : same;
    }
    return same;
  }

  private static Schema.Field field(Schema.Field field, Schema type, Set<String> aliases) {
    boolean optional = type.isUnion() && type.getTypes().getFirst().isNullable();
    var made =
        new Schema.Field(
            field.name(), type, field.doc(), optional ? Schema.Field.NULL_DEFAULT_VALUE : null);
    aliases.forEach(made::addAlias);
    return made;
  }

  private static Schema optional(Schema type) {
    return union(true, values(type));
  }

  private static List<Schema> values(Schema type) {
    return type.isUnion()
        ? type.getTypes().stream().filter(one -> one.getType() != Schema.Type.NULL).toList()
        : type.getType() == Schema.Type.NULL ? List.of() : List.of(type);
  }

  private static Schema union(boolean optional, List<Schema> values) {
    List<Schema> types = new ArrayList<>(values);
    if (optional) {
      types.addFirst(Schema.create(Schema.Type.NULL));
    }
    return types.size() == 1 ? types.getFirst() : Schema.createUnion(types);
  }

  private static Schema merged(String of, String path, Schema newer, Schema older) {
    if (newer.equals(older)) {
      return newer;
    }
    List<Schema> types = new ArrayList<>(values(newer));
    for (Schema other : values(older)) {
      Schema one = other;
      for (Schema known : List.copyOf(types)) {
        Schema both = both(of, path, known, one);
        if (both != null) {
          types.remove(known);
          one = both;
        }
      }
      types.add(one);
    }
    try {
      return union(newer.isNullable() || older.isNullable(), types);
    } catch (AvroRuntimeException e) {
      throw unlike(of, path, newer, older);
    }
  }

  /** One type for values of two; null if there is none. */
  private static @Nullable Schema both(String of, String path, Schema a, Schema b) {
    if (a.equals(b)) {
      return a;
    }
    if (!Objects.equals(a.getLogicalType(), b.getLogicalType())
        || !Objects.equals(a.getProp("logicalType"), b.getProp("logicalType"))) {
      throw unlike(of, path, a, b);
    }
    if (a.getType() == Schema.Type.RECORD && b.getType() == Schema.Type.RECORD) {
      return records(of, path + ".", a, b);
    }
    if (NUMBERS.contains(a.getType()) && NUMBERS.contains(b.getType())) {
      boolean whole = WHOLE.contains(a.getType()) && WHOLE.contains(b.getType());
      return Schema.create(whole ? Schema.Type.LONG : Schema.Type.DOUBLE);
    }
    return JoinedFile.reads(a, b) ? a : JoinedFile.reads(b, a) ? b : null;
  }

  private static DataException unlike(String of, String path, Schema newer, Schema older) {
    return new DataException(
        "%s has %s as %s and as %s, which cannot be read as one: read the records of each by"
            + " themselves, with from and to",
        of, ColumnName.of(path), newer, older);
  }
}
