package io.holdfast.service.join;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/**
 * Where something is in the join's store. Immutable.
 *
 * <pre>
 * 'r' | id | event time i64 | offset i64       a record, so that an id's are in order of time
 * 'u' | position i64 | offset i64              a label that is not decided, in order of turn
 * 'e' | id | offset i64                        a label that came before its record
 * 'p'                                          no place: how far the topic was read
 * id:  length i32 | bytes
 * </pre>
 *
 * <p>Offsets are those of the join's topic. Numbers are big-endian with the sign bit flipped: byte
 * order is their order.
 */
record Place(Bytes bytes) {
  /** Before all early labels. */
  static final Bytes EARLY = Bytes.wrap(new byte[] {'e'});

  /** After all early labels. */
  static final Bytes AFTER_EARLY = Bytes.wrap(new byte[] {'e' + 1});

  /** Where it is noted how far the join's topic was read. */
  static final Bytes REACHED = Bytes.wrap(new byte[] {'p'});

  /** Before all records. */
  static final Bytes RECORDS = Bytes.wrap(new byte[] {'r'});

  /** After all records. */
  static final Bytes AFTER_RECORDS = Bytes.wrap(new byte[] {'r' + 1});

  static Place record(byte[] id, long event, long offset) {
    return new Place(
        Bytes.wrap(
            withId('r', id, 2 * Long.BYTES)
                .putLong(ordered(event))
                .putLong(ordered(offset))
                .array()));
  }

  static Place undecided(long position, long offset) {
    return new Place(
        Bytes.wrap(
            ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put((byte) 'u')
                .putLong(ordered(position))
                .putLong(ordered(offset))
                .array()));
  }

  static Place early(byte[] id, long offset) {
    return new Place(Bytes.wrap(withId('e', id, Long.BYTES).putLong(ordered(offset)).array()));
  }

  boolean isRecord() {
    return bytes.get()[0] == 'r';
  }

  /** The id of a record or an early label. */
  byte[] id() {
    ByteBuffer in = ByteBuffer.wrap(bytes.get());
    return Arrays.copyOfRange(bytes.get(), 5, 5 + in.getInt(1));
  }

  /** The offset that ends every place. */
  long offset() {
    byte[] all = bytes.get();
    return ordered(ByteBuffer.wrap(all).getLong(all.length - Long.BYTES));
  }

  /** The position of an undecided label. */
  long position() {
    return ordered(ByteBuffer.wrap(bytes.get()).getLong(1));
  }

  static long ordered(long value) {
    return value ^ Long.MIN_VALUE;
  }

  private static ByteBuffer withId(char kind, byte[] id, int more) {
    return ByteBuffer.allocate(1 + Integer.BYTES + id.length + more)
        .put((byte) kind)
        .putInt(id.length)
        .put(id);
  }
}
