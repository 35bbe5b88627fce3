package io.holdfast.cli.models;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.settings.Settings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "list",
    description = "Lists the models of the configuration and of the model topic.",
    sortOptions = false)
final class ModelsListCommand extends BaseCommand {
  private static final String NONE = "-";

  @Mixin private ConfigFile config = new ConfigFile();
  @Mixin private JsonOption output = new JsonOption();

  private record Listed(List<Model> models) {}

  private record Model(
      String model,
      boolean configured,
      int versions,
      @Nullable Long newest,
      @JsonUnwrapped @Nullable Serving serving) {}

  private record Serving(@JsonUnwrapped HeadState head, long ageSeconds, int trees) {}

  @Override
  protected void run() {
    Settings settings = config.settings();
    ModelTopic topic = ModelTopic.read(settings);
    var names = new TreeSet<>(settings.models().keySet());
    names.addAll(topic.models());
    Instant now = Clock.systemUTC().instant();
    List<Model> models = new ArrayList<>();
    for (String name : names) {
      List<ModelManifest> versions = topic.ledger().versions(name);
      models.add(
          new Model(
              name,
              settings.models().containsKey(name),
              versions.size(),
              versions.isEmpty() ? null : versions.getLast().getVersion(),
              topic.ledger().head(name).map(head -> serving(head, topic, now)).orElse(null)));
    }
    output.print(new Listed(models), (console, listed) -> print(console, listed, topic.models()));
  }

  private static Serving serving(ModelHead head, ModelTopic topic, Instant now) {
    return new Serving(
        HeadState.of(head),
        Duration.between(head.getAt(), now).toSeconds(),
        trees(topic.manifest(head.getModel(), head.getVersion())));
  }

  private static void print(Console console, Listed listed, List<String> onTopic) {
    Table table =
        new Table("model", "serves", "tip", "shadow", "pinned", "versions", "trees", "age", "hash");
    for (Model model : listed.models()) {
      String versions = String.valueOf(model.versions());
      Serving serving = model.serving();
      if (serving == null) {
        table.line(model.model(), NONE, NONE, NONE, NONE, versions, NONE, NONE, NONE);
        continue;
      }
      HeadState head = serving.head();
      table.line(
          model.model(),
          head.version(),
          head.tipVersion(),
          head.shadow(),
          head.pinned() ? "yes" : NONE,
          versions,
          serving.trees(),
          age(serving.ageSeconds()),
          head.hash().hex().substring(0, 12));
    }
    console.text(table.toString());
    String missing =
        listed.models().stream()
            .filter(model -> model.configured() && !onTopic.contains(model.model()))
            .map(Model::model)
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      console.line(
          "Without a version yet: %s. The trainer publishes the first once it knows the records'"
              + " schema.",
          missing);
    }
  }

  static int trees(ModelManifest manifest) {
    return manifest.getSegments().stream().mapToInt(segment -> segment.getTrees()).sum();
  }

  /** For example {@code 40 s}, {@code 3 h} or {@code 12 d}. */
  private static String age(long since) {
    long seconds = Math.max(0, since);
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 7_200) {
      return seconds / 60 + " min";
    }
    return seconds < 172_800 ? seconds / 3_600 + " h" : seconds / 86_400 + " d";
  }
}
