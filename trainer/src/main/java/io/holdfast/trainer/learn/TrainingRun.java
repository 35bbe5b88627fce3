package io.holdfast.trainer.learn;

import io.holdfast.boosting.AnchorLoss;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.schemas.ledger.Digest;
import io.holdfast.schemas.settings.ModelSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One update of a model: old segments leave over the tree budget, and new trees are appended to
 * what remains. Immutable.
 *
 * @param model the longer model
 * @param seed what everything random in it came from
 * @param droppedSegments how many old segments left
 * @param appendedTrees how many trees are new
 * @param before the anchor loss of what remained, before the first new tree
 * @param after the anchor loss of the longer model
 * @param safeguards how often a leaf system needed a safer form
 */
public record TrainingRun(
    Model model,
    long seed,
    int droppedSegments,
    int appendedTrees,
    AnchorLoss before,
    AnchorLoss after,
    int safeguards) {

  /** Extends {@code parent} for the version {@code version}, in arrays that change no bit of it. */
  static TrainingRun of(
      ModelSettings settings,
      Model parent,
      List<Feature> features,
      Rows rows,
      long version,
      Workspace workspace) {
    long seed = seed(settings, version);
    int dropped = segmentsOverBudget(parent, settings);
    Model remaining =
        new Model(
            parent.objective(),
            parent.features(),
            parent.base(),
            parent.segments().subList(dropped, parent.segments().size()));
    Fit fit =
        new Booster(seeded(settings.booster(), seed), workspace)
            .extend(remaining, features, rows, FitListener.NONE);
    return new TrainingRun(
        fit.model(),
        seed,
        dropped,
        fit.model().trees() - remaining.trees(),
        fit.losses().getFirst(),
        fit.losses().getLast(),
        fit.safeguards());
  }

  /** Whether every figure is finite: a model that overflowed must never serve. */
  boolean finite() {
    return Double.isFinite(after.total());
  }

  /** The manifest's figures about the run itself. */
  Map<String, Double> metrics() {
    TreeMap<String, Double> metrics = new TreeMap<>();
    metrics.put("anchorLossBefore", before.total());
    metrics.put("anchorLossAfter", after.total());
    metrics.put("anchorPenaltyAfter", after.penalty());
    metrics.put("safeguards", (double) safeguards);
    metrics.put("treesAppended", (double) appendedTrees);
    metrics.put("trees", (double) model.trees());
    metrics.put("segmentsDropped", (double) droppedSegments);
    return metrics;
  }

  /**
   * A seed of its own for each model and version: hashed, since seeds that differ by a step give
   * related streams.
   */
  static long seed(ModelSettings settings, long version) {
    String text = settings.booster().seed() + "/" + settings.name() + "/" + version;
    return ByteBuffer.wrap(Digest.of(text.getBytes(StandardCharsets.UTF_8)).bytes()).getLong();
  }

  private static int segmentsOverBudget(Model parent, ModelSettings settings) {
    int trees = parent.trees() + settings.treesOfUpdate();
    int dropped = 0;
    for (Segment segment : parent.segments()) {
      if (trees <= settings.update().maxTrees()) {
        break;
      }
      trees -= segment.trees().size();
      dropped++;
    }
    return dropped;
  }

  private static BoosterSettings seeded(BoosterSettings s, long seed) {
    return s.toBuilder().seed(seed).build();
  }
}
