package io.holdfast.cli.models;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.options.CommandException;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.version.LedgerException;
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

  @Option(names = "--json", description = "Print the new head as JSON.")
  private boolean json;

  Settings settings() {
    return config.settings();
  }

  String by() {
    return by;
  }

  String why() {
    return why;
  }

  boolean json() {
    return json;
  }

  Console console() {
    return Console.of(spec);
  }

  /** Changes a model's head and prints the new one. */
  int apply(Settings settings, String model, HeadChange change) {
    try {
      print(HeadWriter.apply(settings, settings.model(model).name(), change, by, why));
      return ExitCode.OK;
    } catch (LedgerException e) {
      throw CommandException.failed("%s", e.getMessage());
    }
  }

  /** Lets another rung of a model score and prints the new head. */
  int climb(Settings settings, String model, double gamma) {
    try {
      print(HeadWriter.climb(settings, settings.model(model).name(), gamma, by, why));
      return ExitCode.OK;
    } catch (LedgerException e) {
      throw CommandException.failed("%s", e.getMessage());
    }
  }

  private void print(ModelHead head) {
    Console console = console();
    if (json) {
      console.json(json(head));
    } else {
      console.line("%s", said(head));
    }
  }

  /** The head in one line. */
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
            : "; version " + head.getShadowVersion() + " shadows it");
  }

  static ObjectNode json(ModelHead head) {
    ObjectNode node = Json.object();
    node.put("model", head.getModel());
    HeadJson.put(node, head);
    return node;
  }
}
