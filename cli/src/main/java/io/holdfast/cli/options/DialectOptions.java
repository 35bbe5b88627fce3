package io.holdfast.cli.options;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.cli.csv.Dialect;
import io.holdfast.cli.input.DataSource;
import io.holdfast.schemas.Sentence;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Option;

/** How CSV is written, for all files of a command. */
public final class DialectOptions {
  @Option(
      names = "--delimiter",
      paramLabel = "CHARACTER",
      description = "What parts the fields of CSV, or tab (default: found in , ; tab and |).")
  private @Nullable String delimiter;

  @Option(
      names = "--quote",
      paramLabel = "CHARACTER",
      description = "What encloses fields of CSV, or none (default: \").")
  private @Nullable String quote;

  @Option(
      names = "--decimal",
      paramLabel = "CHARACTER",
      description = "What marks decimals in CSV, . or , (default: found where certain).")
  private @Nullable String decimal;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description = "Of CSV, such as windows-1252 (default: UTF-8, or by a byte order mark).")
  private @Nullable String encoding;

  /** Says to a command's files how they are written. */
  static void apply(CommandLine command) {
    for (CommandLine.Model.CommandSpec mixin : command.getCommandSpec().mixins().values()) {
      if (mixin.userObject() instanceof DialectOptions options) {
        Dialect dialect = options.dialect(command);
        sources(command).forEach(source -> source.written(dialect));
      }
    }
  }

  /** The rows that a command's arguments name. */
  static List<DataSource> sources(CommandLine command) {
    List<DataSource> sources = new ArrayList<>();
    for (ArgSpec argument : command.getCommandSpec().args()) {
      Object given = argument.getValue();
      for (Object one : given instanceof Collection<?> all ? all : Arrays.asList(given)) {
        if (one instanceof DataSource source) {
          sources.add(source);
        }
      }
    }
    return sources;
  }

  private Dialect dialect(CommandLine command) {
    Character parts = character(command, "--delimiter", delimiter, "tab", '\t');
    Character encloses = character(command, "--quote", quote, "none", Dialect.NO_QUOTE);
    if (decimal != null && !decimal.equals(".") && !decimal.equals(",")) {
      throw wrong(command, "--decimal must be . or ,: %s", decimal);
    }
    if (parts != null && parts.equals(encloses == null ? (Character) '"' : encloses)) {
      throw wrong(command, "--delimiter and --quote must differ: %s", parts);
    }
    return new Dialect(
        parts, encloses, decimal == null ? null : decimal.charAt(0), charset(command));
  }

  @FormatMethod
  private static CommandLine.ParameterException wrong(
      CommandLine command, @FormatString String message, Object... arguments) {
    return new CommandLine.ParameterException(command, Sentence.of(message, arguments));
  }

  private static @Nullable Character character(
      CommandLine command, String flag, @Nullable String given, String word, char meant) {
    if (given == null) {
      return null;
    }
    if (given.equals(word)) {
      return meant;
    }
    if (!given.matches("[\\p{ASCII}&&[^a-zA-Z0-9.+\\-\r\n\0]]")) {
      throw wrong(
          command,
          "%s must be one character of ASCII that is no letter, digit, sign or point, or %s: %s",
          flag,
          word,
          given);
    }
    return given.charAt(0);
  }

  private @Nullable Charset charset(CommandLine command) {
    try {
      return encoding == null ? null : Charset.forName(encoding);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw wrong(
          command,
          "--encoding must be the name of one, such as UTF-8, UTF-16LE or windows-1252: %s",
          String.valueOf(encoding));
    }
  }
}
