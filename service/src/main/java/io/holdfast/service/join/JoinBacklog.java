package io.holdfast.service.join;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.label.LabelMeters;
import io.holdfast.service.label.RecordMeters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

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
     * Sets the figures.
     *
     * @param undecidedLabels labels that wait until records that were there before are scored
     * @param earlyLabels labels that wait for their record
     * @param waitingRecords scored records that wait for their label
     * @param millis how long the oldest of the former has waited
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
      gauges = new ArrayList<>();
      gauge(LabelMeters.PENDING, "scores", part -> part.undecided, false);
      gauge(LabelMeters.PENDING, "record", part -> part.early, false);
      gauges.add(
          Gauge.builder(RecordMeters.PENDING, () -> (double) sum(part -> part.waiting))
              .description("Scored records that wait for their label")
              .tag("model", model)
              .register(meters));
      gauge(LabelMeters.HELD, null, part -> part.heldMillis, true);
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
    long held = most(part -> part.heldMillis);
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

  private void gauge(
      String name, @Nullable String waitingFor, ToLongFunction<Part> figure, boolean seconds) {
    Gauge.Builder<?> gauge =
        seconds
            ? Gauge.builder(name, () -> most(figure) / 1e3).baseUnit("seconds")
            : Gauge.builder(name, () -> (double) sum(figure));
    if (waitingFor != null) {
      gauge.tag("for", waitingFor);
    }
    gauges.add(
        gauge
            .description(
                seconds
                    ? "How long the oldest label has waited for scores of records before it"
                    : "Labels that have no outcome yet, by what they wait for")
            .tag("model", model)
            .register(meters));
  }

  private long sum(ToLongFunction<Part> figure) {
    return parts.stream().mapToLong(figure).sum();
  }

  private long most(ToLongFunction<Part> figure) {
    return parts.stream().mapToLong(figure).max().orElse(0);
  }
}
