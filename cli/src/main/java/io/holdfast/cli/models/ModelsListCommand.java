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
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.version.Digest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast models list}. */
@Command(
    name = "list",
    description = "Lists the models of the configuration and of the model topic.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ModelsListCommand implements Callable<Integer> {
  private static final String NONE = "-";

  @Spec private CommandSpec spec;
  @Mixin private ConfigFile config = new ConfigFile();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Settings settings = config.settings();
    ModelTopic topic = ModelTopic.read(settings);
    var names = new TreeSet<>(settings.models().keySet());
    names.addAll(topic.models());
    Instant now = Clock.systemUTC().instant();
    Console console = Console.of(spec);
    if (json) {
      ObjectNode node = Json.object();
      ArrayNode models = node.putArray("models");
      for (String name : names) {
        ObjectNode model = models.addObject();
        model.put("model", name);
        model.put("configured", settings.models().containsKey(name));
        List<ModelManifest> versions = topic.ledger().versions(name);
        model.put("versions", versions.size());
        model.put("newest", versions.isEmpty() ? null : versions.getLast().getVersion());
        topic.ledger().head(name).ifPresent(head -> serving(model, head, topic, now));
      }
      console.json(node);
      return ExitCode.OK;
    }
    Table table =
        new Table("model", "serves", "tip", "shadow", "pinned", "versions", "trees", "age", "hash");
    for (String name : names) {
      Optional<ModelHead> head = topic.ledger().head(name);
      String versions = String.valueOf(topic.ledger().versions(name).size());
      table.line(
          head.map(present -> line(name, present, versions, topic, now))
              .orElse(new String[] {name, NONE, NONE, NONE, NONE, versions, NONE, NONE, NONE}));
    }
    console.text(table.toString());
    List<String> missing =
        settings.models().keySet().stream().filter(name -> !topic.models().contains(name)).toList();
    if (!missing.isEmpty()) {
      console.line(
          "Without a version yet: %s. The trainer publishes the first once it knows the records'"
              + " schema.",
          String.join(", ", missing));
    }
    return ExitCode.OK;
  }

  private static String[] line(
      String name, ModelHead head, String versions, ModelTopic topic, Instant now) {
    return new String[] {
      name,
      String.valueOf(head.getVersion()),
      String.valueOf(HeadRules.tipVersion(head)),
      head.getShadowVersion() == null ? NONE : String.valueOf(head.getShadowVersion()),
      head.getPinned() ? "yes" : NONE,
      versions,
      String.valueOf(trees(topic.manifest(name, head.getVersion()))),
      age(Duration.between(head.getAt(), now)),
      Digest.fromBytes(head.getHash().bytes()).hex().substring(0, 12)
    };
  }

  private static void serving(ObjectNode model, ModelHead head, ModelTopic topic, Instant now) {
    HeadJson.put(model, head);
    model.put("ageSeconds", Duration.between(head.getAt(), now).toSeconds());
    model.put("trees", trees(topic.manifest(head.getModel(), head.getVersion())));
  }

  static int trees(ModelManifest manifest) {
    return manifest.getSegments().stream().mapToInt(segment -> segment.getTrees()).sum();
  }

  /** For example {@code 40 s}, {@code 3 h} or {@code 12 d}. */
  static String age(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 7_200) {
      return seconds / 60 + " min";
    }
    return seconds < 172_800 ? seconds / 3_600 + " h" : seconds / 86_400 + " d";
  }
}
