package io.holdfast.cli.options;

import io.holdfast.cli.print.Console;
import io.holdfast.schemas.file.OutputFile;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command prints its result: for people, or with {@code --json} for machines. */
public final class JsonOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  public boolean given() {
    return json;
  }

  public Console console() {
    return Console.of(spec);
  }

  /** Prints a result; {@code text} is how people read it. */
  public <R> void print(R result, BiConsumer<Console, R> text) {
    print(result, text, console());
  }

  /** The same, on standard error if standard output has the file. */
  public <R> void print(R result, BiConsumer<Console, R> text, @Nullable OutputFile file) {
    Console console = console();
    boolean taken = file != null && file.isStandardOutput();
    print(result, text, taken ? console.to(console.err()) : console);
  }

  private <R> void print(R result, BiConsumer<Console, R> text, Console console) {
    if (json) {
      console.json(result);
    } else {
      text.accept(console, result);
    }
  }
}
