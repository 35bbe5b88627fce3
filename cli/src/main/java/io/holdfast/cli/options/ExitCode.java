package io.holdfast.cli.options;

/** What the command tells the shell. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;

  /** A pipe was closed by its reader: what a shell says of a program that SIGPIPE ended. */
  public static final int CLOSED_PIPE = 141;

  private ExitCode() {}
}
