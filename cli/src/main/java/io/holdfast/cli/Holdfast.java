package io.holdfast.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import io.holdfast.cli.models.ModelsCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code holdfast} command. */
@Command(
    name = "holdfast",
    description = "Scores Avro records on Kafka and keeps learning while the world shifts.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      FitCommand.class,
      RefitCommand.class,
      ScoreCommand.class,
      ExplainCommand.class,
      BacktestCommand.class,
      ShiftCommand.class,
      ReplayCommand.class,
      ModelsCommand.class,
      TopicsCommand.class,
      DoctorCommand.class,
      ServiceCommand.class,
      TrainerCommand.class,
      BrokerCommand.class,
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:ok", "1:failed", "2:wrong usage or configuration"},
    footer = {"", "Every command has --help, with examples."})
public final class Holdfast implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Log what happens, to standard error.")
  void verbose(boolean verbose) {
    if (verbose && LoggerFactory.getILoggerFactory() instanceof LoggerContext logging) {
      logging.getLogger("io.holdfast").setLevel(Level.INFO);
      logging.getLogger("org.apache.kafka").setLevel(Level.WARN);
    }
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "name a command, such as demo: " + String.join(", ", spec.subcommands().keySet()));
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "logback-holdfast-cli.xml");
    }
    /*
     * Standard output belongs to the command's result: a machine may read it. Whatever a library
     * prints there goes to standard error instead.
     */
    PrintStream out = System.out;
    System.setOut(System.err);
    Charset charset = out.charset();
    int exitCode =
        commandLine(
                new PrintWriter(out, true, charset),
                new PrintWriter(System.err, true, System.err.charset()))
            .execute(arguments);
    out.flush();
    System.exit(exitCode);
  }

  /** The command with its subcommands, writing to the given streams. */
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    Mistakes mistakes = new Mistakes();
    return new CommandLine(new Holdfast())
        .setOut(out)
        .setErr(err)
        .setUsageHelpWidth(100) // examples and footers are written for it
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(new GivenOnce(new CommandLine.RunLast()))
        .setParameterExceptionHandler(mistakes)
        .setExecutionExceptionHandler(mistakes);
  }
}
