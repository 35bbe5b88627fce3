package io.holdfast.service;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.service.rest.HeadActions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes head actions down, and answers as a test says. */
public final class StandInActions implements HeadActions {
  public volatile boolean enabled = true;
  public volatile @Nullable ModelHead answer;
  public volatile @Nullable LedgerException refusal;
  public final List<Asked> asked = new ArrayList<>();

  /** An action that was asked for. */
  public record Asked(String model, HeadChange change, String by, String why) {}

  public final List<Climb> climbed = new ArrayList<>();

  /** A rung that was asked for. */
  public record Climb(String model, double gamma, String by, String why) {}

  @Override
  public boolean enabled() {
    return enabled;
  }

  @Override
  public ModelHead apply(String model, HeadChange change, String by, String why)
      throws LedgerException {
    asked.add(new Asked(model, change, by, why));
    return answer();
  }

  @Override
  public ModelHead climb(String model, double gamma, String by, String why) throws LedgerException {
    climbed.add(new Climb(model, gamma, by, why));
    return answer();
  }

  private ModelHead answer() throws LedgerException {
    LedgerException no = refusal;
    if (no != null) {
      throw no;
    }
    ModelHead head = answer;
    if (head == null) {
      throw new IllegalStateException("the test says no answer");
    }
    return head;
  }
}
