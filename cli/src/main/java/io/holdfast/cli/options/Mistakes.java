package io.holdfast.cli.options;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.kafka.BrokerException;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.StartException;
import io.holdfast.schemas.file.OutputException;
import io.holdfast.schemas.framing.SchemaUnavailableException;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.topic.TopicException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Says what went wrong, in one sentence, and chooses the exit code. Only what nobody foresaw gets a
 * stack trace: that is a bug of ours, and the trace is what we want to be sent.
 */
public final class Mistakes
    implements CommandLine.IParameterExceptionHandler, CommandLine.IExecutionExceptionHandler {

  @Override
  public int handleParseException(CommandLine.ParameterException mistake, String[] arguments) {
    CommandLine command = mistake.getCommandLine();
    command.getErr().println("holdfast: " + mistake.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(mistake, command.getErr());
    command.getErr().println("Try '" + command.getCommandSpec().qualifiedName(" ") + " --help'.");
    return ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    Said said = said(failure);
    try {
      command.getOut().flush(); // what was written before stands before the sentence
    } catch (OutputException e) {
      said = said == null ? ofOutput(e) : said; // one sentence: what came first
    }
    if (said == null) {
      command.getErr().println("holdfast: this should not have happened, please report it:");
      failure.printStackTrace(command.getErr());
      return ExitCode.FAILED;
    }
    return say(said, command.getErr());
  }

  /** Says that an output could not be written; the exit code. */
  public static int say(OutputException failure, PrintWriter err) {
    return say(ofOutput(failure), err);
  }

  /** Says that there is not enough memory; the exit code. */
  public static int say(OutOfMemoryError failure, PrintWriter err) {
    return say(ofMemory(failure), err);
  }

  private static int say(Said said, PrintWriter err) {
    if (said.exitCode() != ExitCode.CLOSED_PIPE) {
      err.println("holdfast: " + said.sentence());
    }
    return said.exitCode();
  }

  private static Said ofOutput(OutputException failure) {
    int exitCode = failure.closedPipe() ? ExitCode.CLOSED_PIPE : ExitCode.FAILED;
    return new Said(String.valueOf(failure.getMessage()), exitCode);
  }

  private static Said ofMemory(OutOfMemoryError failure) {
    return new Said(
        Sentence.of(
            "not enough memory (%s): the heap may take %,d MB, give more with"
                + " HOLDFAST_JAVA_OPTS=-Xmx",
            failure.getMessage(), Runtime.getRuntime().maxMemory() >> 20),
        ExitCode.FAILED);
  }

  private record Said(String sentence, int exitCode) {}

  private static @Nullable Said said(@Nullable Throwable failure) {
    return switch (failure) {
      case null -> null;
      case CommandException e -> new Said(String.valueOf(e.getMessage()), e.exitCode());
      case SettingsException e -> new Said(String.valueOf(e.getMessage()), ExitCode.USAGE);
      case SchemaUnavailableException _,
          DataException _,
          TopicException _,
          StartException _,
          BrokerException _ ->
          new Said(String.valueOf(failure.getMessage()), ExitCode.FAILED);
      case OutputException e -> ofOutput(e);
      case InvalidPathException e ->
          new Said(
              "no file can have the name " + e.getInput() + " here: start with LC_ALL=C.UTF-8",
              ExitCode.USAGE);
      case UncheckedIOException _, ExecutionException _ -> said(failure.getCause());
      case OutOfMemoryError e -> ofMemory(e);
      case IOException e -> new Said(sentence(e), ExitCode.FAILED);
      case TimeoutException e ->
          new Said(
              "the broker did not answer in time ("
                  + e.getMessage()
                  + "): check that it runs and that bootstrap.servers is its address",
              ExitCode.FAILED);
      case KafkaException e -> new Said("Kafka: " + e.getMessage(), ExitCode.FAILED);
      default -> outOfMemory(failure.getCause()); // of another thread, in whatever carried it here
    };
  }

  private static @Nullable Said outOfMemory(@Nullable Throwable cause) {
    return switch (cause) {
      case null -> null;
      case OutOfMemoryError e -> ofMemory(e);
      default -> outOfMemory(cause.getCause());
    };
  }

  private static String sentence(IOException failure) {
    return switch (failure) {
      case NoSuchFileException e -> "there is no file " + e.getFile();
      case AccessDeniedException e -> e.getFile() + " may not be read or written: " + e.getReason();
      case FileSystemException e ->
          e.getFile() + " cannot be used: " + (e.getReason() == null ? e : e.getReason());
      default -> "reading or writing failed: " + failure.getMessage();
    };
  }
}
