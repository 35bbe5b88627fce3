package io.holdfast.trainer.rebuild;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ManifestReference;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.version.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Says in sentences how a rebuilt manifest differs from the stored one. */
final class ManifestDiff {
  private final List<String> sentences = new ArrayList<>();

  private ManifestDiff() {}

  /** A sentence for each field that differs; none if the two are equal. */
  static List<String> of(ModelManifest stored, ModelManifest rebuilt) {
    ManifestDiff diff = new ManifestDiff();
    diff.value("format", stored.getFormat(), rebuilt.getFormat());
    diff.value("model's name", stored.getModel(), rebuilt.getModel());
    diff.value("version", stored.getVersion(), rebuilt.getVersion());
    diff.value("parent's version", stored.getParentVersion(), rebuilt.getParentVersion());
    diff.value("parent's hash", hash(stored.getParentHash()), hash(rebuilt.getParentHash()));
    diff.value("training settings", stored.getSettings(), rebuilt.getSettings());
    diff.value("objective", stored.getObjective(), rebuilt.getObjective());
    diff.figures(
        "parameter",
        "of the objective",
        stored.getObjectiveParameters(),
        rebuilt.getObjectiveParameters());
    diff.value("gamma", stored.getGamma(), rebuilt.getGamma());
    diff.value("seed", stored.getSeed(), rebuilt.getSeed());
    diff.value("share of held-out rows", stored.getHeldOut(), rebuilt.getHeldOut());
    diff.list("the window's offsets", stored.getWindow(), rebuilt.getWindow());
    diff.list("the memory's offsets", stored.getMemory(), rebuilt.getMemory());
    diff.list("the replay buffer's windows", stored.getReplay(), rebuilt.getReplay());
    diff.list("the environments", stored.getEnvironments(), rebuilt.getEnvironments());
    diff.features(stored.getFeatures(), rebuilt.getFeatures());
    diff.list("the base", stored.getBase(), rebuilt.getBase());
    diff.list("the linear base's terms", stored.getLinear(), rebuilt.getLinear());
    diff.list(
        "the segments",
        stored.getSegments().stream().map(ManifestDiff::described).toList(),
        rebuilt.getSegments().stream().map(ManifestDiff::described).toList());
    diff.list("the rungs", stored.getRungs(), rebuilt.getRungs());
    diff.value("rung that scores", stored.getRung(), rebuilt.getRung());
    diff.value("hash of its bins", hash(stored.getBins()), hash(rebuilt.getBins()));
    diff.value(
        "training reference", described(stored.getReference()), described(rebuilt.getReference()));
    diff.value("uncertainty", stored.getUncertainty(), rebuilt.getUncertainty());
    diff.value("calibration", stored.getCalibration(), rebuilt.getCalibration());
    diff.figures("metric", "", stored.getMetrics(), rebuilt.getMetrics());
    diff.value("program version", stored.getProgramVersion(), rebuilt.getProgramVersion());
    return List.copyOf(diff.sentences);
  }

  private void value(String what, @Nullable Object stored, @Nullable Object rebuilt) {
    if (!Objects.equals(stored, rebuilt)) {
      sentences.add(Sentence.of("The %s is %s, and rebuilt %s.", what, stored, rebuilt));
    }
  }

  private void figures(
      String what, String whose, Map<String, Double> stored, Map<String, Double> rebuilt) {
    TreeSet<String> names = new TreeSet<>(stored.keySet());
    names.addAll(rebuilt.keySet());
    for (String name : names) {
      Double before = stored.get(name);
      Double after = rebuilt.get(name);
      if (!Objects.equals(before, after)) {
        sentences.add(
            Sentence.of(
                "The %s %s %sis %s, and rebuilt %s.",
                what,
                name,
                whose.isEmpty() ? "" : whose + " ",
                before == null ? "not there" : before.toString(),
                after == null ? "is not there" : after.toString()));
      }
    }
  }

  private void list(String what, List<?> stored, List<?> rebuilt) {
    int same = 0;
    while (same < Math.min(stored.size(), rebuilt.size())
        && stored.get(same).equals(rebuilt.get(same))) {
      same++;
    }
    if (same < Math.max(stored.size(), rebuilt.size())) {
      sentences.add(
          Sentence.of(
              "Of %s, %d stored and %d rebuilt, the first %d are the same; then comes %s, and"
                  + " rebuilt %s.",
              what, stored.size(), rebuilt.size(), same, at(stored, same), at(rebuilt, same)));
    }
  }

  private void features(List<ManifestFeature> stored, List<ManifestFeature> rebuilt) {
    list(
        "the features",
        stored.stream().map(ManifestDiff::described).toList(),
        rebuilt.stream().map(ManifestDiff::described).toList());
    for (int i = 0; i < Math.min(stored.size(), rebuilt.size()); i++) {
      if (described(stored.get(i)).equals(described(rebuilt.get(i)))) {
        list(
            "the categories of " + stored.get(i).getName(),
            stored.get(i).getCategories(),
            rebuilt.get(i).getCategories());
      }
    }
  }

  private static String at(List<?> list, int index) {
    return index < list.size() ? list.get(index).toString() : "nothing";
  }

  private static String hash(@Nullable Sha256Digest digest) {
    return digest == null ? "none" : Digest.fromBytes(digest.bytes()).hex();
  }

  private static String described(@Nullable ManifestReference reference) {
    return reference == null
        ? "none"
        : Sentence.of(
            "%s (%d rows since, %d of %d tested raised alarms)",
            Digest.fromBytes(reference.getSha256().bytes()),
            reference.getRowsSince(),
            reference.getRowsOfAlarms(),
            reference.getRowsTested());
  }

  private static String described(ManifestFeature feature) {
    return feature.getName() + (feature.getCategorical() ? " (categories)" : " (numbers)");
  }

  private static String described(ManifestSegment segment) {
    return Sentence.of(
        "%s (%d trees, decay %s)",
        Digest.fromBytes(segment.getSha256().bytes()), segment.getTrees(), segment.getDecay());
  }
}
