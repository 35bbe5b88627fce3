package io.holdfast.service.label;

import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.FieldDecoder;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.BySchema;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads label, environment, weight and anchors from messages, by the field paths of one kind of
 * message. Thread-safe; decoders are cached by writer schema.
 */
public final class RowFieldReader {
  private final @Nullable Path label;
  private final @Nullable Path environment;
  private final @Nullable Path weight;
  private final List<Path> anchors;
  private final ClassLabels classes;
  private final BySchema<Compiled> compiled = new BySchema<>(this::compile);

  /** A field to read; whether a schema without it is an error. */
  private record Path(String path, boolean required) {}

  private sealed interface Compiled {
    /** The places of the fields among the decoded values; -1: not there. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Usable(FieldDecoder decoder, int label, int environment, int weight, int[] anchors)
        implements Compiled {}

    record Nothing() implements Compiled {}

    record Refused(MalformedRecordException cause) implements Compiled {}
  }

  private RowFieldReader(
      ClassLabels classes,
      @Nullable Path label,
      @Nullable Path environment,
      @Nullable Path weight,
      List<Path> anchors) {
    this.classes = classes;
    this.anchors = anchors;
    this.label = label;
    this.environment = environment;
    this.weight = weight;
  }

  /** For records that carry their label. */
  public static RowFieldReader labelledRecord(ModelSettings settings) {
    return of(settings, path(settings.label(), true), true);
  }

  /** For records whose label comes apart; what they lack the label may say. */
  public static RowFieldReader record(ModelSettings settings) {
    return of(settings, null, false);
  }

  /** For labels of the user's own schema. */
  public static RowFieldReader ownLabel(ModelSettings settings) {
    return of(settings, path(settings.label(), true), false);
  }

  private static RowFieldReader of(ModelSettings settings, @Nullable Path label, boolean required) {
    return new RowFieldReader(
        ClassLabels.of(settings.classes()),
        label,
        path(settings.environment(), required),
        path(settings.weight(), required),
        settings.anchors().stream().map(path -> new Path(path, required)).toList());
  }

  /** For labels of our own contract, {@code io.holdfast.schemas.avro.Label}. */
  public static RowFieldReader labelContract(ModelSettings settings) {
    return new RowFieldReader(
        ClassLabels.of(settings.classes()),
        new Path("label", true),
        new Path("environment", true),
        new Path("weight", true),
        List.of());
  }

  /** Reads the fields of the body {@code bytes[from, bytes.length)}. */
  public RowFields read(Schema schema, byte[] bytes, int from) throws MalformedRecordException {
    return switch (compiled.get(schema)) {
      case Compiled.Nothing() -> new RowFields(null, null, null, List.of());
      case Compiled.Refused(MalformedRecordException cause) -> throw cause;
      case Compiled.Usable(FieldDecoder decoder, int l, int e, int w, int[] a) -> {
        @Nullable Object[] values = decoder.decode(bytes, from);
        yield new RowFields(
            l < 0 ? null : label(values[l]),
            e < 0 || values[e] == null ? null : FieldDecoder.environment(values[e]),
            w < 0 ? null : number(values[w], Reason.BAD_WEIGHT, "the weight"),
            anchors(values, a));
      }
    };
  }

  private Compiled compile(Schema schema) {
    try {
      List<String> paths = new ArrayList<>();
      int labelAt = place(schema, label, Reason.MISSING_LABEL, paths);
      int environmentAt = place(schema, environment, Reason.INCOMPATIBLE_SCHEMA, paths);
      int weightAt = place(schema, weight, Reason.INCOMPATIBLE_SCHEMA, paths);
      int[] anchorsAt = new int[anchors.size()];
      for (int i = 0; i < anchorsAt.length; i++) {
        anchorsAt[i] = place(schema, anchors.get(i), Reason.INCOMPATIBLE_SCHEMA, paths);
      }
      return paths.isEmpty()
          ? new Compiled.Nothing()
          : new Compiled.Usable(
              FieldDecoder.compile(schema, paths), labelAt, environmentAt, weightAt, anchorsAt);
    } catch (MalformedRecordException e) {
      return new Compiled.Refused(e);
    }
  }

  /** Adds the path to those to decode if the schema has it; its place among them, or -1. */
  private static int place(Schema schema, @Nullable Path path, Reason missing, List<String> paths)
      throws MalformedRecordException {
    if (path == null) {
      return -1;
    }
    try {
      var _ = FieldDecoder.compile(schema, List.of(path.path()));
    } catch (MalformedRecordException e) {
      if (path.required()) {
        throw new MalformedRecordException(missing, String.valueOf(e.getMessage()));
      }
      return -1;
    }
    paths.add(path.path());
    return paths.size() - 1;
  }

  private static @Nullable Path path(@Nullable String path, boolean required) {
    return path == null ? null : new Path(path, required);
  }

  private static List<@Nullable Double> anchors(@Nullable Object[] values, int[] places)
      throws MalformedRecordException {
    List<@Nullable Double> anchors = new ArrayList<>(places.length);
    for (int place : places) {
      anchors.add(place < 0 ? null : number(values[place], Reason.BAD_ANCHOR, "an anchor"));
    }
    return anchors;
  }

  private @Nullable Double label(@Nullable Object value) throws MalformedRecordException {
    if (value == null || !classes.isNamed()) {
      return number(value, Reason.BAD_LABEL, "the label");
    }
    int number = classes.number(value);
    if (number < 0) {
      throw new MalformedRecordException(
          Reason.BAD_LABEL,
          Sentence.of("labels must be one of %s: %s", classes, FieldDecoder.text(value)));
    }
    return (double) number;
  }

  private static @Nullable Double number(@Nullable Object value, Reason reason, String what)
      throws MalformedRecordException {
    return switch (value) {
      case null -> null;
      case Number number -> number.doubleValue();
      default ->
          throw new MalformedRecordException(
              reason, what + " must be a number or a boolean: " + value);
    };
  }
}
