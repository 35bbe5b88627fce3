package io.holdfast.trainer.runtime;

import io.holdfast.http.ServerProgram;

/** The trainer as a program; see {@link ServerProgram}. */
public final class TrainerApplication {
  static final ServerProgram PROGRAM = new ServerProgram("trainer", Trainer::start);

  private TrainerApplication() {}

  public static void main(String[] arguments) {
    PROGRAM.main(arguments);
  }
}
