package io.holdfast.trainer.drift;

import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Drift;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the reference that windows are compared with, as a function of the tip, the settings and
 * the rows.
 */
public final class ReferenceUpkeep {
  /*
   * Rows are added rarely, so that records are few, logarithmic in rows: when windows have had half as
   * many rows since as before, up to ENOUGH_ROWS, and an eighth for an environment without a part. Rows
   * no longer at hand by then are left out. The reference reaches back to the first row.
   *
   * An alarm stops that. Drift is then reported for half as many rows as were seen, at most
   * RENEWED_AFTER; if windows with a quarter of these raised alarms as well, the rows after the first
   * alarm become the reference. Else it was a false alarm, or is over.
   */
  private static final long ENOUGH_ROWS = 100_000;
  private static final long RENEWED_AFTER = 10_000;
  private static final int RENEWING_SHARE = 4;
  private static final int GROWTH = 2;
  private static final int GROWTH_FOR_AN_ENVIRONMENT = 8;

  private final DriftEvidence evidence;
  private final DriftFindings findings;
  private final ComparedRows compared;

  private ReferenceUpkeep(DriftEvidence evidence, DriftFindings findings, ComparedRows compared) {
    this.evidence = evidence;
    this.findings = findings;
    this.compared = compared;
  }

  /** What the version of this window is to keep to compare later windows with; null if nothing. */
  public static @Nullable KeptReference next(
      ModelSettings settings, DriftEvidence evidence, DriftFindings findings) {
    KeptReference kept = evidence.kept();
    if (settings.drift().action() == Drift.Action.NOTHING) {
      return null;
    }
    if (evidence.arrived().isEmpty()) {
      return kept;
    }
    ReferenceUpkeep upkeep =
        new ReferenceUpkeep(evidence, findings, ComparedRows.of(settings, evidence));
    return kept == null ? upkeep.begun(ComparedRows.enough(settings)) : upkeep.next(kept);
  }

  private @Nullable KeptReference begun(int fewest) {
    if (evidence.replayed().size() + evidence.arrived().size() < fewest) {
      return null;
    }
    ReferenceRows rows = rows(position -> true);
    return made(rows.added(null, rows.size()));
  }

  private static @Nullable KeptReference made(@Nullable TrainingReference sketches) {
    return sketches == null ? null : new KeptReference(sketches);
  }

  private @Nullable KeptReference next(KeptReference kept) {
    long since = kept.rowsSince() + evidence.arrived().size();
    if (compared.together()) {
      since += evidence.unlearned();
    }
    if (!compared.due()) {
      return new KeptReference(
          kept.sketches(), since, kept.alarm(), kept.rowsTested(), kept.rowsOfAlarms());
    }
    boolean alarm = findings.shifts().stream().anyMatch(DriftFindings.Shift::alarm);
    if (!kept.alarm().isEmpty()) {
      return afterAlarm(kept, since, alarm);
    }
    if (alarm) {
      return new KeptReference(kept.sketches(), since, end(kept), 0, 0);
    }
    TrainingReference before = kept.sketches();
    return grows(before, since)
        ? made(rows(ReferenceRows.after(before.through())).added(before, before.seen() + since))
        : new KeptReference(before, since, new TreeMap<>(), 0, 0);
  }

  private @Nullable KeptReference afterAlarm(KeptReference kept, long since, boolean alarm) {
    int rows = compared.fresh().size();
    long tested = kept.rowsTested() + (findings.tests() > 0 ? rows : 0);
    long alarms = kept.rowsOfAlarms() + (alarm ? rows : 0);
    if (tested < Math.clamp(kept.sketches().seen() / 2, 1, RENEWED_AFTER)) {
      return new KeptReference(kept.sketches(), since, kept.alarm(), tested, alarms);
    }
    if (alarms * RENEWING_SHARE < tested) {
      return new KeptReference(kept.sketches(), since, new TreeMap<>(), 0, 0);
    }
    ReferenceRows renewed = rows(ReferenceRows.after(kept.alarm()));
    return made(renewed.added(null, renewed.size()));
  }

  private boolean grows(TrainingReference sketches, long since) {
    long seen = sketches.seen();
    return (GROWTH * since >= seen && seen < ENOUGH_ROWS)
        || (GROWTH_FOR_AN_ENVIRONMENT * since >= seen && hasNew(sketches));
  }

  /** Whether there are rows of an environment that could get a part of its own. */
  private boolean hasNew(TrainingReference sketches) {
    return sketches.parts().size() < ReferenceRows.MOST_PARTS
        && compared.fresh().stream()
            .map(LabelledRow::environment)
            .distinct()
            .anyMatch(name -> !sketches.knows(name));
  }

  /** The wanted rows of memory, and all rows of the window that were tested. */
  private ReferenceRows rows(Predicate<Position> wanted) {
    ReferenceRows rows = new ReferenceRows();
    if (!evidence.replayed().isEmpty()) {
      rows.add(evidence.replayed(), evidence.replay(), wanted);
    }
    rows.add(evidence.arrived(), evidence.window(), compared.upToNow());
    return rows;
  }

  /** Where the log continues after the window. */
  private SortedMap<Integer, Long> end(KeptReference kept) {
    TreeMap<Integer, Long> places = new TreeMap<>(kept.sketches().through());
    evidence
        .arrived()
        .forEach(
            row ->
                places.merge(row.position().partition(), row.position().offset() + 1, Math::max));
    return places;
  }
}
