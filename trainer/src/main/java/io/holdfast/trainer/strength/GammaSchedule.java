package io.holdfast.trainer.strength;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.select.LadderSearch;
import io.holdfast.schemas.ledger.LedgerVersion;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.List;

/** Which gamma the next trees are grown with. Stateless and pure. */
public final class GammaSchedule {
  /** Gamma is chosen anew every so many versions: a choice costs some windows' training. */
  private static final int EVERY = 10;

  private GammaSchedule() {}

  /**
   * The settings to train with: where gamma is {@code auto}, with the tip's, or with one chosen
   * from the rows by leaving environments out.
   *
   * @param version the number of the version to be
   * @throws IllegalArgumentException in one sentence, if the rows cannot be trained on
   */
  public static ModelSettings settings(
      ModelSettings settings, LedgerVersion tip, List<Feature> features, Rows rows, long version) {
    if (!settings.strength().auto()) {
      return settings;
    }
    BoosterSettings present =
        settings.booster().toBuilder().gamma(tip.manifest().getGamma()).build();
    boolean due = version % EVERY == 1 || tip.grown().trees() == 0;
    return settings.with(
        due ? LadderSearch.DEFAULT.choose(present, features, rows).appliedTo(present) : present);
  }
}
