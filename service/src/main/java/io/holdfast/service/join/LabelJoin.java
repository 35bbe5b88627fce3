package io.holdfast.service.join;

import io.holdfast.service.correlate.JoinInput.Barrier;
import io.holdfast.service.join.HeldStore.Axis;
import io.holdfast.service.join.HeldStore.End;
import io.holdfast.service.join.HeldStore.Found;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.RecordOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which label belongs to which record. Owned by the stream thread of its task.
 *
 * <p>A label belongs to the newest record of its id at or before its own time, and at most the wait
 * before; if there is none, to the oldest after it, and at most the wait after. It is decided once
 * a barrier says that all records that were there when it came have been read; a label that then
 * has no record is decided again when one of its id comes. A record takes one label.
 *
 * <p>Records and early labels are given up when what they wait for has come further than the wait
 * after them, by events or by the clock. After that a record is remembered for one more wait, so
 * that a second label is told as a duplicate and one that missed its record as late; later still it
 * is an orphan.
 */
final class LabelJoin {
  /*
   * Invariant: a label leaves this class exactly once: as an example or with an outcome that is not
   * USED. Offsets are those of the join's topic, in which everything of an id is in one partition.
   * By events nothing is given up that came after the barrier's `upTo`: what belongs to it may be
   * waiting for the next barrier.
   */
  private final HeldStore store;
  private final long waitMillis;
  private final Outputs outputs;
  private final SideTime records = new SideTime();
  private final SideTime labels = new SideTime();
  private long decideUpTo = Long.MIN_VALUE;
  private @Nullable Barrier giveUpBy;
  private final long restored;
  private HeldStore.Reached reached;
  private HeldStore.Reached noted;
  private long undecided;
  private long early;
  private long waiting;

  /** What leaves the join; each {@code byte[]} but the id is the message that brought it. */
  interface Outputs {
    /** A scored record and its label have met. */
    void example(byte[] scored, byte[] label);

    /** A label that will not make an example. */
    void unused(byte[] id, byte[] label, LabelOutcome outcome, @Nullable Long recordEventMillis);

    /** A scored record that will not make an example. */
    void unlabelled(RecordOutcome outcome);
  }

  LabelJoin(HeldStore store, long waitMillis, Outputs outputs) {
    this.store = store;
    this.waitMillis = waitMillis;
    this.outputs = outputs;
    HeldStore.Counts counts = store.count();
    this.undecided = counts.undecided();
    this.early = counts.early();
    this.waiting = counts.waiting();
    this.restored = counts.lastPosition();
    this.reached = counts.reached();
    this.noted = reached;
  }

  /**
   * Whether a message was read before, and must not be again: the group's offsets were lost, or set
   * back. One of a topic that was made anew has an offset that was there before, and a later time.
   */
  boolean hasRead(long offset, long timestamp) {
    return offset <= reached.offset() && timestamp <= reached.newest();
  }

  /** A message was read. */
  void read(long offset, long timestamp) {
    reached = reached.then(offset, timestamp);
  }

  /** Notes how far it has read: before anything that it holds is let go of, and now and then. */
  void note() {
    if (!reached.equals(noted)) {
      store.note(reached);
      noted = reached;
    }
  }

  /** A position that no undecided label was past when the store was opened. */
  long restored() {
    return restored;
  }

  /** Labels that wait for a barrier. */
  long undecided() {
    return undecided;
  }

  /** Labels that wait for their record. */
  long early() {
    return early;
  }

  /** Scored records that wait for their label. */
  long waiting() {
    return waiting;
  }

  /** A record: one that waits for its label, or one that was never scored. */
  void record(byte[] id, long offset, Held held) {
    records.add(held.eventMillis());
    Place place = Place.record(id, held.eventMillis(), offset);
    store.put(place, held);
    store.end(end(place, held, 1));
    if (held instanceof Held.Waiting) {
      waiting++;
    }
    if (early == 0) {
      return;
    }
    for (Found label : store.early(id)) {
      store.remove(label.place());
      store.forget(end(label.place(), label.held(), 1));
      store.put(Place.undecided(offset, label.place().offset()), label.held());
      early--;
      undecided++;
    }
  }

  /** A label. */
  void label(long offset, Held.Label label) {
    labels.add(label.eventMillis());
    store.put(Place.undecided(offset, offset), label);
    undecided++;
  }

  /** From now on what is before {@code barrier} can be decided; {@link #work} does so. */
  void pass(Barrier barrier) {
    decideUpTo = Math.max(decideUpTo, barrier.upTo());
    if (barrier.labelsToo()) {
      giveUpBy = barrier;
    }
  }

  /** Decides and gives up, but no more than {@code limit}; whether there may be more to do. */
  boolean work(int limit) {
    int left = limit;
    if (undecided > 0) {
      List<Found> next = store.undecided(decideUpTo, limit);
      for (Found label : next) {
        decide(label.place(), (Held.Label) label.held());
      }
      left -= next.size();
    }
    Barrier passed = giveUpBy;
    if (left > 0 && passed != null) {
      left -= giveUp(Axis.CLOCK, passed.begunAt(), passed, left);
      left -= giveUp(Axis.LABELS, labels.reached(), passed, left);
      left -= giveUp(Axis.RECORDS, records.reached(), passed, left);
      if (left > 0) {
        giveUpBy = null;
      }
    }
    return left <= 0;
  }

  private void decide(Place place, Held.Label label) {
    byte[] id = label.id();
    long time = label.eventMillis();
    Found before = store.newest(id, time);
    boolean inTime = before != null && time - before.held().eventMillis() <= waitMillis;
    Found found = inTime ? before : store.oldest(id, time, time + waitMillis);
    if (found == null && before == null) {
      Place later = Place.early(id, place.offset());
      store.put(later, label);
      store.end(end(later, label, 1));
      early++;
    } else {
      meet(label, found, before);
    }
    store.remove(place);
    undecided--;
  }

  private void meet(Held.Label label, @Nullable Found found, @Nullable Found before) {
    if (found == null) {
      Long event = before == null ? null : before.held().eventMillis();
      outputs.unused(label.id(), label.input(), LabelOutcome.LATE, event);
      return;
    }
    long event = found.held().eventMillis();
    switch (found.held()) {
      case Held.Waiting record -> {
        store.put(found.place(), new Held.Closed(Held.State.LABELLED, event, record.arrivedAt()));
        waiting--;
        outputs.example(record.input(), label.input());
      }
      case Held.Closed(Held.State state, _, _) ->
          outputs.unused(
              label.id(),
              label.input(),
              switch (state) {
                case LABELLED -> LabelOutcome.DUPLICATE;
                case MISSED -> LabelOutcome.LATE;
                case UNSCORED -> LabelOutcome.UNSCORED;
              },
              event);
      case Held.Label _ -> throw new IllegalStateException("a label is held as a record");
    }
  }

  /** How many ended, counted up to {@code limit}. */
  private int giveUp(Axis axis, long time, Barrier passed, int limit) {
    if (limit <= 0) {
      return 0;
    }
    List<End> ended = store.ended(axis, time, limit);
    for (End end : ended) {
      if (axis == Axis.CLOCK || end.place().offset() <= passed.upTo()) {
        store.forget(end);
        giveUp(end);
      }
    }
    return ended.size();
  }

  private void giveUp(End end) {
    Place place = end.place();
    Held held = store.get(place);
    switch (held) {
      case null -> {}
      case Held.Label label -> {
        store.remove(place);
        early--;
        outputs.unused(label.id(), label.input(), LabelOutcome.ORPHAN, null);
      }
      case Held _ when end.waits() > 1 -> store.remove(place);
      case Held.Waiting record -> {
        byte[] id = place.id();
        long event = record.eventMillis();
        boolean superseded = store.oldest(id, event, event + waitMillis) != null;
        outputs.unlabelled(superseded ? RecordOutcome.SUPERSEDED : RecordOutcome.UNLABELLED);
        Held missed = new Held.Closed(Held.State.MISSED, event, record.arrivedAt());
        store.put(place, missed);
        waiting--;
        store.end(end(place, missed, 2));
      }
      case Held.Closed closed -> store.end(end(place, closed, 2));
    }
  }

  private End end(Place place, Held held, int waits) {
    long wait = waits * waitMillis;
    long event = held.eventMillis();
    return new End(place, waits, event + wait, Math.max(event, held.arrivedAt()) + wait);
  }
}
