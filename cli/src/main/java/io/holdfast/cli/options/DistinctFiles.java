package io.holdfast.cli.options;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.file.OutputException;
import io.holdfast.schemas.file.OutputFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Refuses to write over what a command reads, and two outputs in one file, before anything is done:
 * an {@link OutputFile} among the arguments is written, a {@link Path} is read. Stateless.
 */
public final class DistinctFiles implements CommandLine.IExecutionStrategy {
  private static final OutputFile STANDARD_OUTPUT = OutputFile.of(Path.of("/dev/stdout"));

  private final CommandLine.IExecutionStrategy next;

  /** Goes on with {@code next} where nothing is wrong. */
  public DistinctFiles(CommandLine.IExecutionStrategy next) {
    this.next = next;
  }

  private record Input(String name, Path path) {}

  private record Output(String name, OutputFile file) {}

  @Override
  public int execute(ParseResult parsed) {
    List<CommandLine> commands = parsed.asCommandLineList();
    try {
      for (CommandLine command : commands) {
        if (!command.isUsageHelpRequested()) {
          check(command);
        }
      }
      return next.execute(parsed);
    } catch (OutputException e) { // picocli takes what is thrown here for a bug of its own
      throw new CommandLine.ExecutionException(
          commands.getLast(), String.valueOf(e.getMessage()), e);
    }
  }

  private static void check(CommandLine command) {
    List<Input> inputs = new ArrayList<>();
    List<Output> outputs = new ArrayList<>();
    for (ArgSpec argument : command.getCommandSpec().args()) {
      for (Object one : values(argument)) {
        switch (one) {
          case Path path -> inputs.add(new Input(name(argument), path));
          case OutputFile file when !file.path().equals(STANDARD_OUTPUT.path()) ->
              outputs.add(new Output(name(argument), file));
          default -> {}
        }
      }
      if (name(argument).equals(ConfigFile.FLAG) && argument.getValue() == null) {
        ConfigFile.ofEnvironment()
            .ifPresent(path -> inputs.add(new Input("HOLDFAST_CONFIG", path)));
      }
    }
    check(command, inputs, outputs);
  }

  private static void check(CommandLine command, List<Input> inputs, List<Output> outputs) {
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

  private static Collection<?> values(ArgSpec argument) {
    Object value = argument.getValue();
    return switch (value) {
      case null -> List.of();
      case Collection<?> several -> several;
      default -> List.of(value);
    };
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }
}
