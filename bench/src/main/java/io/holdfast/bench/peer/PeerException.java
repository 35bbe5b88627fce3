package io.holdfast.bench.peer;

/** A peer refuses, or fails; the message is its own. */
public final class PeerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  PeerException(String message) {
    super(message);
  }
}
