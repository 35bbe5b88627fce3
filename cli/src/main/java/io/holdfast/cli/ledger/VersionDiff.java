package io.holdfast.cli.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.print.Json;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ManifestTerm;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.TermRange;
import io.holdfast.schemas.version.Digest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What differs between the manifests of two versions, which determine scores alone: settings and
 * metrics by key, features in sentences, the trees of segments that both or one of them name, and
 * shared segments with other weights. Immutable.
 */
public record VersionDiff(
    List<Change> settings,
    List<Change> metrics,
    List<String> features,
    Trees shared,
    Trees onlyA,
    Trees onlyB,
    List<Change> decayed) {

  /** A value that differs, or is absent in one of the two. */
  public record Change(String name, @Nullable String a, @Nullable String b) {}

  public record Trees(int segments, int trees) {}

  public static VersionDiff of(ModelManifest a, ModelManifest b) {
    Map<Digest, ManifestSegment> ofA = segments(a);
    Map<Digest, ManifestSegment> ofB = segments(b);
    List<Change> decayed = new ArrayList<>();
    ofA.forEach(
        (digest, segment) -> {
          ManifestSegment other = ofB.get(digest);
          if (other != null && segment.getDecay() != other.getDecay()) {
            decayed.add(
                new Change(
                    digest.hex(),
                    Double.toString(segment.getDecay()),
                    Double.toString(other.getDecay())));
          }
        });
    return new VersionDiff(
        changes(settings(a), settings(b)),
        changes(figures(a), figures(b)),
        features(a.getFeatures(), b.getFeatures()),
        trees(ofA, ofB, true),
        trees(ofA, ofB, false),
        trees(ofB, ofA, false),
        decayed);
  }

  private static List<Change> changes(Map<String, String> a, Map<String, String> b) {
    var names = new TreeSet<>(a.keySet());
    names.addAll(b.keySet());
    List<Change> changes = new ArrayList<>();
    for (String name : names) {
      if (!Objects.equals(a.get(name), b.get(name))) {
        changes.add(new Change(name, a.get(name), b.get(name)));
      }
    }
    return changes;
  }

  private static Map<String, String> settings(ModelManifest manifest) {
    Map<String, String> values = new LinkedHashMap<>();
    flatten("", Json.parse(manifest.getSettings()), values);
    values.put("manifest.objective", manifest.getObjective());
    manifest
        .getObjectiveParameters()
        .forEach((name, value) -> values.put("manifest.objective." + name, "" + value));
    values.put("manifest.gamma", "" + manifest.getGamma());
    values.put("manifest.base", manifest.getBase().toString());
    for (ManifestTerm term : manifest.getLinear()) {
      TermRange range = term.getRange();
      String name = manifest.getFeatures().get(term.getFeature()).getName();
      values.put(
          "manifest.linear." + name,
          (term.getMean() == null ? "" : "mean " + term.getMean() + " ")
              + term.getSlopes()
              + (range == null ? "" : " within " + range.getLow() + " to " + range.getHigh()));
    }
    values.put("manifest.seed", "" + manifest.getSeed());
    values.put("manifest.environments", String.join(", ", manifest.getEnvironments()));
    values.put("manifest.programVersion", manifest.getProgramVersion());
    return values;
  }

  private static void flatten(String prefix, JsonNode node, Map<String, String> values) {
    if (!node.isObject()) {
      values.put(prefix, node.isTextual() ? node.asText() : node.toString());
      return;
    }
    node.properties()
        .forEach(
            field ->
                flatten(
                    prefix.isEmpty() ? field.getKey() : prefix + "." + field.getKey(),
                    field.getValue(),
                    values));
  }

  private static Map<String, String> figures(ModelManifest manifest) {
    Map<String, String> figures = new LinkedHashMap<>();
    manifest.getMetrics().forEach((name, value) -> figures.put(name, "" + value));
    return figures;
  }

  private static List<String> features(List<ManifestFeature> a, List<ManifestFeature> b) {
    Map<String, ManifestFeature> before = new LinkedHashMap<>();
    a.forEach(feature -> before.put(feature.getName(), feature));
    List<String> sentences = new ArrayList<>();
    for (ManifestFeature feature : b) {
      ManifestFeature was = before.remove(feature.getName());
      if (was == null) {
        sentences.add(feature.getName() + ": new");
      } else if (was.getCategorical() != feature.getCategorical()) {
        sentences.add(
            feature.getName()
                + (feature.getCategorical()
                    ? ": categorical, was numeric"
                    : ": numeric, was categorical"));
      } else if (!was.getCategories().equals(feature.getCategories())) {
        sentences.add(
            feature.getName() + ": " + categories(was.getCategories(), feature.getCategories()));
      }
    }
    before.keySet().forEach(name -> sentences.add(name + ": gone"));
    if (sentences.isEmpty() && !names(a).equals(names(b))) {
      sentences.add("the order of the features");
    }
    return sentences;
  }

  private static List<String> names(List<ManifestFeature> features) {
    return features.stream().map(ManifestFeature::getName).toList();
  }

  private static String categories(List<String> a, List<String> b) {
    List<String> more = new ArrayList<>(b);
    more.removeAll(a);
    List<String> fewer = new ArrayList<>(a);
    fewer.removeAll(b);
    List<String> parts = new ArrayList<>();
    if (!more.isEmpty()) {
      parts.add("more categories: " + String.join(", ", more));
    }
    if (!fewer.isEmpty()) {
      parts.add("fewer categories: " + String.join(", ", fewer));
    }
    return parts.isEmpty() ? "categories in another order" : String.join("; ", parts);
  }

  private static Map<Digest, ManifestSegment> segments(ModelManifest manifest) {
    Map<Digest, ManifestSegment> segments = new LinkedHashMap<>();
    for (ManifestSegment segment : manifest.getSegments()) {
      segments.put(Digest.fromBytes(segment.getSha256().bytes()), segment);
    }
    return segments;
  }

  private static Trees trees(
      Map<Digest, ManifestSegment> some, Map<Digest, ManifestSegment> others, boolean inBoth) {
    List<ManifestSegment> named =
        some.entrySet().stream()
            .filter(segment -> others.containsKey(segment.getKey()) == inBoth)
            .map(Map.Entry::getValue)
            .toList();
    return new Trees(named.size(), named.stream().mapToInt(ManifestSegment::getTrees).sum());
  }
}
