package io.holdfast.bench.report;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that measures something and prints figures. */
@Command(mixinStandardHelpOptions = true)
public abstract class BenchCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  /** Measures, and prints to standard output. */
  protected abstract void run(PrintWriter out) throws Exception;

  @Override
  public final Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    run(out);
    out.flush();
    return 0;
  }
}
