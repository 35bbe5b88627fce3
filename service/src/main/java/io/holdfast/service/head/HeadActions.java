package io.holdfast.service.head;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.version.LedgerException;

/** Changes of heads on behalf of people. Thread-safe. */
public interface HeadActions {

  /** Whether this service takes them. */
  boolean enabled();

  /**
   * Changes a model's head; returns once the new one is committed.
   *
   * @param by who asks for it
   * @param why in their words
   * @throws LedgerException in one sentence, if the change is not to be made
   * @throws io.holdfast.schemas.topic.TopicException in one sentence, if it cannot be made now
   */
  ModelHead apply(String model, HeadChange change, String by, String why) throws LedgerException;

  /**
   * Lets the leaf values of another gamma of the ladder score; otherwise as above.
   *
   * @throws LedgerException in one sentence, if the change is not to be made
   */
  ModelHead climb(String model, double gamma, String by, String why) throws LedgerException;
}
