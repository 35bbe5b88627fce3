package io.holdfast.service.join;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What the join holds, found by its {@link Place}, and by when it ends. Owned by the stream thread
 * of its task.
 *
 * <pre>
 * place                            -> Held
 * axis u8 | ends i64 | place       -> waits u8 | ends on the clock i64
 * 'p'                              -> offset i64 | newest timestamp i64
 * </pre>
 *
 * <p>What ends has one entry on the axis of events, another on that of the clock, and goes with
 * whichever comes first.
 */
final class HeldStore {
  /** How time is told. */
  enum Axis {
    /** For records: by the times of labels. */
    LABELS('t'),
    /** For early labels: by the times of records. */
    RECORDS('s'),
    /** For both. */
    CLOCK('w');

    private final byte letter;

    Axis(char letter) {
      this.letter = (byte) letter;
    }
  }

  record Found(Place place, Held held) {}

  /**
   * How far the join's topic was read.
   *
   * @param offset of the last message
   * @param newest timestamp of all messages until then
   */
  record Reached(long offset, long newest) {
    /** Nothing was read. */
    static final Reached NOTHING = new Reached(-1, Long.MIN_VALUE);

    /** Having read another. */
    Reached then(long next, long timestamp) {
      return new Reached(next, Math.max(newest, timestamp));
    }
  }

  /** That something ends, which was to be held for so many waits. */
  record End(Place place, int waits, long onEvents, long onClock) {}

  private final KeyValueStore<Bytes, byte[]> store;

  // Nothing of the kind is older: RocksDB would walk over all that was deleted before it.
  private final Map<Axis, Long> noneBefore = new EnumMap<>(Axis.class);
  private long noneUndecidedBefore = Long.MIN_VALUE;

  HeldStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  @Nullable Held get(Place place) {
    byte[] value = store.get(place.bytes());
    return value == null ? null : HeldCodec.decode(value);
  }

  void put(Place place, Held held) {
    store.put(place.bytes(), HeldCodec.encode(held));
  }

  void remove(Place place) {
    store.delete(place.bytes());
  }

  /** The newest record of an id at or before a time. */
  @Nullable Found newest(byte[] id, long time) {
    Bytes from = Place.record(id, Long.MIN_VALUE, Long.MIN_VALUE).bytes();
    Bytes to = Place.record(id, time, Long.MAX_VALUE).bytes();
    try (KeyValueIterator<Bytes, byte[]> records = store.reverseRange(from, to)) {
      return records.hasNext() ? found(records.next()) : null;
    }
  }

  /** The oldest record of an id after a time, and at or before another. */
  @Nullable Found oldest(byte[] id, long after, long atMost) {
    if (after >= atMost) {
      return null;
    }
    Bytes from = Place.record(id, after + 1, Long.MIN_VALUE).bytes();
    Bytes to = Place.record(id, atMost, Long.MAX_VALUE).bytes();
    List<Found> oldest = all(from, to, 1);
    return oldest.isEmpty() ? null : oldest.getFirst();
  }

  /** The labels of an id that came before their record, the first first. */
  List<Found> early(byte[] id) {
    Bytes from = Place.early(id, Long.MIN_VALUE).bytes();
    Bytes to = Place.early(id, Long.MAX_VALUE).bytes();
    return all(from, to, Integer.MAX_VALUE);
  }

  /** Labels that are not decided whose position is at most {@code upTo}, in their turn. */
  List<Found> undecided(long upTo, int limit) {
    Bytes from = Place.undecided(noneUndecidedBefore, Long.MIN_VALUE).bytes();
    Bytes to = Place.undecided(upTo, Long.MAX_VALUE).bytes();
    List<Found> found = all(from, to, limit);
    if (!found.isEmpty()) {
      noneUndecidedBefore = Math.max(noneUndecidedBefore, found.getFirst().place().position());
    }
    return found;
  }

  /** Notes how far the join's topic was read. */
  void note(Reached reached) {
    byte[] value =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(reached.offset())
            .putLong(reached.newest())
            .array();
    store.put(Place.REACHED, value);
  }

  private Reached noted() {
    byte[] value = store.get(Place.REACHED);
    if (value == null) {
      return Reached.NOTHING;
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    return new Reached(in.getLong(), in.getLong());
  }

  /**
   * The labels that are there, and the records that wait for one; and how far the join's topic was
   * read: what was read since that was noted is there.
   */
  record Counts(long undecided, long early, long waiting, long lastPosition, Reached reached) {}

  /** Counts what is there; to be called once. */
  Counts count() {
    Tally undecided = new Tally(noted());
    long last = -1;
    Bytes from = Place.undecided(Long.MIN_VALUE, Long.MIN_VALUE).bytes();
    Bytes to = Place.undecided(Long.MAX_VALUE, Long.MAX_VALUE).bytes();
    try (KeyValueIterator<Bytes, byte[]> labels = store.range(from, to)) {
      while (labels.hasNext()) {
        KeyValue<Bytes, byte[]> label = labels.next();
        last = new Place(label.key).position();
        undecided.add(label);
      }
    }
    Tally early = new Tally(undecided.reached);
    all(Place.EARLY, Place.AFTER_EARLY, early);
    Tally records = new Tally(early.reached);
    all(Place.RECORDS, Place.AFTER_RECORDS, records);
    return new Counts(undecided.count, early.count, records.waiting, last, records.reached);
  }

  private void all(Bytes from, Bytes to, Tally tally) {
    try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, to)) {
      entries.forEachRemaining(tally::add);
    }
  }

  /** Counts entries, and sees what was read behind what was noted. */
  private static final class Tally {
    private static final long CLOCKS_APART_MILLIS = 10_000;

    private Reached reached;
    private long count;
    private long waiting;

    Tally(Reached reached) {
      this.reached = reached;
    }

    void add(KeyValue<Bytes, byte[]> entry) {
      count++;
      waiting += HeldCodec.waits(entry.value) ? 1 : 0;
      long offset = new Place(entry.key).offset();
      if (offset > reached.offset()) {
        long arrived = HeldCodec.arrivedAt(entry.value);
        reached = reached.then(offset, arrived + CLOCKS_APART_MILLIS);
      }
    }
  }

  /** Notes when something is to end. */
  void end(End end) {
    byte[] value =
        ByteBuffer.allocate(1 + 2 * Long.BYTES)
            .put((byte) end.waits())
            .putLong(end.onEvents())
            .putLong(end.onClock())
            .array();
    note(axisOf(end.place()), end.onEvents(), end.place(), value);
    note(Axis.CLOCK, end.onClock(), end.place(), value);
  }

  /** What ends before {@code time} on an axis, the oldest first. */
  List<End> ended(Axis axis, long time, int limit) {
    List<End> ended = new ArrayList<>();
    long from = noneBefore.getOrDefault(axis, Long.MIN_VALUE);
    if (time <= from) {
      return ended;
    }
    byte[] none = new byte[0];
    try (KeyValueIterator<Bytes, byte[]> ends =
        store.range(onAxis(axis, from, none), onAxis(axis, time, none))) {
      while (ends.hasNext() && ended.size() < limit) {
        KeyValue<Bytes, byte[]> entry = ends.next();
        byte[] key = entry.key.get();
        ByteBuffer value = ByteBuffer.wrap(entry.value);
        ended.add(
            new End(
                new Place(Bytes.wrap(Arrays.copyOfRange(key, 1 + Long.BYTES, key.length))),
                value.get(),
                value.getLong(),
                value.getLong()));
      }
    }
    if (ended.isEmpty()) {
      noneBefore.put(axis, time);
    }
    return ended;
  }

  /** Forgets that it is to end. */
  void forget(End end) {
    byte[] place = end.place().bytes().get();
    store.delete(onAxis(axisOf(end.place()), end.onEvents(), place));
    store.delete(onAxis(Axis.CLOCK, end.onClock(), place));
  }

  private static Axis axisOf(Place place) {
    return place.isRecord() ? Axis.LABELS : Axis.RECORDS;
  }

  private void note(Axis axis, long time, Place place, byte[] value) {
    store.put(onAxis(axis, time, place.bytes().get()), value);
    noneBefore.computeIfPresent(axis, (_, from) -> Math.min(from, time));
  }

  private static Found found(KeyValue<Bytes, byte[]> entry) {
    return new Found(new Place(entry.key), HeldCodec.decode(entry.value));
  }

  private List<Found> all(Bytes from, Bytes to, int limit) {
    List<Found> found = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, to)) {
      while (entries.hasNext() && found.size() < limit) {
        found.add(found(entries.next()));
      }
    }
    return found;
  }

  private static Bytes onAxis(Axis axis, long time, byte[] place) {
    return Bytes.wrap(
        ByteBuffer.allocate(1 + Long.BYTES + place.length)
            .put(axis.letter)
            .putLong(Place.ordered(time))
            .put(place)
            .array());
  }
}
