package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.cli.audit.AuditCommand;
import io.holdfast.cli.backtest.BacktestCommand;
import io.holdfast.cli.backtest.ShiftCommand;
import io.holdfast.cli.completion.CompletionCommand;
import io.holdfast.cli.config.ConfigCommand;
import io.holdfast.cli.config.InitCommand;
import io.holdfast.cli.demo.DemoCommand;
import io.holdfast.cli.exchange.ExportCommand;
import io.holdfast.cli.exchange.ImportCommand;
import io.holdfast.cli.fit.FitCommand;
import io.holdfast.cli.fit.RefitCommand;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.letters.DeadLettersCommand;
import io.holdfast.cli.models.ModelsCommand;
import io.holdfast.cli.models.VersionName;
import io.holdfast.cli.operate.AclsCommand;
import io.holdfast.cli.operate.DoctorCommand;
import io.holdfast.cli.operate.ProgramCommands.BrokerCommand;
import io.holdfast.cli.operate.ProgramCommands.ServiceCommand;
import io.holdfast.cli.operate.ProgramCommands.TrainerCommand;
import io.holdfast.cli.operate.ReplayCommand;
import io.holdfast.cli.operate.TopCommand;
import io.holdfast.cli.operate.TopicsCommand;
import io.holdfast.cli.options.ArgumentChecks;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.options.Logging;
import io.holdfast.cli.options.Mistakes;
import io.holdfast.cli.options.Version;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Progress;
import io.holdfast.cli.score.ExplainCommand;
import io.holdfast.cli.score.ScoreCommand;
import io.holdfast.cli.show.ShowCommand;
import io.holdfast.cli.tune.TuneCommand;
import io.holdfast.cli.why.WhyCommand;
import io.holdfast.schemas.file.LocaleNames;
import io.holdfast.schemas.file.LogFormat;
import io.holdfast.schemas.file.OutputException;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.file.OutputSink;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "holdfast",
    description = "Scores Avro records on Kafka and keeps learning while the world shifts.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:ok",
      "1:failed",
      "2:wrong usage or configuration",
      "141:whoever read the output has gone, as in holdfast score ... | head"
    },
    footer = {"", "Every command has --help, with examples."})
public final class Holdfast implements Runnable {
  private static final List<Class<?>> COMMANDS =
      List.of(
          DemoCommand.class,
          InitCommand.class,
          FitCommand.class,
          RefitCommand.class,
          ScoreCommand.class,
          ExplainCommand.class,
          ShowCommand.class,
          TuneCommand.class,
          BacktestCommand.class,
          ShiftCommand.class,
          ImportCommand.class,
          ExportCommand.class,
          ReplayCommand.class,
          WhyCommand.class,
          ModelsCommand.class,
          ConfigCommand.class,
          TopicsCommand.class,
          DoctorCommand.class,
          TopCommand.class,
          DeadLettersCommand.class,
          AuditCommand.class,
          AclsCommand.class,
          ServiceCommand.class,
          TrainerCommand.class,
          BrokerCommand.class,
          CompletionCommand.class);

  @Spec private CommandSpec spec;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Log more, to standard error; Kafka's warnings, too.")
  void verbose(boolean verbose) {
    if (verbose) {
      Logging.tellWhatHappens();
      Logging.tellKafkasWarnings();
    }
  }

  @Option(
      names = {"-q", Console.QUIET},
      scope = ScopeType.INHERIT,
      description = "No notes and no progress: the result, and what went wrong.")
  void quiet(boolean quiet) {
    if (quiet) {
      Progress.turnOff();
    }
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "name a command, such as demo: " + String.join(", ", spec.subcommands().keySet()));
  }

  public static void main(String[] arguments) {
    Logging.configure();
    /*
     * Standard output belongs to the command's result: a machine may read it. Whatever a library
     * prints there goes to standard error instead.
     */
    var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8);
    System.setErr(err);
    System.setOut(err);
    String problem = LocaleNames.problem(List.of(arguments));
    problem = problem == null ? LogFormat.problem(System.getenv()) : problem;
    if (problem != null) {
      err.println("holdfast: " + problem);
      System.exit(ExitCode.USAGE);
    }
    System.exit(run(arguments, OutputSink.standardOutput(), new PrintWriter(err, true, UTF_8)));
  }

  /** Runs the command; the exit code also says whether all of its output was written. */
  public static int run(String[] arguments, OutputSink out, PrintWriter err) {
    var writer = new PrintWriter(new OutputStreamWriter(out, UTF_8));
    int exitCode;
    try {
      exitCode = commandLine(named(arguments), writer, err).execute(arguments);
      writer.flush();
      if (exitCode == ExitCode.OK) {
        out.check();
      }
    } catch (OutputException e) { // of what was in buffers still
      exitCode = Mistakes.say(e, err);
    } catch (OutOfMemoryError e) {
      exitCode = Mistakes.say(e, err);
    }
    return exitCode;
  }

  /** The command that the first word names, alone: each takes 10 ms to set up. Else all of them. */
  private static List<Class<?>> named(String[] arguments) {
    return COMMANDS.stream()
        .filter(
            command ->
                arguments.length > 0
                    && command != CompletionCommand.class // lists the others
                    && command.getAnnotation(Command.class).name().equals(arguments[0]))
        .findFirst()
        .<List<Class<?>>>map(List::of)
        .orElse(COMMANDS);
  }

  /** With all commands. */
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    return commandLine(COMMANDS, out, err);
  }

  private static CommandLine commandLine(
      List<Class<?>> commands, PrintWriter out, PrintWriter err) {
    Mistakes mistakes = new Mistakes();
    var line = new CommandLine(new Holdfast());
    for (Class<?> command : commands) {
      line.addSubcommand(new CommandLine(command)); // transforms its model
    }
    return line.setOut(out)
        .setErr(err)
        .setUsageHelpWidth(100) // examples and footers are written for it
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false) // @x is a name like any other
        .registerConverter(OutputFile.class, Holdfast::outputFile)
        .setUnmatchedOptionsAllowedAsOptionParameters(false) // of --data, which takes several
        .registerConverter(DataSource.class, Holdfast::dataSource)
        .registerConverter(VersionName.class, VersionName::parse)
        .setExecutionStrategy(new ArgumentChecks())
        .setParameterExceptionHandler(mistakes)
        .setExecutionExceptionHandler(mistakes);
  }

  private static DataSource dataSource(String name) {
    if (name.isEmpty()) {
      throw new TypeConversionException("must be the name of a file, and is empty");
    }
    return DataSource.of(name);
  }

  private static OutputFile outputFile(String name) {
    if (name.isEmpty()) {
      throw new TypeConversionException("must be the name of a file, and is empty");
    }
    if (name.startsWith("--")) { // picocli gives an option of 0 or 1 values any word that follows
      throw new TypeConversionException(
          "is followed by an unknown flag, " + name + "; a file of that name is ./" + name);
    }
    try {
      return name.equals("-") ? OutputFile.STANDARD_OUTPUT : OutputFile.of(Path.of(name));
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + name + "' is no name of a file: " + e.getReason());
    }
  }
}
