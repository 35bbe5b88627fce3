package io.holdfast.trainer.drift;

import io.holdfast.schemas.reference.EnvironmentReference;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Drift;
import io.holdfast.trainer.window.Position;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the reference that windows are compared with: a function of what the tip keeps, of the
 * settings and of the rows. Stateless.
 */
final class ReferenceUpkeep {
  /*
   * Rows are added rarely, so that records are few: when windows have had half as many rows since as
   * before, up to ENOUGH_ROWS, and an eighth for an environment that has no part yet. What is then no
   * longer at hand is not among them. Records are logarithmic in rows, and the reference reaches back
   * to the first row.
   *
   * An alarm stops that. Over so many rows after the window that raised it as are half of those seen,
   * at most RENEWED_AFTER, drift is reported; if windows of a quarter of these raised alarms as well,
   * the rows after that first window become the reference, for what they came from is past. Else it
   * was a false alarm, or is over.
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

  /** What the version of this window is to keep; null if nothing. */
  static @Nullable KeptReference next(
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
    return grows(kept.sketches(), since)
        ? added(kept.sketches(), since)
        : new KeptReference(kept.sketches(), since, new TreeMap<>(), 0, 0);
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
    if (GROWTH * since >= seen && seen < ENOUGH_ROWS) {
      return true;
    }
    return GROWTH_FOR_AN_ENVIRONMENT * since >= seen && hasNew(sketches);
  }

  /** Whether an environment could be compared if it had a part. */
  private boolean hasNew(TrainingReference sketches) {
    if (sketches.parts().size() >= ReferenceRows.MOST_PARTS) {
      return false;
    }
    Set<String> names = new TreeSet<>();
    compared.fresh().forEach(row -> names.add(row.environment()));
    for (String name : names) {
      if (sketches.parts().stream().map(EnvironmentReference::environment).noneMatch(name::equals)
          && !sketches.others().contains(name)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable KeptReference added(TrainingReference before, long since) {
    return made(rows(ReferenceRows.after(before.through())).added(before, before.seen() + since));
  }

  /** What of memory is wanted, and of the window all that has been looked at. */
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
