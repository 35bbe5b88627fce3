package io.holdfast.cli.models;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.BaseCommand;
import io.holdfast.cli.options.ConfigFile;
import io.holdfast.cli.options.JsonOption;
import io.holdfast.cli.print.Console;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.print.Table;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.RetrainedVersion;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.Retrained;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description = "Shows a version's manifest: what it is made of and what it learned from.",
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast models show bikes", "  holdfast models show bikes@12 --json"})
final class ModelsShowCommand extends BaseCommand {
  private static final int CATEGORIES_SHOWN = 12;

  @Parameters(
      paramLabel = "MODEL[@VERSION]",
      description = "The version (default: the one that serves).")
  private VersionName name;

  @Mixin private ConfigFile config = new ConfigFile();
  @Mixin private JsonOption output = new JsonOption();

  /**
   * What a manifest says and the topic holds of it; {@code fault} is null if it can be verified.
   */
  @SuppressWarnings("UnusedVariable") // JSON has all of it
  private record Shown(
      String model,
      long version,
      Digest hash,
      @Nullable Long parentVersion,
      @Nullable String parentHash,
      Instant publishedAt,
      boolean verified,
      @Nullable String fault,
      String objective,
      Map<String, Double> objectiveParameters,
      List<String> classes,
      double gamma,
      List<Double> base,
      int linearTerms,
      List<ManifestFeature> features,
      List<Segment> segments,
      List<KeptRecord> kept,
      int trees,
      List<OffsetRange> window,
      long memoryRows,
      List<OffsetRange> memory,
      List<String> environments,
      long seed,
      JsonNode settings,
      Map<String, Double> metrics,
      String programVersion,
      int forgottenKeys,
      @Nullable Without without) {

    static Shown of(ModelTopic topic, ModelManifest manifest) {
      Optional<ModelManifest> parent = topic.parent(manifest);
      @Nullable String fault = problem(topic, manifest);
      Set<Digest> inherited =
          parent.stream()
              .flatMap(from -> from.getSegments().stream())
              .map(segment -> Digest.fromBytes(segment.getSha256().bytes()))
              .collect(Collectors.toSet());
      Memory memory = Memory.of(manifest);
      return new Shown(
          manifest.getModel(),
          manifest.getVersion(),
          topic.hash(manifest),
          parent.map(ModelManifest::getVersion).orElse(null),
          hex(manifest),
          topic.publishedAt(manifest),
          fault == null,
          fault,
          manifest.getObjective(),
          manifest.getObjectiveParameters(),
          ModelSettings.classes(manifest.getSettings()),
          manifest.getGamma(),
          manifest.getBase(),
          manifest.getLinear().size(),
          manifest.getFeatures(),
          manifest.getSegments().stream()
              .map(one -> Segment.of(topic, manifest.getModel(), one, inherited))
              .toList(),
          KeptRecord.of(topic, manifest),
          ModelsListCommand.trees(manifest),
          manifest.getWindow(),
          memory.rows(),
          memory.ranges(),
          manifest.getEnvironments(),
          manifest.getSeed(),
          Json.parse(manifest.getSettings()),
          manifest.getMetrics(),
          manifest.getProgramVersion(),
          Retrained.rows(manifest).stream().mapToInt(rows -> rows.getKeys().size()).sum(),
          Without.of(manifest));
    }
  }

  /** The number and the hash that a version has where forgotten rows were never there. */
  private record Without(long version, Digest hash) {
    static @Nullable Without of(ModelManifest manifest) {
      RetrainedVersion would = Retrained.of(manifest);
      return would == null ? null : new Without(would.getVersion(), Digest.of(would.getHash()));
    }
  }

  /** A segment whose leaf values are multiplied by {@code decay}; null bytes: not on the topic. */
  private record Segment(
      Digest sha256,
      int trees,
      double decay,
      @Nullable Integer bytes,
      @JsonProperty("new") boolean isNew) {
    static Segment of(
        ModelTopic topic, String model, ManifestSegment segment, Set<Digest> inherited) {
      Digest digest = Digest.fromBytes(segment.getSha256().bytes());
      return new Segment(
          digest,
          segment.getTrees(),
          segment.getDecay(),
          KeptRecord.size(topic.segmentBytes(model, segment)),
          !inherited.contains(digest));
    }
  }

  @Override
  protected void run() {
    ModelTopic topic = ModelTopic.read(config.settings());
    ModelManifest manifest = name.manifest(topic);
    output.print(
        Shown.of(topic, manifest), (console, shown) -> print(console, shown, Memory.of(manifest)));
  }

  private static void print(Console console, Shown shown, Memory memory) {
    console.line("%s, version %d", shown.model(), shown.version());
    String parent =
        shown.parentVersion() != null
            ? Sentence.of("%d, %s", shown.parentVersion(), shown.parentHash())
            : shown.parentHash() == null ? "none" : shown.parentHash() + " (tidied away)";
    Table facts =
        new Table(true, "", "")
            .line("hash", shown.hash().hex())
            .line("parent", parent)
            .line("published", shown.publishedAt() + ", by Holdfast " + shown.programVersion())
            .line("verified", shown.verified() ? "yes" : "NO: " + shown.fault())
            .line("objective", objective(shown))
            .line("gamma", String.valueOf(shown.gamma()))
            .line("base", base(shown))
            .line("environments", String.join(", ", shown.environments()))
            .line("seed", String.valueOf(shown.seed()))
            .line("window", ranges(shown.window()))
            .line("memory", memory(memory))
            .line("settings", shown.settings().toString());
    if (shown.forgottenKeys() > 0) {
      facts.line("forgets", forgets(shown));
    }
    console.text(facts.toString());

    console.line("%nFeatures (%d)", shown.features().size());
    Table features = new Table(true, "name", "type", "categories");
    for (ManifestFeature feature : shown.features()) {
      features.line(
          ColumnName.of(feature.getName()),
          feature.getCategorical() ? "categorical" : "numeric",
          categories(feature.getCategories()));
    }
    console.text(features.toString());

    console.line("%nSegments (%d, %d trees)", shown.segments().size(), shown.trees());
    Table segments = new Table("sha256", "trees", "bytes", "decay", "new");
    for (Segment segment : shown.segments()) {
      segments.line(
          segment.sha256().hex().substring(0, 12),
          segment.trees(),
          bytes(segment.bytes()),
          segment.decay(),
          segment.isNew() ? "yes" : "");
    }
    console.text(segments.toString());

    printKept(console, shown.kept());
    console.line("%nMetrics of training");
    Table metrics = new Table("metric", "value");
    new TreeMap<>(shown.metrics()).forEach((metric, value) -> metrics.line(metric, value));
    console.text(metrics.toString());
  }

  private static String forgets(Shown shown) {
    Without without = shown.without();
    return Sentence.of(
        "rows of %d keys%s",
        shown.forgottenKeys(),
        without == null
            ? ""
            : Sentence.of(
                "; without them it is version %d, %s", without.version(), without.hash()));
  }

  private static void printKept(Console console, List<KeptRecord> records) {
    if (records.isEmpty()) {
      return;
    }
    console.line("%nKept for training (%d)", records.size());
    Table kept = new Table(true, "what", "sha256", "features", "rows", "bytes");
    for (KeptRecord record : records) {
      kept.line(
          record.kind(),
          record.sha256().hex().substring(0, 12),
          record.features(),
          record.rows(),
          bytes(record.bytes()));
    }
    console.text(kept.toString());
  }

  private static String bytes(@Nullable Integer bytes) {
    return bytes == null ? "missing" : String.valueOf(bytes);
  }

  private static @Nullable String problem(ModelTopic topic, ModelManifest manifest) {
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

  private static String objective(Shown shown) {
    StringBuilder text = new StringBuilder(shown.objective());
    new TreeMap<>(shown.objectiveParameters())
        .forEach((key, value) -> text.append(", ").append(key).append(' ').append(value));
    if (!shown.classes().isEmpty()) {
      text.append(": ").append(categories(shown.classes()));
    }
    return text.toString();
  }

  private static String base(Shown shown) {
    String constants = shown.base().stream().map(String::valueOf).collect(Collectors.joining(", "));
    return shown.linearTerms() == 0
        ? constants
        : Sentence.of("%s, and %d linear terms", constants, shown.linearTerms());
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
        : ranges.stream()
            .map(
                range ->
                    Sentence.of(
                        "%s-%d [%d, %d)",
                        range.getTopic(), range.getPartition(), range.getFrom(), range.getTo()))
            .collect(Collectors.joining(", "));
  }
}
