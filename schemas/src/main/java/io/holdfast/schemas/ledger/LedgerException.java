package io.holdfast.schemas.ledger;

/** A version that cannot be verified, said in one sentence. */
public final class LedgerException extends Exception {
  private static final long serialVersionUID = 1;

  public LedgerException(String message) {
    super(message);
  }
}
