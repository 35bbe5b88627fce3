package io.holdfast.cli.options;

import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import io.holdfast.cli.input.TopicRange;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.stream.TopicSpool;
import io.holdfast.schemas.Sentence;
import java.util.List;
import picocli.CommandLine;

/** Tells the topics among a command's data where their broker is. Stateless. */
final class TopicData {
  private TopicData() {}

  static void apply(CommandLine command) {
    for (DataSource source : DialectOptions.sources(command)) {
      List<TopicRange> topics = topics(command, source);
      if (!topics.isEmpty()) {
        ConfigFile config = config(command, topics.getFirst());
        config.connects();
        Console console = Console.of(command.getCommandSpec());
        source.topicsBy(
            range ->
                TopicSpool.of(config.settings(), range, "name one that it has", console::note));
      }
    }
  }

  private static List<TopicRange> topics(CommandLine command, DataSource source) {
    try {
      return source.topics();
    } catch (DataException e) {
      throw new CommandLine.ParameterException(command, String.valueOf(e.getMessage()), e);
    }
  }

  private static ConfigFile config(CommandLine command, TopicRange range) {
    for (CommandLine.Model.CommandSpec mixin : command.getCommandSpec().mixins().values()) {
      if (mixin.userObject() instanceof ConfigFile config) {
        if (config.given()) {
          return config;
        }
        throw new CommandLine.ParameterException(
            command,
            Sentence.of(
                "topic %s needs the configuration that names its broker: name its file with"
                    + " --config or in %s",
                range.topic(), ConfigFile.VARIABLE));
      }
    }
    throw new CommandLine.ParameterException(
        command,
        Sentence.of(
            "%s reads files, and no topic such as %s", command.getCommandName(), range.topic()));
  }
}
