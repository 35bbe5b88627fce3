package io.holdfast.service;

import io.holdfast.http.ServerProgram;

/** The service as a program; see {@link ServerProgram}. */
public final class ServiceApplication {
  static final ServerProgram PROGRAM = new ServerProgram("service", Service::start);

  private ServiceApplication() {}

  public static void main(String[] arguments) {
    PROGRAM.main(arguments);
  }
}
