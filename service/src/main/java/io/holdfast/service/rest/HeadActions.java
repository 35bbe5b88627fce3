package io.holdfast.service.rest;

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
   * @throws LedgerException in one sentence, if the change is not to be made
   * @throws io.holdfast.schemas.topic.TopicException in one sentence, if it cannot be made now
   */
  ModelHead apply(String model, HeadChange change, String by, String why) throws LedgerException;

  /** Lets the leaf values of another gamma of the ladder score; otherwise as above. */
  ModelHead climb(String model, double gamma, String by, String why) throws LedgerException;
}
