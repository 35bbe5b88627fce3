package io.holdfast.cli.models;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.ledger.VersionDiff;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.avro.ModelManifest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast models diff}. */
@Command(
    name = "diff",
    description = "Shows what differs between two versions.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExample:%n",
    footer = {
      "  holdfast models diff bikes@11 bikes@12",
      "",
      "Settings, base, figures of training, features with their categories, and which segments of",
      "trees the two share. What is not shown is the same.",
    })
final class ModelsDiffCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "A",
      converter = VersionName.Reader.class,
      description = "A version, MODEL[@VERSION].")
  private VersionName first;

  @Parameters(
      index = "1",
      paramLabel = "B",
      converter = VersionName.Reader.class,
      description = "Another.")
  private VersionName second;

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    ModelTopic topic = ModelTopic.read(config.settings());
    ModelManifest a = first.manifest(topic);
    ModelManifest b = second.manifest(topic);
    VersionDiff diff = VersionDiff.of(a, b);
    Console console = Console.of(spec);
    if (json) {
      console.json(json(topic, a, b, diff));
    } else {
      print(console, topic, a, b, diff);
    }
    return ExitCode.OK;
  }

  private static void print(
      Console console, ModelTopic topic, ModelManifest a, ModelManifest b, VersionDiff diff) {
    String nameA = name(a);
    String nameB = name(b);
    console.line("%s", relation(topic, a, b));
    if (topic.hash(a).equals(topic.hash(b))) {
      return;
    }
    console.line("");
    Table segments = new Table("segments", "number", "trees");
    segments.line("in both", "" + diff.shared().segments(), "" + diff.shared().trees());
    segments.line(
        "in " + nameA + " alone", "" + diff.onlyA().segments(), "" + diff.onlyA().trees());
    segments.line(
        "in " + nameB + " alone", "" + diff.onlyB().segments(), "" + diff.onlyB().trees());
    console.text(segments.toString());
    print(console, "decay of segment", nameA, nameB, diff.decayed());
    print(console, "setting", nameA, nameB, diff.settings());
    if (!diff.features().isEmpty()) {
      console.line("%nFeatures");
      diff.features().forEach(sentence -> console.line("  %s", sentence));
    }
    print(console, "metric of training", nameA, nameB, diff.metrics());
  }

  private static void print(
      Console console, String what, String nameA, String nameB, List<VersionDiff.Change> changes) {
    if (changes.isEmpty()) {
      return;
    }
    console.line("");
    Table table = new Table(what, nameA, nameB);
    for (VersionDiff.Change change : changes) {
      table.line(shortened(change.name()), text(change.a()), text(change.b()));
    }
    console.text(table.toString());
  }

  private static ObjectNode json(
      ModelTopic topic, ModelManifest a, ModelManifest b, VersionDiff diff) {
    ObjectNode node = Json.object();
    node.put("a", name(a));
    node.put("hashA", topic.hash(a).hex());
    node.put("b", name(b));
    node.put("hashB", topic.hash(b).hex());
    node.put("relation", relation(topic, a, b));
    trees(node.putObject("shared"), diff.shared());
    trees(node.putObject("onlyA"), diff.onlyA());
    trees(node.putObject("onlyB"), diff.onlyB());
    changes(node.putArray("decayed"), diff.decayed());
    changes(node.putArray("settings"), diff.settings());
    ArrayNode features = node.putArray("features");
    diff.features().forEach(features::add);
    changes(node.putArray("metrics"), diff.metrics());
    return node;
  }

  private static void trees(ObjectNode node, VersionDiff.Trees trees) {
    node.put("segments", trees.segments()).put("trees", trees.trees());
  }

  private static void changes(ArrayNode array, List<VersionDiff.Change> changes) {
    for (VersionDiff.Change change : changes) {
      array.addObject().put("name", change.name()).put("a", change.a()).put("b", change.b());
    }
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

  private static String text(@Nullable String value) {
    return value == null ? "-" : value;
  }

  private static String shortened(String name) {
    return name.length() == 64 ? name.substring(0, 12) : name;
  }
}
