package io.holdfast.service.join;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What the join holds, found by key, by record offset, and by the time it ends. Owned by the stream
 * thread of its task.
 *
 * <pre>
 * 'k' | the record key                          -> Held
 * 'o' | offset in the records topic, i64         -> Held
 * 't' | expiresAt i64 | one of the keys above    -> nothing
 * </pre>
 *
 * <p>Every Held has exactly one entry under 't', so that what has ended is found without looking at
 * what has not. Big-endian with the sign bit flipped: byte order is time order.
 */
final class HeldStore {
  private static final int BATCH = 1_000;
  private static final byte[] NOTHING = new byte[0];

  private final KeyValueStore<Bytes, byte[]> store;

  // Nothing in the index is older: RocksDB would walk over all that was deleted before it.
  private long noneBefore = Long.MIN_VALUE;

  HeldStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  static Bytes byKey(byte[] key) {
    return Bytes.wrap(ByteBuffer.allocate(1 + key.length).put((byte) 'k').put(key).array());
  }

  static Bytes byOffset(long offset) {
    return Bytes.wrap(
        ByteBuffer.allocate(1 + Long.BYTES).put((byte) 'o').putLong(ordered(offset)).array());
  }

  /** The record key that a place is of; null for a place by offset. */
  static byte @Nullable [] keyOf(Bytes place) {
    byte[] bytes = place.get();
    return bytes[0] == 'k' ? Arrays.copyOfRange(bytes, 1, bytes.length) : null;
  }

  @Nullable Held get(Bytes place) {
    byte[] value = store.get(place);
    return value == null ? null : HeldCodec.decode(value);
  }

  /** Puts {@code next} where {@code present} is; null is nothing. */
  void replace(Bytes place, @Nullable Held present, @Nullable Held next) {
    if (present != null && (next == null || next.expiresAt() != present.expiresAt())) {
      store.delete(byTime(present.expiresAt(), place.get()));
    }
    if (next == null) {
      store.delete(place);
      return;
    }
    store.put(place, HeldCodec.encode(next));
    if (present == null || next.expiresAt() != present.expiresAt()) {
      store.put(byTime(next.expiresAt(), place.get()), NOTHING);
      noneBefore = Math.min(noneBefore, next.expiresAt());
    }
  }

  /**
   * The places of the oldest that ended before {@code now}; there may be more if it is not empty.
   */
  List<Bytes> ended(long now) {
    List<Bytes> places = new ArrayList<>();
    if (now <= noneBefore) {
      return places;
    }
    Bytes from = byTime(noneBefore, NOTHING);
    Bytes to = byTime(now, NOTHING);
    try (KeyValueIterator<Bytes, byte[]> index = store.range(from, to)) {
      while (index.hasNext() && places.size() < BATCH) {
        KeyValue<Bytes, byte[]> entry = index.next();
        byte[] key = entry.key.get();
        places.add(Bytes.wrap(Arrays.copyOfRange(key, 1 + Long.BYTES, key.length)));
      }
    }
    if (places.isEmpty()) {
      noneBefore = now;
    }
    return places;
  }

  private static Bytes byTime(long time, byte[] place) {
    return Bytes.wrap(
        ByteBuffer.allocate(1 + Long.BYTES + place.length)
            .put((byte) 't')
            .putLong(ordered(time))
            .put(place)
            .array());
  }

  private static long ordered(long value) {
    return value ^ Long.MIN_VALUE;
  }
}
