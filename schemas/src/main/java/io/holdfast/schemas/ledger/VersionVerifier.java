package io.holdfast.schemas.ledger;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.LedgerException.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes a model of a manifest and its segments, or says why it may not serve. Stateless. */
final class VersionVerifier {
  private VersionVerifier() {}

  /** Where segments are found by their digest. */
  @FunctionalInterface
  interface SegmentSource {
    /**
     * The trees, always the same instances.
     *
     * @throws LedgerException if they are missing or bad
     */
    List<Tree> trees(Digest digest) throws LedgerException;
  }

  /** Checks what a manifest says by itself. */
  static void checkAlone(ModelManifest manifest) throws LedgerException {
    boolean first = manifest.getVersion() == 0;
    require(
        first == (manifest.getParentHash() == null),
        "version %d must have a parent unless it is 0, and then none",
        manifest.getVersion());
    require(
        manifest.getBase().size() == 1 && Double.isFinite(manifest.getBase().getFirst()),
        "the base must be one finite number: %s",
        manifest.getBase());
    LedgerLimits.read(manifest.getSegments().size(), LedgerLimits.SEGMENTS, "the segments");
    LedgerLimits.read(manifest.getFeatures().size(), LedgerLimits.FEATURES, "the features");
    long trees = 0;
    for (ManifestSegment segment : manifest.getSegments()) {
      require(segment.getTrees() >= 1, "a segment must have a tree: %d", segment.getTrees());
      require(
          Double.isFinite(segment.getDecay()), "a decay must be finite: %s", segment.getDecay());
      trees += segment.getTrees();
    }
    LedgerLimits.read(trees, LedgerLimits.TREES, "the trees");
    Set<String> names = new HashSet<>();
    for (ManifestFeature feature : manifest.getFeatures()) {
      require(names.add(feature.getName()), "the feature %s is there twice", feature.getName());
      List<String> categories = feature.getCategories();
      LedgerLimits.read(
          categories.size(), LedgerLimits.CATEGORIES, "the categories of " + feature.getName());
      require(
          feature.getCategorical() || categories.isEmpty(),
          "the numeric feature %s has categories",
          feature.getName());
      require(
          new HashSet<>(categories).size() == categories.size(),
          "the feature %s has a category twice",
          feature.getName());
    }
  }

  /**
   * Checks that a version may follow its parent: the same features in the same order, with
   * categories only appended, so that older trees mean what they meant.
   */
  static void checkFeatures(ModelManifest parent, ModelManifest child) throws LedgerException {
    List<ManifestFeature> before = parent.getFeatures();
    List<ManifestFeature> after = child.getFeatures();
    boolean same = before.size() == after.size();
    for (int i = 0; same && i < before.size(); i++) {
      List<String> older = before.get(i).getCategories();
      List<String> newer = after.get(i).getCategories();
      same =
          before.get(i).getName().equals(after.get(i).getName())
              && before.get(i).getCategorical() == after.get(i).getCategorical()
              && newer.size() >= older.size()
              && newer.subList(0, older.size()).equals(older);
    }
    if (!same) {
      throw new LedgerException(
          Reason.INCOMPATIBLE_FEATURES,
          Sentence.of(
              "version %d must have the features of its parent, version %d, with categories only"
                  + " appended",
              child.getVersion(), parent.getVersion()));
    }
  }

  /** The version; every segment is fetched before the first is decoded. */
  static LedgerVersion version(ModelManifest manifest, Digest hash, SegmentSource source)
      throws LedgerException {
    List<Digest> digests = new ArrayList<>();
    List<Segment> segments = new ArrayList<>();
    for (ManifestSegment named : manifest.getSegments()) {
      Digest digest = Digest.fromBytes(named.getSha256().bytes());
      List<Tree> trees = source.trees(digest);
      require(
          trees.size() == named.getTrees(),
          "segment %s has %d trees, and the manifest says %d",
          digest,
          trees.size(),
          named.getTrees());
      digests.add(digest);
      segments.add(new Segment(trees, named.getDecay()));
    }
    try {
      Objective objective = Objective.named(manifest.getObjective());
      require(
          objective.parameters().equals(manifest.getObjectiveParameters()),
          "the objective %s must have the parameters %s: %s",
          objective.name(),
          objective.parameters(),
          manifest.getObjectiveParameters());
      Model model =
          new Model(objective, features(manifest), manifest.getBase().getFirst(), segments);
      return new LedgerVersion(manifest, hash, List.copyOf(digests), model);
    } catch (IllegalArgumentException e) {
      throw new LedgerException(
          Reason.INCOMPATIBLE_FEATURES,
          Sentence.of("version %d is no model: %s", manifest.getVersion(), e.getMessage()));
    }
  }

  private static List<Feature> features(ModelManifest manifest) {
    List<Feature> features = new ArrayList<>();
    for (ManifestFeature feature : manifest.getFeatures()) {
      features.add(
          feature.getCategorical()
              ? new Feature.Categorical(feature.getName(), feature.getCategories())
              : new Feature.Numeric(feature.getName()));
    }
    return features;
  }

  @com.google.errorprone.annotations.FormatMethod
  private static void require(
      boolean condition,
      @com.google.errorprone.annotations.FormatString String message,
      Object... arguments)
      throws LedgerException {
    if (!condition) {
      throw new LedgerException(Reason.BAD_RECORD, Sentence.of(message, arguments));
    }
  }
}
