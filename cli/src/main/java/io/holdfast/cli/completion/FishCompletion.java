package io.holdfast.cli.completion;

import io.holdfast.schemas.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A completion script for fish, which picocli has none for. Owned by one thread. */
final class FishCompletion {
  private static final String SEEN = "__fish_seen_subcommand_from ";

  private final String program;
  private final StringBuilder script = new StringBuilder();

  private FishCompletion(String program) {
    this.program = program;
  }

  static String script(CommandLine root) {
    var completion = new FishCompletion(root.getCommandName());
    completion.add(root, List.of());
    return completion.script.toString();
  }

  /** Adds what may follow the names of commands in {@code path}. */
  private void add(CommandLine command, List<String> path) {
    var subcommands = command.getSubcommands();
    String here = path.stream().map(SEEN::concat).collect(Collectors.joining("; and "));
    String before =
        path.isEmpty()
            ? "__fish_use_subcommand"
            : here + "; and not " + SEEN + String.join(" ", subcommands.keySet());
    subcommands.forEach(
        (name, sub) -> {
          String[] says = sub.getCommandSpec().usageMessage().description();
          line(before, Sentence.of(" -f -a %s", name), says);
        });
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.hidden()) {
        line(path.isEmpty() ? before : here, option(option), option.description());
      }
    }
    for (ArgSpec argument : command.getCommandSpec().positionalParameters()) {
      if (argument.completionCandidates() != null) {
        line(here, " -f -a " + candidates(argument), argument.description());
      }
    }
    subcommands.forEach(
        (name, sub) -> {
          List<String> longer = new ArrayList<>(path);
          longer.add(name);
          add(sub, longer);
        });
  }

  private void line(String condition, String completes, String[] says) {
    String first = says.length == 0 ? "" : says[0].replaceAll("\\s*\\(?\\$\\{[^)]*\\)?|%n.*", "");
    script.append(
        Sentence.of(
            "complete -c %s -n %s%s -d %s\n",
            program, quoted(condition), completes, quoted(first)));
  }

  private static String option(OptionSpec option) {
    String names =
        Stream.of(option.names())
            .map(
                name ->
                    name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.charAt(1))
            .collect(Collectors.joining());
    if (option.completionCandidates() != null) {
      return names + " -x -a " + candidates(option);
    }
    return option.arity().max() > 0 ? names + " -r" : names;
  }

  private static String candidates(ArgSpec argument) {
    return quoted(
        StreamSupport.stream(argument.completionCandidates().spliterator(), false)
            .collect(Collectors.joining(" ")));
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
