package io.holdfast.trainer.runtime;

import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.trouble.WindowSigns;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How a model is doing in this trainer. Written by its thread and whoever starts that. */
final class ModelStatus {
  private static final Set<TroubleKind> HALTING =
      EnumSet.of(
          TroubleKind.TOPIC,
          TroubleKind.SCHEMA,
          TroubleKind.VERSION,
          TroubleKind.SETTINGS_DIFFER,
          TroubleKind.STOPPED);

  private final String model;
  private final Troubles troubles;
  private final Map<String, String> unanswered = new TreeMap<>(); // guarded by this
  private WindowSigns signs; // of the thread that trains
  private volatile Phase phase = new Phase.StandingBy();
  private volatile long version = -1; // until one serves that this trainer knows of

  /** What a model's thread is doing. */
  sealed interface Phase {
    /** The group has given the model to another trainer, or to none yet. */
    record StandingBy() implements Phase {}

    /** It finds out where to continue. */
    record Starting() implements Phase {}

    record WaitingForSchema() implements Phase {}

    /** It reads examples. */
    record Learning() implements Phase {}

    /** Something failed; it will start again. */
    record Retrying(String reason) implements Phase {}

    /** Somebody has set a head by hand, or taken the model over; it finds out which. */
    record Fenced() implements Phase {}

    /** Somebody must fix something first; it looks again now and then. */
    record Halted(TroubleKind kind, String reason) implements Phase {}

    /** It has ended by an error. */
    record Dead(String reason) implements Phase {}
  }

  /** Made before it is needed: who runs out of files or memory may be able to make none then. */
  private static final Phase UNSAID = new Phase.Dead("an error that cannot be told");

  ModelStatus(String model, Troubles troubles) {
    this.model = model;
    this.troubles = troubles;
    signs = new WindowSigns(model, troubles);
  }

  String model() {
    return model;
  }

  Phase phase() {
    return phase;
  }

  void enter(Phase phase) {
    if (phase instanceof Phase.StandingBy) {
      version = -1;
      signs.end(); // whoever trains the model now tells
      signs = new WindowSigns(model, troubles);
    }
    this.phase = phase;
    switch (phase) {
      case Phase.Retrying retrying ->
          setKafka("session", "training stopped and is tried again: " + retrying.reason());
      case Phase.Halted(TroubleKind kind, String reason) -> {
        setKafka("session", null);
        HALTING.stream().filter(other -> other != kind).forEach(this::end);
        begin(kind, reason);
      }
      case Phase.Learning _, Phase.StandingBy _ -> {
        setKafka("session", null);
        HALTING.forEach(this::end);
      }
      case Phase.WaitingForSchema _ -> {
        setKafka("session", null);
        end(TroubleKind.STOPPED);
      }
      case Phase.Dead dead ->
          begin(
              TroubleKind.STOPPED,
              "training has ended and begins again once the trainer is started anew: "
                  + dead.reason());
      case Phase.Starting _, Phase.Fenced _ -> {} // no change
    }
  }

  /** Its thread ends by an error; whatever else fails then, it counts as dead. */
  void die(Throwable error) {
    phase = UNSAID;
    enter(new Phase.Dead(error.toString()));
  }

  /** Sets what is wrong with Kafka as {@code finder} sees it; null if nothing is. */
  synchronized void setKafka(String finder, @Nullable String sentence) {
    if (sentence == null) {
      unanswered.remove(finder);
    } else {
      unanswered.put(finder, sentence);
    }
    if (unanswered.isEmpty()) {
      end(TroubleKind.KAFKA);
    } else {
      begin(TroubleKind.KAFKA, String.join("; ", unanswered.values()));
    }
  }

  long version() {
    return version;
  }

  void serves(long version) {
    this.version = version;
  }

  /** Takes the report of a committed window. */
  void concluded(WindowReport report) {
    signs.add(report);
    signs.tell();
  }

  void begin(TroubleKind kind, String sentence) {
    troubles.begin(model, kind, sentence);
  }

  void end(TroubleKind kind) {
    troubles.end(model, kind);
  }

  /** For people: the phase in a few words, then what is wrong. */
  String describe() {
    StringJoiner text = new StringJoiner("; ").add(describePhase());
    troubles.of(model).forEach(it -> text.add(it.kind().label() + ": " + it.sentence()));
    return text.toString();
  }

  private String describePhase() {
    return switch (phase) {
      case Phase.StandingBy standingBy -> "standing by";
      case Phase.Starting starting -> "starting";
      case Phase.WaitingForSchema waiting -> "waiting for a schema of its records";
      case Phase.Learning learning -> "learning, version " + version + " serves";
      case Phase.Retrying retrying -> "retrying after: " + retrying.reason();
      case Phase.Fenced fenced ->
          "finding out whether a head was set by hand or another trainer has the model";
      case Phase.Halted halted -> "waits until somebody mends it: " + halted.reason();
      case Phase.Dead dead -> "ended: " + dead.reason();
    };
  }
}
