package io.holdfast.service.score;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.service.model.ActiveModel;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes how sure scores are, the field {@code uncertainty} of {@code Score} and {@code Example},
 * as Avro's own writer does. Owned by one thread, whose scratch it holds.
 */
public final class UncertaintyEncoder {
  private static final byte[] NULL = {0};
  private static final int MAX_VARINT = 10;

  private @Nullable ActiveModel model;
  private @Nullable RowBounds bounds;
  private String environment = "";
  private byte[] environmentText = {};
  private byte[] bytes = NULL;
  private int length = 1;

  /**
   * Writes that of a record: null if the version does not say.
   *
   * @param spread as {@link RecordScorer#spread} has it
   * @param body the record's, {@code body[from, body.length)}
   */
  public void write(
      ActiveModel by, double[] rawScores, double spread, Schema schema, byte[] body, int from) {
    if (by != model) {
      model = by;
      bounds = by.bounds();
    }
    RowBounds promises = bounds;
    if (promises == null) {
      bytes = NULL;
      length = 1;
      return;
    }
    String of = by.environment(schema, body, from);
    promises.of(of, rawScores, spread);
    byte[] name = promises.knows(of) ? text(of) : null;
    require(name == null ? 0 : name.length, promises);
    int at = AvroBytes.writeLong(bytes, 0, 1);
    at = AvroBytes.writeLong(bytes, at, name == null ? 0 : 1);
    if (name != null) {
      at = AvroBytes.writeLong(bytes, at, name.length);
      System.arraycopy(name, 0, bytes, at, name.length);
      at += name.length;
    }
    at = AvroBytes.writeDouble(bytes, at, spread);
    int levels = promises.levels().size();
    at = AvroBytes.writeLong(bytes, at, levels);
    for (int level = 0; level < levels; level++) {
      at = AvroBytes.writeDouble(bytes, at, promises.levels().get(level));
      at = promises.ofClasses() ? writeSet(at, promises, level) : writeRange(at, promises, level);
    }
    length = AvroBytes.writeLong(bytes, at, 0);
  }

  private int writeRange(int from, RowBounds promises, int level) {
    int at = AvroBytes.writeLong(bytes, from, 1);
    at = AvroBytes.writeDouble(bytes, at, promises.lower(level));
    at = AvroBytes.writeLong(bytes, at, 1);
    at = AvroBytes.writeDouble(bytes, at, promises.upper(level));
    return AvroBytes.writeLong(bytes, at, 0);
  }

  private int writeSet(int from, RowBounds promises, int level) {
    int at = AvroBytes.writeLong(bytes, AvroBytes.writeLong(bytes, from, 0), 0);
    int size = promises.size(level);
    if (size > 0) {
      at = AvroBytes.writeLong(bytes, at, size);
      for (int k = 0; k < promises.classes(); k++) {
        if (promises.holds(level, k)) {
          at = AvroBytes.writeLong(bytes, at, k);
        }
      }
    }
    return AvroBytes.writeLong(bytes, at, 0);
  }

  private byte[] text(@Nullable String of) {
    if (of != null && !of.equals(environment)) {
      environment = of;
      environmentText = of.getBytes(UTF_8);
    }
    return environmentText;
  }

  private void require(int name, RowBounds promises) {
    int level = 3 * Double.BYTES + MAX_VARINT * (4 + promises.classes());
    int most = 5 * MAX_VARINT + name + Double.BYTES + promises.levels().size() * level;
    if (bytes.length < most) {
      bytes = new byte[most];
    }
  }

  /** How many bytes were written. */
  int length() {
    return length;
  }

  /** Puts what was written at a place of a longer array. */
  void copyTo(byte[] target, int at) {
    System.arraycopy(bytes, 0, target, at, length);
  }

  /** What was written, a copy; null if the version does not say. */
  public byte @Nullable [] written() {
    return bounds == null ? null : Arrays.copyOf(bytes, length);
  }
}
