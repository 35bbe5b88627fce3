package io.holdfast.cli;

/** What the command tells the shell. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;

  private ExitCode() {}
}
