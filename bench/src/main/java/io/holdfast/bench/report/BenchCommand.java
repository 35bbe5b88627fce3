package io.holdfast.bench.report;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that measures something and prints figures. */
@Command(mixinStandardHelpOptions = true)
public abstract class BenchCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  private final Map<String, Double> ratios = new LinkedHashMap<>();

  /** Keeps a ratio to an anchor, for the command that holds them against their floors. */
  protected void note(String figure, double ratio) {
    ratios.put(figure, ratio);
  }

  /** The ratios of the last run, by figure; only those that have a floor. */
  public Map<String, Double> ratios() {
    return ratios;
  }

  /** Measures, and prints to standard output. */
  protected abstract void run(PrintWriter out) throws Exception;

  /** After a run without errors. */
  protected int exitCode() {
    return 0;
  }

  @Override
  public final Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    run(out);
    out.flush();
    return exitCode();
  }
}
