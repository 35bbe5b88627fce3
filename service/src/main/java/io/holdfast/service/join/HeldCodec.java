package io.holdfast.service.join;

import java.nio.ByteBuffer;

/**
 * {@link Held} to and from the store's bytes, format 2. Big-endian. Stateless.
 *
 * <pre>
 * format u8 = 2 | kind u8 | event time i64 | arrived at i64 | by kind:
 *   1 waiting   the rest is the message that brought it
 *   2 closed    state u8
 *   3 label     id length i32 | id | the rest is the message that brought it
 * </pre>
 *
 * <p>Format 1 was that of the joins before, whose stores have other names. Never edited once a
 * changelog may hold it: a change is a format 3, and this reader stays.
 */
final class HeldCodec {
  private static final int FORMAT = 2;
  private static final int WAITING = 1;
  private static final int CLOSED = 2;
  private static final int LABEL = 3;

  private HeldCodec() {}

  static byte[] encode(Held held) {
    return switch (held) {
      case Held.Waiting(_, _, byte[] input) ->
          begin(WAITING, held, input.length).put(input).array();
      case Held.Closed(Held.State state, _, _) -> begin(CLOSED, held, 1).put(state.code()).array();
      case Held.Label(_, _, byte[] id, byte[] input) ->
          begin(LABEL, held, Integer.BYTES + id.length + input.length)
              .putInt(id.length)
              .put(id)
              .put(input)
              .array();
    };
  }

  static Held decode(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    int format = in.get();
    if (format != FORMAT) {
      throw new IllegalStateException(
          "the join's store holds format " + format + "; this version reads format " + FORMAT);
    }
    int kind = in.get();
    long event = in.getLong();
    long arrived = in.getLong();
    return switch (kind) {
      case WAITING -> new Held.Waiting(event, arrived, bytes(in, in.remaining()));
      case CLOSED -> new Held.Closed(Held.State.of(in.get()), event, arrived);
      case LABEL -> {
        byte[] id = bytes(in, in.getInt());
        yield new Held.Label(event, arrived, id, bytes(in, in.remaining()));
      }
      default -> throw new IllegalStateException("the join's store holds a kind " + kind);
    };
  }

  /** Whether that is a record that waits for its label. */
  static boolean waits(byte[] value) {
    return value[0] == FORMAT && value[1] == WAITING;
  }

  /** When the join read it. */
  static long arrivedAt(byte[] value) {
    return ByteBuffer.wrap(value).getLong(2 + Long.BYTES);
  }

  private static ByteBuffer begin(int kind, Held held, int size) {
    return ByteBuffer.allocate(2 + 2 * Long.BYTES + size)
        .put((byte) FORMAT)
        .put((byte) kind)
        .putLong(held.eventMillis())
        .putLong(held.arrivedAt());
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
