package io.holdfast.schemas.wire;

import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * How to walk bodies of one writer schema, giving the fields at some paths to their readers and
 * checking and skipping all else. A field is also found by an alias that it has. Immutable; safe to
 * share.
 *
 * @param <T> what the readers write to
 */
public final class BodyPlan<T> {
  /*
   * A schema is compiled once to a tree of steps, one a field. Only fields on a wanted path are
   * compiled in place; everything else goes through one shared step a named record, so a schema
   * that names a record often, or within itself, stays small and ends.
   */
  private final Step<T> root;
  private final Set<String> found;

  private BodyPlan(Step<T> root, Set<String> found) {
    this.root = root;
    this.found = Set.copyOf(found);
  }

  /** Reads or skips one value. */
  @FunctionalInterface
  public interface Step<T> {
    void read(BodyReader in, T target) throws MalformedRecordException;
  }

  /** Makes the reader of a field, for each type but null that the field may have. */
  @FunctionalInterface
  public interface LeafFactory<T> {
    /** The reader of values of a type, or an exception of the reason INCOMPATIBLE_SCHEMA. */
    Step<T> reader(Schema type) throws MalformedRecordException;
  }

  /**
   * A plan for {@code writer}. Paths that the schema lacks are not read; {@link #found} tells.
   * Where a union on a path is null, or a record without the rest of the path, nothing is read.
   * Throws MalformedRecordException with reason INCOMPATIBLE_SCHEMA if the schema is no record or a
   * factory refuses a type.
   */
  public static <T> BodyPlan<T> compile(Schema writer, Map<String, LeafFactory<T>> leaves)
      throws MalformedRecordException {
    if (writer.getType() != Schema.Type.RECORD) {
      throw new MalformedRecordException(
          Reason.INCOMPATIBLE_SCHEMA,
          "the schema is a " + writer.getType().getName() + ", not a record");
    }
    PathNode<T> paths = new PathNode<>();
    leaves.forEach(paths::add);
    Compiler<T> compiler = new Compiler<>();
    return new BodyPlan<>(compiler.step(writer, paths), compiler.found);
  }

  /** A plan that only checks that bytes are one whole record of the schema. */
  public static BodyPlan<Object> checking(Schema writer) throws MalformedRecordException {
    return compile(writer, Map.of());
  }

  /** The paths that the schema has. */
  public Set<String> found() {
    return found;
  }

  /** Walks the body {@code bytes[from, bytes.length)}, which must be one whole record. */
  public void read(byte[] bytes, int from, T target) throws MalformedRecordException {
    read(bytes, from, target, new BodyReader());
  }

  /** The same with the caller's reader, whose former body is forgotten: nothing is allocated. */
  public void read(byte[] bytes, int from, T target, BodyReader in)
      throws MalformedRecordException {
    in.begin(bytes, from);
    root.read(in, target);
    in.requireEnd();
  }

  /** Walks the record that begins at {@code bytes[from]}; where the next begins. */
  int readNext(byte[] bytes, int from, T target, BodyReader in) throws MalformedRecordException {
    in.begin(bytes, from);
    root.read(in, target);
    return in.position();
  }

  /** Paths as a tree of field names. */
  private static final class PathNode<T> {
    private final Map<String, PathNode<T>> children = new HashMap<>();
    private @Nullable LeafFactory<T> leaf;
    private String path = "";

    void add(String fullPath, LeafFactory<T> factory) {
      PathNode<T> node = this;
      for (String name : fullPath.split("\\.", -1)) {
        node = node.children.computeIfAbsent(name, key -> new PathNode<>());
      }
      node.leaf = factory;
      node.path = fullPath;
    }
  }

  private static final class Compiler<T> {
    private final IdentityHashMap<Schema, RecordStep<T>> skippedRecords = new IdentityHashMap<>();
    private final Set<String> found = new HashSet<>();

    Step<T> step(Schema schema, @Nullable PathNode<T> node) throws MalformedRecordException {
      if (schema.getType() == Schema.Type.UNION) {
        return union(schema, node);
      }
      if (schema.getType() == Schema.Type.NULL) {
        return (in, target) -> {};
      }
      if (node != null && node.leaf != null) {
        found.add(node.path);
        return node.leaf.reader(schema);
      }
      if (schema.getType() == Schema.Type.RECORD) {
        return node == null || node.children.isEmpty() ? skipRecord(schema) : record(schema, node);
      }
      return skip(schema);
    }

    private Step<T> union(Schema schema, @Nullable PathNode<T> node)
        throws MalformedRecordException {
      List<Schema> types = schema.getTypes();
      boolean hasValues = types.stream().anyMatch(BodyPlan::isValue);
      @SuppressWarnings({"unchecked", "rawtypes"})
      Step<T>[] branches = new Step[types.size()];
      for (int branch = 0; branch < branches.length; branch++) {
        Schema type = types.get(branch);
        // Beside values, a record is no value of the field itself, but may hold fields below it.
        boolean below = hasValues && type.getType() == Schema.Type.RECORD;
        branches[branch] = below && node != null ? record(type, node) : step(type, node);
      }
      return (in, target) -> branches[in.readIndex(branches.length)].read(in, target);
    }

    private Step<T> record(Schema schema, PathNode<T> node) throws MalformedRecordException {
      RecordStep<T> step = new RecordStep<>(schema.getFields().size());
      Map<String, PathNode<T>> byField = new HashMap<>();
      node.children.forEach(
          (name, child) ->
              FieldAliases.find(schema, name)
                  .ifPresent(
                      field -> {
                        if (field.name().equals(name)) {
                          byField.put(name, child);
                        } else {
                          byField.putIfAbsent(field.name(), child);
                        }
                      }));
      for (Schema.Field field : schema.getFields()) {
        step.fields[field.pos()] = step(field.schema(), byField.get(field.name()));
      }
      return step;
    }

    private Step<T> skipRecord(Schema schema) throws MalformedRecordException {
      RecordStep<T> known = skippedRecords.get(schema);
      if (known != null) {
        return known;
      }
      RecordStep<T> step = new RecordStep<>(schema.getFields().size());
      skippedRecords.put(schema, step); // Before its fields, which may name the record again.
      for (Schema.Field field : schema.getFields()) {
        step.fields[field.pos()] = step(field.schema(), null);
      }
      return step;
    }

    private Step<T> skip(Schema schema) throws MalformedRecordException {
      return switch (schema.getType()) {
        case BOOLEAN -> (in, target) -> in.readBoolean();
        case INT -> (in, target) -> in.readInt();
        case LONG -> (in, target) -> in.readLong();
        case FLOAT -> (in, target) -> in.skip(Float.BYTES);
        case DOUBLE -> (in, target) -> in.skip(Double.BYTES);
        case STRING, BYTES -> (in, target) -> in.skip(in.readLength());
        case FIXED -> {
          int size = schema.getFixedSize();
          yield (in, target) -> in.skip(size);
        }
        case ENUM -> {
          int symbols = schema.getEnumSymbols().size();
          yield (in, target) -> in.readIndex(symbols);
        }
        case ARRAY -> blocks(step(schema.getElementType(), null));
        case MAP -> {
          Step<T> value = step(schema.getValueType(), null);
          yield blocks(
              (in, target) -> {
                in.skip(in.readLength());
                value.read(in, target);
              });
        }
        case NULL, RECORD, UNION ->
            throw new IllegalStateException("compiled elsewhere: " + schema.getType());
      };
    }
  }

  private static <T> Step<T> blocks(Step<T> item) {
    return (in, target) -> {
      for (long items = in.readBlock(); items > 0; items = in.readBlock()) {
        for (long i = 0; i < items; i++) {
          item.read(in, target);
        }
      }
    };
  }

  private static boolean isValue(Schema type) {
    return type.getType() != Schema.Type.RECORD && type.getType() != Schema.Type.NULL;
  }

  private static final class RecordStep<T> implements Step<T> {
    private final Step<T>[] fields;

    @SuppressWarnings({"unchecked", "rawtypes"})
    RecordStep(int size) {
      fields = new Step[size];
    }

    @Override
    public void read(BodyReader in, T target) throws MalformedRecordException {
      in.enter();
      for (Step<T> field : fields) {
        field.read(in, target);
      }
      in.leave();
    }
  }
}
