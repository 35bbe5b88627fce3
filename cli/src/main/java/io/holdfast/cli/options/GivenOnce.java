package io.holdfast.cli.options;

import java.util.HashSet;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParseResult;

/**
 * Refuses a flag of a group that is given twice, as picocli does with the others: of these it takes
 * the last, and forgets what was said with the first. Stateless.
 */
public final class GivenOnce implements CommandLine.IExecutionStrategy {
  private final CommandLine.IExecutionStrategy next;

  /** Goes on with {@code next} where nothing is wrong. */
  public GivenOnce(CommandLine.IExecutionStrategy next) {
    this.next = next;
  }

  @Override
  public int execute(ParseResult parsed) {
    parsed.asCommandLineList().forEach(GivenOnce::check);
    return next.execute(parsed);
  }

  private static void check(CommandLine command) {
    Set<String> seen = new HashSet<>();
    for (OptionSpec flag : command.getParseResult().matchedOptions()) {
      if (!seen.add(flag.longestName()) && !flag.isMultiValue()) {
        throw new OverwrittenOptionException(
            command, flag, "option '" + flag.longestName() + "' should be specified only once");
      }
    }
  }
}
