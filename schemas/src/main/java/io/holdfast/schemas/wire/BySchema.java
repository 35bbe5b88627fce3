package io.holdfast.schemas.wire;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.apache.avro.Schema;

/** What is worked out once for each schema, and never changed. Thread-safe. */
public final class BySchema<V> {
  /*
   * Neither a schema's fingerprint nor its equality covers aliases, and one that is registered again
   * with an alias must take effect. A schema's instance seldom changes, so looking for what it has
   * of aliases costs nothing as a rule.
   */
  private final Function<Schema, V> make;
  private final ConcurrentMap<Schema, Made<V>> made = new ConcurrentHashMap<>();

  private record Made<V>(Schema of, V value) {}

  public BySchema(Function<Schema, V> make) {
    this.make = make;
  }

  /** That of a schema, made if it is the first time. */
  @SuppressWarnings("ReferenceEquality") // as the comment at the top says
  public V get(Schema schema) {
    Made<V> known = made.get(schema);
    return known != null && known.of == schema
        ? known.value
        : made.compute(
                schema,
                (_, before) ->
                    before != null && FieldAliases.same(before.of, schema)
                        ? before
                        : new Made<>(schema, make.apply(schema)))
            .value;
  }

  /** All that were made. */
  public List<Schema> schemas() {
    return made.values().stream().map(Made::of).toList();
  }
}
