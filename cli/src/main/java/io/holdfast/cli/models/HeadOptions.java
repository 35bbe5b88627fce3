package io.holdfast.cli.models;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.print.Console;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.PromotionWish;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadMove;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.version.LedgerException;
import java.time.Clock;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every command that writes a head takes, and how it does so. */
final class HeadOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--by",
      paramLabel = "WHO",
      defaultValue = "${sys:user.name}",
      description = "Who wants it, for the history (default: the user, ${DEFAULT-VALUE}).")
  private String by;

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Why, for the history.")
  private String why;

  @Option(names = "--dry-run", description = "Tell what would change, and change nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print the new head as JSON.")
  private boolean json;

  Settings settings() {
    return config.settings();
  }

  boolean dryRun() {
    return dryRun;
  }

  HeadRules.Author author() {
    return new HeadRules.Author(by, why, Clock.systemUTC().instant());
  }

  void apply(Settings settings, String model, HeadChange change) {
    String name = settings.model(model).name();
    print(() -> HeadWriter.apply(settings, name, change, by, why, dryRun));
  }

  /** Lets another rung of a model score and prints the new head. */
  void climb(Settings settings, String model, double gamma) {
    String name = settings.model(model).name();
    print(() -> HeadWriter.climb(settings, name, gamma, by, why, dryRun));
  }

  @FunctionalInterface
  interface Write<T> {
    T run() throws LedgerException;
  }

  static <T> T written(Write<T> write) {
    try {
      return write.run();
    } catch (LedgerException e) {
      throw CommandException.failed("%s", e.getMessage());
    }
  }

  private void print(Write<HeadMove> write) {
    HeadMove move = written(write);
    ModelHead head = move.after();
    print(
        new Changed(head.getModel(), dryRun, move.changes(), HeadState.of(head)),
        (console, changed) -> {
          if (dryRun) {
            console.line("Would change, and did not: %s.", String.join("; ", changed.changes()));
          } else {
            console.line("%s", said(head));
          }
        });
  }

  <R> void print(R result, BiConsumer<Console, R> text) {
    if (json) {
      Console.of(spec).json(result);
    } else {
      text.accept(Console.of(spec), result);
    }
  }

  static String said(ModelHead head) {
    long tip = HeadRules.tipVersion(head);
    return Sentence.of(
        "%s serves version %d%s; training grows from %s%s.",
        head.getModel(),
        head.getVersion(),
        head.getPinned() ? ", pinned" : "",
        tip == head.getVersion() ? "it" : "version " + tip,
        head.getShadowVersion() == null
            ? ""
            : "; version " + head.getShadowVersion() + " shadows it" + promotion(head));
  }

  private static String promotion(ModelHead head) {
    PromotionWish wish = head.getPromotion();
    return wish == null ? "" : " until it is shown to be better (error " + wish.getError() + ")";
  }

  private record Changed(
      String model, boolean dryRun, List<String> changes, @JsonUnwrapped HeadState head) {}
}
