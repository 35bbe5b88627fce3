package io.holdfast.service.join;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.label.OutcomeMeters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/**
 * Labels and records of one model that this program's join holds, over all its tasks: figures, and
 * a trouble while labels are held back for long. Thread-safe.
 */
final class JoinBacklog {
  /** How long scoring may take before it is a trouble that labels wait for it. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long LOOK_MILLIS = 1_000;

  private final MeterRegistry meters;
  private final String model;
  private final Troubles troubles;
  private final Set<Part> parts = ConcurrentHashMap.newKeySet();
  private List<Gauge> gauges = List.of();
  private long lookedAt = Long.MIN_VALUE;

  /** What one task holds. Written by its stream thread. */
  static final class Part {
    private volatile long undecided;
    private volatile long early;
    private volatile long waiting;
    private volatile long heldMillis;

    /**
     * Sets the figures: labels that wait until the records before them are scored, and the oldest
     * of them for how long; labels that wait for their record, and records for their label.
     */
    void set(long undecidedLabels, long earlyLabels, long waitingRecords, long millis) {
      undecided = undecidedLabels;
      early = earlyLabels;
      waiting = waitingRecords;
      heldMillis = millis;
    }
  }

  JoinBacklog(MeterRegistry meters, String model, Troubles troubles) {
    this.meters = meters;
    this.model = model;
    this.troubles = troubles;
  }

  /** A task begins. */
  synchronized Part open() {
    if (parts.isEmpty()) {
      gauges =
          List.of(
              pending("scores", part -> part.undecided),
              pending("record", part -> part.early),
              Gauge.builder(OutcomeMeters.RECORDS_PENDING, () -> (double) sum(part -> part.waiting))
                  .description("Scored records that wait for their label")
                  .tag("model", model)
                  .register(meters),
              Gauge.builder(OutcomeMeters.LABELS_HELD, () -> heldMillis() / 1e3)
                  .baseUnit("seconds")
                  .description(
                      "How long the oldest label has waited for scores of records before it")
                  .tag("model", model)
                  .register(meters));
    }
    Part part = new Part();
    parts.add(part);
    return part;
  }

  /** It ends. */
  synchronized void close(Part part) {
    parts.remove(part);
    if (parts.isEmpty()) {
      // The registry keeps the first of a name: the next topology's would not be shown.
      gauges.forEach(meters::remove);
      gauges = List.of();
      troubles.end(model, TroubleKind.LABELS_HELD_BACK);
    }
  }

  /** Begins and ends the trouble. */
  synchronized void look(long now, InputProgress progress) {
    if (lookedAt != Long.MIN_VALUE && now - lookedAt < LOOK_MILLIS) {
      return;
    }
    lookedAt = now;
    long held = heldMillis();
    if (held <= PATIENCE.toMillis()) {
      troubles.end(model, TroubleKind.LABELS_HELD_BACK);
      return;
    }
    String behind = progress.behind();
    troubles.begin(
        model,
        TroubleKind.LABELS_HELD_BACK,
        Sentence.of(
            "%d labels are held back, the oldest for %s, until the records that were there before"
                + " them are scored%s: see whether scoring runs and keeps up",
            sum(part -> part.undecided),
            Duration.ofSeconds(held / 1_000),
            behind == null ? "" : "; " + behind));
  }

  private Gauge pending(String waitingFor, ToLongFunction<Part> figure) {
    return Gauge.builder(OutcomeMeters.LABELS_PENDING, () -> (double) sum(figure))
        .description("Labels that have no outcome yet, by what they wait for")
        .tag("for", waitingFor)
        .tag("model", model)
        .register(meters);
  }

  private long sum(ToLongFunction<Part> figure) {
    return parts.stream().mapToLong(figure).sum();
  }

  private long heldMillis() {
    return parts.stream().mapToLong(part -> part.heldMillis).max().orElse(0);
  }
}
