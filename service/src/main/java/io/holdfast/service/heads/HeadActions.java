package io.holdfast.service.heads;

import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadMove;
import io.holdfast.schemas.version.LedgerException;

/** Changes of heads on behalf of people. Thread-safe. */
public interface HeadActions {

  /**
   * Changes a model's head; returns once the new one is committed.
   *
   * @param dryRun whether to tell what would become of it, and change nothing
   * @throws LedgerException in one sentence, if the change is not to be made
   * @throws io.holdfast.schemas.topic.TopicException in one sentence, if it cannot be made now
   */
  HeadMove apply(String model, HeadChange change, String by, String why, boolean dryRun)
      throws LedgerException;

  /** Lets the leaf values of another gamma of the ladder score; otherwise as above. */
  HeadMove climb(String model, double gamma, String by, String why, boolean dryRun)
      throws LedgerException;
}
