package io.holdfast.service;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadMove;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.service.heads.HeadActions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes head actions down, and answers as a test says. */
public final class StandInActions implements HeadActions {
  public volatile @Nullable ModelHead answer;
  public volatile @Nullable LedgerException refusal;
  public volatile @Nullable RuntimeException failure;
  public final List<Asked> asked = new ArrayList<>();

  /** An action that was asked for. */
  public record Asked(String model, HeadChange change, String by, String why, boolean dryRun) {}

  public final List<Climb> climbed = new ArrayList<>();

  /** A rung that was asked for. */
  public record Climb(String model, double gamma, String by, String why) {}

  @Override
  public HeadMove apply(String model, HeadChange change, String by, String why, boolean dryRun)
      throws LedgerException {
    asked.add(new Asked(model, change, by, why, dryRun));
    return answer();
  }

  @Override
  public HeadMove climb(String model, double gamma, String by, String why, boolean dryRun)
      throws LedgerException {
    climbed.add(new Climb(model, gamma, by, why));
    return answer();
  }

  private HeadMove answer() throws LedgerException {
    RuntimeException broken = failure;
    if (broken != null) {
      throw broken;
    }
    LedgerException no = refusal;
    if (no != null) {
      throw no;
    }
    ModelHead head = answer;
    if (head == null) {
      throw new IllegalStateException("the test says no answer");
    }
    return new HeadMove(head, head);
  }
}
