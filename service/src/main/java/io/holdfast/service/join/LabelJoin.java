package io.holdfast.service.join;

import io.holdfast.service.label.LabelOutcome;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Decides which label belongs to which record. Owned by the stream thread of its task.
 *
 * <p>Time is stream time: the newest timestamp the task has seen. A record takes the first label of
 * its key that comes before {@code record time + wait}; a label that comes first waits as long for
 * its record. After that a key is remembered for one more wait, so that a second label is told as a
 * duplicate and one that missed its record as late; later still it is an orphan.
 *
 * <p>The same key again before its label: the newer record takes the older one's place. The score
 * finds its record by the offset that it names, so it may come before, between or after the two.
 */
final class LabelJoin {
  /*
   * Invariant: a key has at most one Held, an offset at most one. A label leaves this class exactly
   * once: as an example or with an outcome that is not USED. What a call decides depends on the
   * messages before it and their timestamps alone, not on when `expire` ran: what has ended counts as
   * ended whether it was swept out or not.
   */
  private final HeldStore store;
  private final long waitMillis;
  private final Outputs outputs;

  // Unknown after a restart, until a record is read; a score is then held though none waits for it.
  private long newestRecord = -1;

  /** What leaves the join. */
  interface Outputs {
    /** Record, score and label have met. */
    void example(byte[] key, Message record, byte[] score, Message label);

    /** A label that will not make an example. */
    void unused(byte @Nullable [] key, Message label, LabelOutcome outcome);

    /** A record that will not make an example; it was scored, or is a dead letter, all the same. */
    void unlabelled(RecordOutcome outcome);
  }

  LabelJoin(HeldStore store, long waitMillis, Outputs outputs) {
    this.store = store;
    this.waitMillis = waitMillis;
    this.outputs = outputs;
  }

  /** A record of the records topic. */
  void record(byte @Nullable [] key, Message record, long now) {
    newestRecord = Math.max(newestRecord, record.offset());
    Bytes byOffset = HeldStore.byOffset(record.offset());
    byte[] score = null;
    if (live(byOffset, null, now) instanceof Held.EarlyScore early) {
      score = early.score();
      store.replace(byOffset, early, null);
    }
    if (key == null) {
      outputs.unlabelled(RecordOutcome.NO_KEY);
      return;
    }
    Bytes byKey = HeldStore.byKey(key);
    Held held = live(byKey, key, now);
    if (held instanceof Held.EarlyLabel(_, Message label)
        && label.timestampMillis() <= record.timestampMillis() + waitMillis) {
      match(new Meeting(key, record, score, label), held, now);
      return;
    }
    if (held instanceof Held.EarlyLabel(_, Message label)) {
      outputs.unused(key, label, LabelOutcome.LATE);
    } else if (held instanceof Held.Waiting) {
      outputs.unlabelled(RecordOutcome.SUPERSEDED);
    }
    long until = record.timestampMillis() + waitMillis;
    store.replace(byKey, held, new Held.Waiting(until, record, score));
  }

  /** The score of the record at {@code offset}. */
  void score(byte @Nullable [] key, long offset, Message score, long now) {
    Bytes byOffset = HeldStore.byOffset(offset);
    if (live(byOffset, null, now) instanceof Held.Unscored met) {
      store.replace(byOffset, met, null);
      outputs.example(met.key(), met.record(), score.value(), met.label());
      return;
    }
    if (key != null) {
      Bytes byKey = HeldStore.byKey(key);
      if (live(byKey, key, now) instanceof Held.Waiting waiting
          && waiting.record().offset() == offset) {
        store.replace(
            byKey, waiting, new Held.Waiting(waiting.expiresAt(), waiting.record(), score.value()));
        return;
      }
    }
    if (offset > newestRecord) {
      long until = score.timestampMillis() + waitMillis;
      store.replace(byOffset, store.get(byOffset), new Held.EarlyScore(until, score.value()));
    }
  }

  /** A label that can be read. */
  void label(byte[] key, Message label, long now) {
    Bytes byKey = HeldStore.byKey(key);
    Held held = live(byKey, key, now);
    switch (held) {
      case null -> {
        long until = label.timestampMillis() + waitMillis;
        store.replace(byKey, null, new Held.EarlyLabel(until, label));
      }
      case Held.Waiting(_, Message record, byte[] score) ->
          match(new Meeting(key, record, score, label), held, now);
      case Held.EarlyLabel _, Held.Labelled _ -> outputs.unused(key, label, LabelOutcome.DUPLICATE);
      case Held.Missed _ -> outputs.unused(key, label, LabelOutcome.LATE);
      case Held.Unscored _, Held.EarlyScore _ ->
          throw new IllegalStateException("held by offset, not by key: " + held);
    }
  }

  /** Lets go of everything that ended before {@code now}. */
  void expire(long now) {
    for (List<Bytes> ended = store.ended(now); !ended.isEmpty(); ended = store.ended(now)) {
      for (Bytes place : ended) {
        Held held = store.get(place);
        if (held == null) {
          throw new IllegalStateException("the index names a place that holds nothing");
        }
        end(place, held, HeldStore.keyOf(place), now);
      }
    }
  }

  /** A record and its label, and the score if that has come. */
  @SuppressWarnings("ArrayRecordComponent") // an argument; never compared
  private record Meeting(byte[] key, Message record, byte @Nullable [] score, Message label) {}

  private void match(Meeting met, Held held, long now) {
    store.replace(HeldStore.byKey(met.key()), held, new Held.Labelled(now + waitMillis));
    byte[] score = met.score();
    if (score != null) {
      outputs.example(met.key(), met.record(), score, met.label());
    } else {
      store.replace(
          HeldStore.byOffset(met.record().offset()),
          null,
          new Held.Unscored(now + waitMillis, met.key(), met.record(), met.label()));
    }
  }

  /** What is held there and has not ended. */
  private @Nullable Held live(Bytes place, byte @Nullable [] key, long now) {
    Held held = store.get(place);
    if (held != null && held.expiresAt() < now) {
      return end(place, held, key, now);
    }
    return held;
  }

  /** Ends what is held there; what is held there instead. */
  private @Nullable Held end(Bytes place, Held held, byte @Nullable [] key, long now) {
    Held next = null;
    switch (held) {
      case Held.Waiting waiting -> {
        outputs.unlabelled(RecordOutcome.UNLABELLED);
        if (waiting.expiresAt() + waitMillis >= now) {
          next = new Held.Missed(waiting.expiresAt() + waitMillis);
        }
      }
      case Held.EarlyLabel(_, Message label) -> outputs.unused(key, label, LabelOutcome.ORPHAN);
      case Held.Unscored met -> outputs.unused(met.key(), met.label(), LabelOutcome.UNSCORED);
      case Held.Labelled _, Held.Missed _, Held.EarlyScore _ -> {}
    }
    store.replace(place, held, next);
    return next;
  }
}
