package io.holdfast.cli.models;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.ExitCode;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast models show}. */
@Command(
    name = "show",
    description = "Shows a version's manifest: what it is made of and what it learned from.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast models show bikes", "  holdfast models show bikes@12 --json"})
final class ModelsShowCommand implements Callable<Integer> {
  private static final int CATEGORIES_SHOWN = 12;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "MODEL[@VERSION]",
      converter = VersionName.Reader.class,
      description = "The version (default: the one that serves).")
  private VersionName name;

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    ModelTopic topic = ModelTopic.read(config.settings());
    ModelManifest manifest = name.manifest(topic);
    Optional<ModelManifest> parent = topic.parent(manifest);
    Console console = Console.of(spec);
    if (json) {
      console.json(json(topic, manifest, parent));
    } else {
      print(console, topic, manifest, parent);
    }
    return ExitCode.OK;
  }

  private static void print(
      Console console, ModelTopic topic, ModelManifest manifest, Optional<ModelManifest> parent) {
    console.line("%s, version %d", manifest.getModel(), manifest.getVersion());
    Table facts = new Table(true, "", "");
    facts.line("hash", topic.hash(manifest).hex());
    facts.line(
        "parent",
        parent
            .map(from -> Sentence.of("%d, %s", from.getVersion(), topic.hash(from)))
            .orElse(hex(manifest) == null ? "none" : hex(manifest) + " (tidied away)"));
    facts.line(
        "published", topic.publishedAt(manifest) + ", by Holdfast " + manifest.getProgramVersion());
    @Nullable String fault = fault(topic, manifest);
    facts.line("verified", fault == null ? "yes" : "NO: " + fault);
    facts.line("objective", objective(manifest));
    facts.line("gamma", String.valueOf(manifest.getGamma()));
    facts.line("base", base(manifest));
    facts.line("environments", String.join(", ", manifest.getEnvironments()));
    facts.line("seed", String.valueOf(manifest.getSeed()));
    facts.line("window", ranges(manifest.getWindow()));
    facts.line("memory", memory(Memory.of(manifest)));
    facts.line("settings", manifest.getSettings());
    console.text(facts.toString());

    console.line("%nFeatures (%d)", manifest.getFeatures().size());
    Table features = new Table(true, "name", "type", "categories");
    for (ManifestFeature feature : manifest.getFeatures()) {
      features.line(
          ColumnName.of(feature.getName()),
          feature.getCategorical() ? "categorical" : "numeric",
          categories(feature.getCategories()));
    }
    console.text(features.toString());

    Set<Digest> inherited = digests(parent);
    console.line(
        "%nSegments (%d, %d trees)",
        manifest.getSegments().size(), ModelsListCommand.trees(manifest));
    Table segments = new Table("sha256", "trees", "bytes", "decay", "new");
    for (ManifestSegment segment : manifest.getSegments()) {
      Digest digest = Digest.fromBytes(segment.getSha256().bytes());
      int bytes = topic.segmentBytes(manifest.getModel(), segment);
      segments.line(
          digest.hex().substring(0, 12),
          String.valueOf(segment.getTrees()),
          bytes < 0 ? "missing" : String.valueOf(bytes),
          String.valueOf(segment.getDecay()),
          inherited.contains(digest) ? "" : "yes");
    }
    console.text(segments.toString());

    printKept(console, topic, manifest);
    console.line("%nMetrics of training");
    Table metrics = new Table("metric", "value");
    new TreeMap<>(manifest.getMetrics())
        .forEach((metric, value) -> metrics.line(metric, String.valueOf(value)));
    console.text(metrics.toString());
  }

  private static void printKept(Console console, ModelTopic topic, ModelManifest manifest) {
    List<KeptRecord> records = KeptRecord.of(topic, manifest);
    if (records.isEmpty()) {
      return;
    }
    console.line("%nKept for training (%d)", records.size());
    Table kept = new Table(true, "what", "sha256", "features", "rows", "bytes");
    for (KeptRecord record : records) {
      kept.line(
          record.what(),
          record.digest().hex().substring(0, 12),
          String.valueOf(record.features()),
          String.valueOf(record.rows()),
          record.bytes() < 0 ? "missing" : String.valueOf(record.bytes()));
    }
    console.text(kept.toString());
  }

  private static ObjectNode json(
      ModelTopic topic, ModelManifest manifest, Optional<ModelManifest> parent) {
    ObjectNode node = Json.object();
    node.put("model", manifest.getModel());
    node.put("version", manifest.getVersion());
    node.put("hash", topic.hash(manifest).hex());
    node.put("parentVersion", parent.map(ModelManifest::getVersion).orElse(null));
    node.put("parentHash", hex(manifest));
    node.put("publishedAt", topic.publishedAt(manifest).toString());
    @Nullable String fault = fault(topic, manifest);
    node.put("verified", fault == null);
    node.put("fault", fault);
    node.put("objective", manifest.getObjective());
    node.set("objectiveParameters", Json.figures(manifest.getObjectiveParameters()));
    node.put("gamma", manifest.getGamma());
    Json.put(node, "base", manifest.getBase().stream().mapToDouble(Double::doubleValue).toArray());
    node.put("linearTerms", manifest.getLinear().size());
    ArrayNode features = node.putArray("features");
    for (ManifestFeature feature : manifest.getFeatures()) {
      ObjectNode one = features.addObject();
      one.put("name", feature.getName());
      one.put("categorical", feature.getCategorical());
      ArrayNode categories = one.putArray("categories");
      feature.getCategories().forEach(categories::add);
    }
    Set<Digest> inherited = digests(parent);
    ArrayNode segments = node.putArray("segments");
    for (ManifestSegment segment : manifest.getSegments()) {
      Digest digest = Digest.fromBytes(segment.getSha256().bytes());
      int bytes = topic.segmentBytes(manifest.getModel(), segment);
      ObjectNode one = segments.addObject();
      one.put("sha256", digest.hex());
      one.put("trees", segment.getTrees());
      one.put("decay", segment.getDecay());
      one.put("bytes", bytes < 0 ? null : Integer.valueOf(bytes));
      one.put("new", !inherited.contains(digest));
    }
    ArrayNode kept = node.putArray("kept");
    KeptRecord.of(topic, manifest).forEach(record -> record.addTo(kept));
    node.put("trees", ModelsListCommand.trees(manifest));
    ranges(node.putArray("window"), manifest.getWindow());
    Memory memory = Memory.of(manifest);
    node.put("memoryRows", memory.rows());
    ranges(node.putArray("memory"), memory.ranges());
    ArrayNode environments = node.putArray("environments");
    manifest.getEnvironments().forEach(environments::add);
    node.put("seed", manifest.getSeed());
    node.set("settings", Json.parse(manifest.getSettings()));
    node.set("metrics", Json.figures(manifest.getMetrics()));
    node.put("programVersion", manifest.getProgramVersion());
    return node;
  }

  private static @Nullable String fault(ModelTopic topic, ModelManifest manifest) {
    try {
      var _ = topic.ledger().version(manifest.getModel(), manifest.getVersion());
      return null;
    } catch (LedgerException e) {
      return e.reason() + ": " + e.getMessage();
    }
  }

  private static @Nullable String hex(ModelManifest manifest) {
    var hash = manifest.getParentHash();
    return hash == null ? null : Digest.fromBytes(hash.bytes()).hex();
  }

  private static Set<Digest> digests(Optional<ModelManifest> parent) {
    Set<Digest> digests = new HashSet<>();
    parent.ifPresent(
        from ->
            from.getSegments()
                .forEach(segment -> digests.add(Digest.fromBytes(segment.getSha256().bytes()))));
    return digests;
  }

  private static String objective(ModelManifest manifest) {
    StringBuilder text = new StringBuilder(manifest.getObjective());
    new TreeMap<>(manifest.getObjectiveParameters())
        .forEach((key, value) -> text.append(", ").append(key).append(' ').append(value));
    return text.toString();
  }

  private static String base(ModelManifest manifest) {
    String constants = String.join(", ", manifest.getBase().stream().map(String::valueOf).toList());
    return manifest.getLinear().isEmpty()
        ? constants
        : Sentence.of("%s, and %d linear terms", constants, manifest.getLinear().size());
  }

  private static String categories(List<String> categories) {
    if (categories.size() <= CATEGORIES_SHOWN) {
      return String.join(", ", categories);
    }
    return Sentence.of(
        "%s and %d more",
        String.join(", ", categories.subList(0, CATEGORIES_SHOWN)),
        categories.size() - CATEGORIES_SHOWN);
  }

  private static String memory(Memory memory) {
    if (memory.rows() == 0 && memory.ranges().isEmpty()) {
      return "none";
    }
    return memory.windows() == 0
        ? Sentence.of("%d rows of %s", memory.rows(), ranges(memory.ranges()))
        : Sentence.of(
            "%d rows of %d windows, %s", memory.rows(), memory.windows(), ranges(memory.ranges()));
  }

  private static String ranges(List<OffsetRange> ranges) {
    return ranges.isEmpty()
        ? "none"
        : String.join(
            ", ",
            ranges.stream()
                .map(
                    range ->
                        Sentence.of(
                            "%s-%d [%d, %d)",
                            range.getTopic(), range.getPartition(), range.getFrom(), range.getTo()))
                .toList());
  }

  private static void ranges(ArrayNode array, List<OffsetRange> ranges) {
    for (OffsetRange range : ranges) {
      ObjectNode node = array.addObject();
      node.put("topic", range.getTopic());
      node.put("partition", range.getPartition());
      node.put("from", range.getFrom());
      node.put("to", range.getTo());
    }
  }
}
