package io.holdfast.service.heads;

import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadMove;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.version.LedgerException;
import java.util.List;

/** Changes of heads on the model topic, each in a transaction of its own. Thread-safe. */
public final class TopicHeadActions implements HeadActions {
  private final Settings settings;

  public TopicHeadActions(Settings settings) {
    this.settings = settings;
  }

  @Override
  public HeadMove apply(String model, HeadChange change, String by, String why, boolean dryRun)
      throws LedgerException {
    if (change instanceof HeadChange.Shadowed) {
      List<String> problems = TopicCheck.shadowProblems(settings, settings.model(model));
      if (!problems.isEmpty()) {
        throw new LedgerException(LedgerException.Reason.REFUSED, String.join("; ", problems));
      }
    }
    return HeadWriter.apply(settings, model, change, by, why, dryRun);
  }

  @Override
  public HeadMove climb(String model, double gamma, String by, String why, boolean dryRun)
      throws LedgerException {
    return HeadWriter.climb(settings, model, gamma, by, why, dryRun);
  }
}
