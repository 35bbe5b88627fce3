package io.holdfast.cli.models;

import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.avro.ModelHead;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "history",
    description = "Lists a model's heads, oldest first: what served, who wanted it, why and when.",
    sortOptions = false)
final class ModelsHistoryCommand extends BaseCommand {
  @Parameters(paramLabel = "MODEL", description = "The model.")
  private VersionName name;

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "1000",
      description = "The newest N alone (default: ${DEFAULT-VALUE}, all that are kept).")
  private int last;

  @Mixin private JsonOption output = new JsonOption();

  private record History(String model, List<HeadState> heads) {}

  @Override
  protected void run() {
    String model = name.alone();
    ModelTopic topic = ModelTopic.read(config.settings());
    topic.require(model);
    List<ModelHead> all = topic.ledger().history(model);
    List<ModelHead> heads = all.subList(Math.max(0, all.size() - Math.max(0, last)), all.size());
    output.print(
        new History(model, heads.stream().map(HeadState::of).toList()),
        ModelsHistoryCommand::print);
  }

  private static void print(Console console, History history) {
    Table table =
        new Table(true, "head", "at", "done", "serves", "tip", "shadow", "pinned", "by", "why");
    for (HeadState head : history.heads()) {
      table.line(
          head.sequence(),
          head.at().toString(),
          head.reason().name(),
          head.version(),
          head.tipVersion(),
          head.shadow(),
          head.pinned() ? "yes" : "-",
          head.by(),
          head.why());
    }
    console.text(table.toString());
  }
}
