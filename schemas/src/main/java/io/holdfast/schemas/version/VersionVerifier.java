package io.holdfast.schemas.version;

import static io.holdfast.schemas.version.LedgerLimits.read;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ManifestRung;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ManifestTerm;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.LedgerException.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes a model of a manifest and its segments, or says why it may not serve. Stateless. */
public final class VersionVerifier {
  private VersionVerifier() {}

  /** Where segments are found by their digest. */
  @FunctionalInterface
  public interface SegmentSource {
    /** The trees, always the same instances. Throws LedgerException if they are missing or bad. */
    List<Tree> trees(Digest digest) throws LedgerException;
  }

  /** Checks what a manifest says by itself. */
  public static void checkAlone(ModelManifest manifest) throws LedgerException {
    boolean first = manifest.getVersion() == 0;
    require(
        first == (manifest.getParentHash() == null),
        "version %d must have a parent unless it is 0, and then none",
        manifest.getVersion());
    require(
        manifest.getParentVersion() < manifest.getVersion(),
        "version %d must be above its parent's, which is %d",
        manifest.getVersion(),
        manifest.getParentVersion());
    checkOutputs(manifest);
    read(manifest.getFeatures().size(), LedgerLimits.FEATURES, "the features");
    checkSegments(manifest.getSegments());
    read(manifest.getRungs().size(), LedgerLimits.RUNGS, "the rungs");
    for (ManifestRung rung : manifest.getRungs()) {
      checkSegments(rung.getSegments());
      checkParameters(rung.getObjectiveParameters());
    }
    UncertaintyCodec.checkAlone(manifest);
    LearnedCalibration.checkAlone(manifest);
    Set<String> names = new HashSet<>();
    for (ManifestFeature feature : manifest.getFeatures()) {
      require(names.add(feature.getName()), "the feature %s is there twice", feature.getName());
      List<String> categories = feature.getCategories();
      read(categories.size(), LedgerLimits.CATEGORIES, "the categories of " + feature.getName());
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

  static void checkSegments(List<ManifestSegment> segments) throws LedgerException {
    read(segments.size(), LedgerLimits.SEGMENTS, "the segments");
    long trees = 0;
    for (ManifestSegment segment : segments) {
      require(segment.getTrees() >= 1, "a segment must have a tree: %d", segment.getTrees());
      require(
          Double.isFinite(segment.getDecay()), "a decay must be finite: %s", segment.getDecay());
      trees += segment.getTrees();
    }
    read(trees, LedgerLimits.TREES, "the trees");
  }

  /** Before an objective is made of them. */
  private static void checkParameters(Map<String, Double> parameters) throws LedgerException {
    read(parameters.size(), LedgerLimits.PARAMETERS, "the parameters of the objective");
    double classes = parameters.getOrDefault("classes", 2.0);
    require(classes >= 2, "the classes of the objective must be 2 or more: %s", classes);
    read((long) classes, LedgerLimits.OUTPUTS, "the classes of the objective");
  }

  /** Before an objective is made of its parameters, or a base of its numbers. */
  private static void checkOutputs(ModelManifest manifest) throws LedgerException {
    read(manifest.getBase().size(), LedgerLimits.OUTPUTS, "the raw scores");
    checkParameters(manifest.getObjectiveParameters());
    read(manifest.getLinear().size(), LedgerLimits.FEATURES, "the terms of the linear base");
    long coefficients = 0;
    for (ManifestTerm term : manifest.getLinear()) {
      coefficients += term.getSlopes().size();
    }
    read(coefficients, LedgerLimits.COEFFICIENTS, "the coefficients of the linear base");
    try {
      var _ = BaseCodec.base(manifest);
    } catch (IllegalArgumentException e) {
      throw Reason.BAD_RECORD.because("the base is none: %s", e.getMessage());
    }
  }

  /**
   * Checks that a version may follow its parent: the same features in the same order, with
   * categories only appended, so that older trees mean what they meant.
   */
  public static void checkFeatures(ModelManifest parent, ModelManifest child)
      throws LedgerException {
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
    same =
        same
            && parent.getZeroMissing().equals(child.getZeroMissing())
            && parent.getOtherCategory().equals(child.getOtherCategory());
    if (!same) {
      throw Reason.INCOMPATIBLE_FEATURES.because(
          "version %d must have the features of its parent, version %d, with categories only"
              + " appended",
          child.getVersion(), parent.getVersion());
    }
  }

  /** The version; every segment is fetched before the first is decoded. */
  public static LedgerVersion version(
      ModelManifest manifest, Digest hash, SegmentSource source, Kept kept) throws LedgerException {
    read(manifest.getRungs().size(), LedgerLimits.RUNGS, "the rungs");
    List<Digest> digests = digests(manifest.getSegments());
    List<Segment> segments = segments(manifest.getSegments(), source);
    Objective objective = objective(manifest, manifest.getObjectiveParameters());
    try {
      Model model = new Model(objective, features(manifest), BaseCodec.base(manifest), segments);
      List<LedgerRung> rungs = new ArrayList<>();
      long numbers = TreeCodec.numbers(segments);
      for (ManifestRung named : manifest.getRungs()) {
        Model ofRung =
            new Model(
                objective(manifest, named.getObjectiveParameters()),
                model.features(),
                model.base(),
                segments(named.getSegments(), source));
        numbers += TreeCodec.numbers(ofRung.segments());
        read(numbers, LedgerLimits.TREE_NUMBERS, "the numbers in all trees");
        rungs.add(new LedgerRung(named.getGamma(), digests(named.getSegments()), ofRung));
      }
      RungRules.check(manifest.getGamma(), model, rungs, manifest.getRung());
      Uncertainty uncertainty = UncertaintyCodec.uncertainty(manifest, model, source);
      var version = new LedgerVersion(manifest, hash, digests, model, rungs, kept, uncertainty);
      var _ = version.objective(); // which refuses a correction of other classes
      return version;
    } catch (IllegalArgumentException e) {
      throw Reason.INCOMPATIBLE_FEATURES.because(
          "version %d is no model: %s", manifest.getVersion(), e.getMessage());
    }
  }

  static List<Digest> digests(List<ManifestSegment> segments) {
    return segments.stream().map(named -> Digest.of(named.getSha256())).toList();
  }

  static List<Segment> segments(List<ManifestSegment> manifest, SegmentSource source)
      throws LedgerException {
    List<Segment> segments = new ArrayList<>();
    for (ManifestSegment named : manifest) {
      Digest digest = Digest.of(named.getSha256());
      List<Tree> trees = source.trees(digest);
      require(
          trees.size() == named.getTrees(),
          "segment %s has %d trees, and the manifest says %d",
          digest,
          trees.size(),
          named.getTrees());
      segments.add(new Segment(trees, named.getDecay()));
    }
    read(TreeCodec.numbers(segments), LedgerLimits.TREE_NUMBERS, "the numbers in all trees");
    return segments;
  }

  private static Objective objective(ModelManifest manifest, Map<String, Double> parameters)
      throws LedgerException {
    try {
      return Objective.of(manifest.getObjective(), parameters);
    } catch (IllegalArgumentException e) {
      throw Reason.BAD_RECORD.because(
          "version %d has no objective that this program knows: %s",
          manifest.getVersion(), e.getMessage());
    }
  }

  private static List<Feature> features(ModelManifest manifest) throws LedgerException {
    List<Feature> features = new ArrayList<>();
    Set<Integer> zeroMissing = new HashSet<>(manifest.getZeroMissing());
    Set<Integer> otherCategory = new HashSet<>(manifest.getOtherCategory());
    for (ManifestFeature feature : manifest.getFeatures()) {
      int place = features.size();
      features.add(
          feature.getCategorical()
              ? new Feature.Categorical(
                  feature.getName(), feature.getCategories(), otherCategory.remove(place))
              : new Feature.Numeric(feature.getName(), zeroMissing.remove(place)));
    }
    require(
        zeroMissing.isEmpty() && otherCategory.isEmpty(),
        "zeros are missing of numeric features, and others are a category of categorical ones:"
            + " features %s and %s are none of these",
        zeroMissing,
        otherCategory);
    return features;
  }

  @FormatMethod
  private static void require(boolean condition, @FormatString String message, Object... arguments)
      throws LedgerException {
    if (!condition) {
      throw Reason.BAD_RECORD.because(message, arguments);
    }
  }
}
