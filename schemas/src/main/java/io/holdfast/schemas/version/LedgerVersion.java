package io.holdfast.schemas.version;

import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.select.GammaVariant;
import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.ClassLabels;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.feature.MissingWords;
import io.holdfast.schemas.feature.UnseenListener;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A verified version: its manifest, the hash of that, the digests of its segments, and its models.
 * Immutable.
 *
 * @param grown the model that training grew and grows from
 * @param rungs its trees with the leaf values of other gammas, ascending; none if there is no
 *     ladder
 * @param kept what training goes on with beside it; nothing to a ledger that only scores
 * @param uncertainty how sure its scores are; null if it does not say
 */
public record LedgerVersion(
    ModelManifest manifest,
    Digest hash,
    List<Digest> segments,
    Model grown,
    List<LedgerRung> rungs,
    Kept kept,
    @Nullable Uncertainty uncertainty) {
  public LedgerVersion {
    rungs = List.copyOf(rungs);
  }

  /** A version without a ladder that keeps nothing beside its model. */
  public LedgerVersion(ModelManifest manifest, Digest hash, List<Digest> segments, Model model) {
    this(manifest, hash, segments, model, List.of(), Kept.NONE, null);
  }

  /** The bins that training goes on with; null if the next window finds its own. */
  public @Nullable Bins bins() {
    return kept.bins();
  }

  /** What is no value to it, beside the usual words. */
  public MissingWords missingWords() {
    return MissingWords.of(ModelSettings.missingWords(manifest.getSettings()));
  }

  /** The path of the field that says a record's environment; null if there is none. */
  public @Nullable String environment() {
    return ModelSettings.environment(manifest.getSettings());
  }

  /** Its classes by name, if it knows names. */
  public ClassLabels classes() {
    return ClassLabels.of(ModelSettings.classes(manifest.getSettings()));
  }

  /**
   * The decoder of records for the model that scores.
   *
   * @param unseen is told of categories that the model does not know
   * @throws MalformedRecordException if the schema cannot give the features
   */
  public FeatureDecoder decoder(Schema writer, UnseenListener unseen)
      throws MalformedRecordException {
    return FeatureDecoder.compile(
        writer, model().features(), new FeatureDecoder.Rules(missingWords(), unseen));
  }

  /** The same, where nobody listens. */
  public FeatureDecoder decoder(Schema writer) throws MalformedRecordException {
    return decoder(writer, UnseenListener.NONE);
  }

  /** Works out where labels are promised to be, for one thread; null if it does not say. */
  public @Nullable RowBounds bounds() {
    if (uncertainty == null) {
      return null;
    }
    Model spreads = uncertainty.spreads();
    return new RowBounds(uncertainty, objective(), spreads == null ? null : Scorer.of(spreads));
  }

  /** What corrects its probabilities; null if nothing does. */
  public @Nullable LearnedCalibration calibration() {
    return LearnedCalibration.of(manifest);
  }

  /** What its scores mean: the model's objective, with probabilities corrected if they are. */
  public Objective objective() {
    return LearnedCalibration.objective(manifest, model().objective());
  }

  public long number() {
    return manifest.getVersion();
  }

  /** The model that scores: that of the rung which the manifest names, or else the grown one. */
  public Model model() {
    Double served = manifest.getRung();
    if (served != null) {
      for (LedgerRung rung : rungs) {
        if (rung.gamma() == served) {
          return rung.model();
        }
      }
    }
    return grown;
  }

  /** The gamma of the leaf values that score. */
  public double servedGamma() {
    Double served = manifest.getRung();
    return served == null ? manifest.getGamma() : served;
  }

  /**
   * The same with the leaf values of another gamma that it has, to ask what they would say; empty
   * if it has none of that gamma. The hash stays this version's: it is never published.
   */
  public Optional<LedgerVersion> at(double gamma) {
    if (gamma != manifest.getGamma() && rungs.stream().noneMatch(rung -> rung.gamma() == gamma)) {
      return Optional.empty();
    }
    Double served = gamma == manifest.getGamma() ? null : (Double) gamma;
    ModelManifest other = ModelManifest.newBuilder(manifest).setRung(served).build();
    return Optional.of(new LedgerVersion(other, hash, segments, grown, rungs, kept, uncertainty));
  }

  /** The gammas that it has leaf values of, ascending. */
  public List<Double> gammas() {
    return DoubleStream.concat(
            DoubleStream.of(manifest.getGamma()), rungs.stream().mapToDouble(LedgerRung::gamma))
        .distinct()
        .sorted()
        .boxed()
        .toList();
  }

  /** All rungs but the grown one, to the engine. */
  public List<GammaVariant> engineRungs() {
    return rungs.stream().map(rung -> new GammaVariant(rung.gamma(), rung.model())).toList();
  }
}
