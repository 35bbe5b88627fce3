package io.holdfast.service.join;

import java.util.Arrays;

/** What the join holds in its store. Immutable; arrays are not copied. */
@SuppressWarnings("ArrayRecordComponent") // never compared
sealed interface Held {

  /** The time that it counts for. */
  long eventMillis();

  /** When the join read it, by the clock. */
  long arrivedAt();

  /** A record that has no label yet; {@code input} is the message that brought it. */
  record Waiting(long eventMillis, long arrivedAt, byte[] input) implements Held {}

  /** A record that takes no label, or no other. */
  record Closed(State state, long eventMillis, long arrivedAt) implements Held {}

  /** A label; {@code input} is the message that brought it. */
  record Label(long eventMillis, long arrivedAt, byte[] id, byte[] input) implements Held {}

  /** Why a record takes no label. */
  enum State {
    /** It has one: another is a duplicate. */
    LABELLED(0),
    /** It waited as long as it may: a label is late. */
    MISSED(1),
    /** It was never scored. */
    UNSCORED(2);

    private final byte code;

    State(int code) {
      this.code = (byte) code;
    }

    /** How it is stored; never changed. */
    byte code() {
      return code;
    }

    static State of(byte code) {
      return Arrays.stream(values())
          .filter(state -> state.code == code)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("the join's store holds a state " + code));
    }
  }
}
