package io.holdfast.auditor;

/** Bytes that are not what they should be; the message is a sentence. */
final class UnreadableException extends Exception {
  private static final long serialVersionUID = 1;

  UnreadableException(String message) {
    super(message);
  }
}
