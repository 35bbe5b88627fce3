package io.holdfast.cli.options;

import io.holdfast.cli.print.Console;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What commands share: help, options as they are declared, and a console to write to. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
public abstract class BaseCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** What a command that ran to its end tells the shell. */
  protected int exitCode = ExitCode.OK;

  /** Does what the command is for; what it throws is said by {@link Mistakes}. */
  protected abstract void run() throws IOException;

  @Override
  public final Integer call() throws IOException {
    run();
    return exitCode;
  }

  protected final Console console() {
    return Console.of(spec);
  }
}
