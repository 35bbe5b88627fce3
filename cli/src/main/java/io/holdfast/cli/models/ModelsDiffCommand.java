package io.holdfast.cli.models;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.ledger.VersionDiff;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.Digest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "diff",
    description = "Shows what differs between two versions.",
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast models diff bikes@11 bikes@12",
      "",
      "Settings, base, figures of training, features with their categories, and which segments of",
      "trees the two share. What is not shown is the same.",
    })
final class ModelsDiffCommand extends BaseCommand {
  @Parameters(index = "0", paramLabel = "A", description = "A version, MODEL[@VERSION].")
  private VersionName first;

  @Parameters(index = "1", paramLabel = "B", description = "Another.")
  private VersionName second;

  @Mixin private ConfigFile config = new ConfigFile();
  @Mixin private JsonOption output = new JsonOption();

  private record Compared(
      String a,
      Digest hashA,
      String b,
      Digest hashB,
      String relation,
      @JsonUnwrapped VersionDiff diff) {}

  @Override
  protected void run() {
    ModelTopic topic = ModelTopic.read(config.settings());
    ModelManifest a = first.manifest(topic);
    ModelManifest b = second.manifest(topic);
    output.print(
        new Compared(
            name(a),
            topic.hash(a),
            name(b),
            topic.hash(b),
            relation(topic, a, b),
            VersionDiff.of(a, b)),
        ModelsDiffCommand::print);
  }

  private static void print(Console console, Compared compared) {
    console.line("%s", compared.relation());
    if (compared.hashA().equals(compared.hashB())) {
      return;
    }
    VersionDiff diff = compared.diff();
    console.line("");
    Table segments = new Table("segments", "number", "trees");
    segments.line("in both", diff.shared().segments(), diff.shared().trees());
    segments.line("in " + compared.a() + " alone", diff.onlyA().segments(), diff.onlyA().trees());
    segments.line("in " + compared.b() + " alone", diff.onlyB().segments(), diff.onlyB().trees());
    console.text(segments.toString());
    print(console, "decay of segment", compared, diff.decayed());
    print(console, "setting", compared, diff.settings());
    if (!diff.features().isEmpty()) {
      console.line("%nFeatures");
      diff.features().forEach(sentence -> console.line("  %s", sentence));
    }
    print(console, "metric of training", compared, diff.metrics());
  }

  private static void print(
      Console console, String what, Compared compared, List<VersionDiff.Change> changes) {
    if (changes.isEmpty()) {
      return;
    }
    console.line("");
    Table table = new Table(what, compared.a(), compared.b());
    for (VersionDiff.Change change : changes) {
      table.line(
          shortened(change.name()),
          Objects.toString(change.a(), "-"),
          Objects.toString(change.b(), "-"));
    }
    console.text(table.toString());
  }

  private static String relation(ModelTopic topic, ModelManifest a, ModelManifest b) {
    if (topic.hash(a).equals(topic.hash(b))) {
      return name(a) + " and " + name(b) + " are the same version";
    }
    int down = steps(topic, b, a);
    if (down > 0) {
      return name(b) + " grew from " + name(a) + steps(down);
    }
    int up = steps(topic, a, b);
    return up > 0
        ? name(a) + " grew from " + name(b) + steps(up)
        : name(a) + " and " + name(b) + " are of different branches";
  }

  private static String steps(int steps) {
    return steps == 1 ? "" : " in " + steps + " steps";
  }

  /** How many parents {@code ancestor} is behind; 0 if it is none, or the chain is not there. */
  private static int steps(ModelTopic topic, ModelManifest from, ModelManifest ancestor) {
    int steps = 0;
    Optional<ModelManifest> at = Optional.of(from);
    while (at.isPresent() && !topic.hash(at.get()).equals(topic.hash(ancestor))) {
      at = topic.parent(at.get());
      steps++;
    }
    return at.isPresent() ? steps : 0;
  }

  private static String name(ModelManifest manifest) {
    return manifest.getModel() + "@" + manifest.getVersion();
  }

  private static String shortened(String name) {
    return name.length() == 64 ? name.substring(0, 12) : name;
  }
}
