package io.holdfast.trainer.policy;

import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.Figures;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One update of a model. Immutable.
 *
 * @param model the next model
 * @param rows what it was trained on
 * @param seed what everything random in it came from
 * @param droppedSegments how many old segments left
 * @param appendedTrees how many trees are new
 * @param before the anchor loss of what remained, before the first new tree
 * @param after the anchor loss of the next model
 * @param safeguards how often a leaf system needed a safer form
 * @param remembered what the policy wants to find in the tip's metrics next time
 * @param refit what became of the leaf values of the trees that were there; null if they stay
 * @param bins that training is to go on with; null if it finds its own
 */
public record TrainingRun(
    Model model,
    Rows rows,
    long seed,
    int droppedSegments,
    int appendedTrees,
    AnchorLoss before,
    AnchorLoss after,
    int safeguards,
    Map<String, Double> remembered,
    @Nullable Refit refit,
    @Nullable Bins bins) {
  public TrainingRun {
    remembered = Figures.of(remembered);
  }

  /**
   * Leaf values that were learned again from all rows, before new trees came.
   *
   * @param model the trees that were there, with their new values
   * @param kept how much of the old values stayed
   */
  public record Refit(Model model, double kept) {}

  /** An update that leaves the leaf values of old trees alone. */
  public TrainingRun(
      Model model,
      Rows rows,
      long seed,
      int droppedSegments,
      int appendedTrees,
      AnchorLoss before,
      AnchorLoss after,
      int safeguards,
      Map<String, Double> remembered) {
    this(
        model,
        rows,
        seed,
        droppedSegments,
        appendedTrees,
        before,
        after,
        safeguards,
        remembered,
        null,
        null);
  }

  /** The same, after a refit. */
  TrainingRun after(Refit done) {
    return new TrainingRun(
        model,
        rows,
        seed,
        droppedSegments,
        appendedTrees,
        before,
        after,
        safeguards,
        remembered,
        done,
        bins);
  }

  /** Whether every figure is finite: a model that overflowed must never serve. */
  public boolean finite() {
    return Double.isFinite(after.total());
  }

  /** Adds the manifest's figures about the run itself. */
  public void write(Figures.Builder metrics) {
    metrics.putAll(remembered);
    metrics.put("anchorLossBefore", before.total());
    metrics.put("anchorLossAfter", after.total());
    metrics.put("anchorPenaltyAfter", after.penalty());
    metrics.put("safeguards", safeguards);
    metrics.put("treesAppended", appendedTrees);
    metrics.put("trees", model.trees());
    metrics.put("segmentsDropped", droppedSegments);
  }

  /**
   * A seed of its own for each model and version: hashed, since seeds that differ by a step give
   * related streams.
   */
  public static long seed(ModelSettings settings, long version) {
    String text = settings.booster().seed() + "/" + settings.name() + "/" + version;
    return ByteBuffer.wrap(Digest.bytesOf(text.getBytes(StandardCharsets.UTF_8))).getLong();
  }
}
