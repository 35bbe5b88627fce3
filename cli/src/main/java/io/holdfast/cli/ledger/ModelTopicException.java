package io.holdfast.cli.ledger;

/** What the model topic does not hold, or cannot be made of it, said in one sentence. */
public final class ModelTopicException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ModelTopicException(String message) {
    super(message);
  }
}
