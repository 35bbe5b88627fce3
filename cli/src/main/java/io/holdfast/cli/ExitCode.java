package io.holdfast.cli;

/** What the command tells the shell. */
final class ExitCode {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  private ExitCode() {}
}
