package io.holdfast.cli.models;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadRules;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast models history}. */
@Command(
    name = "history",
    description = "Lists a model's heads, oldest first: what served, who wanted it, why and when.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ModelsHistoryCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "MODEL",
      converter = VersionName.Reader.class,
      description = "The model.")
  private VersionName name;

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "1000",
      description = "The newest N alone (default: ${DEFAULT-VALUE}, all that are kept).")
  private int last;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    String model = name.alone();
    ModelTopic topic = ModelTopic.read(config.settings());
    topic.require(model);
    List<ModelHead> all = topic.ledger().history(model);
    List<ModelHead> heads = all.subList(Math.max(0, all.size() - Math.max(0, last)), all.size());
    Console console = Console.of(spec);
    if (json) {
      ObjectNode node = Json.object();
      node.put("model", model);
      ArrayNode array = node.putArray("heads");
      heads.forEach(head -> HeadJson.put(array.addObject(), head));
      console.json(node);
      return ExitCode.OK;
    }
    Table table =
        new Table(true, "head", "at", "done", "serves", "tip", "shadow", "pinned", "by", "why");
    for (ModelHead head : heads) {
      table.line(
          String.valueOf(head.getSequence()),
          head.getAt().toString(),
          head.getReason().name(),
          String.valueOf(head.getVersion()),
          String.valueOf(HeadRules.tipVersion(head)),
          head.getShadowVersion() == null ? "-" : String.valueOf(head.getShadowVersion()),
          head.getPinned() ? "yes" : "-",
          head.getBy(),
          head.getNote());
    }
    console.text(table.toString());
    return ExitCode.OK;
  }
}
