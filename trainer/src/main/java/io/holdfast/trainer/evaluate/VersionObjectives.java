package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.version.LedgerRung;
import java.util.List;
import java.util.TreeMap;

/**
 * The objective of each version, for what it had learned: what was served is evaluated by the
 * thresholds, or the precision, of the version that served it. Owned by the training thread; not
 * thread-safe.
 */
public final class VersionObjectives {
  /*
   * As many versions as the model topic's readers hold, so that a trainer that begins again knows
   * what one that never stopped knows.
   */
  private final TreeMap<Long, Objective> byVersion = new TreeMap<>();

  /** Takes the versions of the model topic; one that this program cannot make sense of is none. */
  public void add(List<ModelManifest> versions) {
    for (ModelManifest version : versions) {
      try {
        add(
            version.getVersion(),
            Objective.of(version.getObjective(), LedgerRung.servedParameters(version)));
      } catch (IllegalArgumentException e) {
        byVersion.remove(version.getVersion()); // it never served
      }
    }
  }

  public void add(long version, Objective objective) {
    byVersion.put(version, objective);
    while (byVersion.size() > Ledger.RETAIN_VERSIONS) {
      byVersion.pollFirstEntry();
    }
  }

  /** The version's objective, or {@code otherwise} if it is not known any more. */
  public Objective of(long version, Objective otherwise) {
    Objective objective = byVersion.get(version);
    return objective != null && objective.unfitted().equals(otherwise.unfitted())
        ? objective
        : otherwise;
  }
}
