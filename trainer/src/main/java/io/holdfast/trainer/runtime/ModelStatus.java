package io.holdfast.trainer.runtime;

/**
 * How a model's thread is doing. Written by that thread, read by any.
 *
 * <p>The version is -1 until one serves.
 */
final class ModelStatus {
  private final String model;
  private volatile Phase phase = new Phase.Starting();
  private volatile long version = -1;

  /** What a model's thread is at. */
  sealed interface Phase {
    /** It finds out where to go on. */
    record Starting() implements Phase {}

    /** It waits for a schema of the model's records. */
    record WaitingForSchema() implements Phase {}

    /** It reads examples and learns. */
    record Learning() implements Phase {}

    /** Something failed for now; it will start again. */
    record Retrying(String reason) implements Phase {}

    /** Another trainer took the model over; this one has given it up. */
    record Fenced() implements Phase {}

    /** It was told to stop. */
    record Stopped() implements Phase {}

    /** It has ended and should not have. */
    record Dead(String reason) implements Phase {}
  }

  ModelStatus(String model) {
    this.model = model;
  }

  String model() {
    return model;
  }

  Phase phase() {
    return phase;
  }

  void enter(Phase phase) {
    this.phase = phase;
  }

  long version() {
    return version;
  }

  void serves(long version) {
    this.version = version;
  }

  /** For people: the phase in a few words. */
  String describe() {
    return switch (phase) {
      case Phase.Starting starting -> "starting";
      case Phase.WaitingForSchema waiting -> "waiting for a schema of its records";
      case Phase.Learning learning -> "learning, version " + version + " serves";
      case Phase.Retrying retrying -> "retrying after: " + retrying.reason();
      case Phase.Fenced fenced -> "given up: another trainer has taken the model over";
      case Phase.Stopped stopped -> "stopped";
      case Phase.Dead dead -> "ended: " + dead.reason();
    };
  }
}
