package io.holdfast.cli.options;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.cli.input.DataSource;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.file.OutputException;
import io.holdfast.schemas.file.OutputFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParseResult;

/**
 * Refuses, before a command runs, a flag of a group that is given twice, of which picocli would
 * take the last; an output over what the command reads; and two outputs in one file. An {@link
 * OutputFile} among the arguments is written, a {@link Path} or {@link DataSource} is read.
 * Stateless.
 */
public final class ArgumentChecks implements CommandLine.IExecutionStrategy {
  private static final OutputFile STANDARD_OUTPUT = OutputFile.STANDARD_OUTPUT;

  private record Input(String name, Path path) {}

  private record Output(String name, OutputFile file) {}

  @Override
  public int execute(ParseResult parsed) {
    List<CommandLine> commands = parsed.asCommandLineList();
    commands.forEach(ArgumentChecks::checkGivenOnce);
    try {
      commands.stream()
          .filter(command -> !command.isUsageHelpRequested())
          .forEach(ArgumentChecks::checkFiles);
      commands.forEach(DialectOptions::apply);
      commands.forEach(TopicData::apply);
      return new CommandLine.RunLast().execute(parsed);
    } catch (OutputException e) { // picocli takes what is thrown here for a bug of its own
      throw new CommandLine.ExecutionException(
          commands.getLast(), String.valueOf(e.getMessage()), e);
    }
  }

  private static void checkGivenOnce(CommandLine command) {
    Set<String> seen = new HashSet<>();
    for (OptionSpec flag : command.getParseResult().matchedOptions()) {
      if (!seen.add(flag.longestName()) && !flag.isMultiValue()) {
        throw new OverwrittenOptionException(
            command, flag, "option '" + flag.longestName() + "' should be specified only once");
      }
    }
  }

  private static void checkFiles(CommandLine command) {
    List<Input> inputs = new ArrayList<>();
    List<Output> outputs = new ArrayList<>();
    for (ArgSpec argument : command.getCommandSpec().args()) {
      String name =
          argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
      Object given = argument.getValue();
      for (Object one :
          given == null ? List.of() : given instanceof Collection<?> all ? all : List.of(given)) {
        switch (one) {
          case Path path -> inputs.add(new Input(name, path));
          case DataSource data -> data.paths().forEach(path -> inputs.add(new Input(name, path)));
          case OutputFile file when !file.isStandardOutput() -> outputs.add(new Output(name, file));
          default -> {}
        }
      }
      if (name.equals(ConfigFile.FLAG) && given == null) {
        ConfigFile.ofEnvironment()
            .ifPresent(path -> inputs.add(new Input(ConfigFile.VARIABLE, path)));
      }
    }
    checkDistinct(command, inputs, outputs);
  }

  private static void checkDistinct(CommandLine command, List<Input> inputs, List<Output> outputs) {
    for (Input input : inputs) {
      refuse(
          command,
          STANDARD_OUTPUT.isSameFile(input.path()),
          "%s is the file that %s names, and standard output goes there: send that elsewhere",
          input.path(),
          input.name());
    }
    for (int k = 0; k < outputs.size(); k++) {
      Output output = outputs.get(k);
      OutputFile file = output.file();
      for (Input input : inputs) {
        refuse(
            command,
            file.isSameFile(input.path()),
            "%s would write over what %s reads, %s%s: name another file",
            output.name(),
            input.name(),
            input.path(),
            file.path().equals(input.path()) ? "" : " (by the name " + file + ")");
      }
      for (Output other : outputs.subList(0, k)) {
        refuse(
            command,
            file.isSameFile(other.file().path()),
            "%s and %s are to write to one file, %s: name two",
            other.name(),
            output.name(),
            file);
      }
      refuse(
          command,
          STANDARD_OUTPUT.isSameFile(file.path()),
          "standard output goes to the file that %s is to write, %s: name another",
          output.name(),
          file);
    }
    outputs.forEach(output -> output.file().check());
  }

  @FormatMethod
  private static void refuse(
      CommandLine command, boolean wrong, @FormatString String message, Object... arguments) {
    if (wrong) {
      throw new CommandLine.ParameterException(command, Sentence.of(message, arguments));
    }
  }
}
