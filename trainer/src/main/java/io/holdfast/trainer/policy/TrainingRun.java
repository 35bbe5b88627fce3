package io.holdfast.trainer.policy;

import io.holdfast.boosting.Fit;
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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One update of a model. Immutable.
 *
 * @param model the next model
 * @param rows what it was trained on
 * @param droppedSegments how many old segments left
 * @param before the anchor loss of what remained, before the first new tree
 * @param after the anchor loss of the next model
 * @param safeguards how often a leaf system needed a safer form
 * @param remembered what the policy wants to find in the tip's metrics next time
 * @param refit the refit of the old trees; null if their leaf values stayed
 * @param bins for the next run to start from; null if it is to find its own
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
   * @param model the old trees with their new values
   * @param kept the share of the old values that stayed
   */
  public record Refit(Model model, double kept) {}

  /** A fit to a model of {@code treesBefore} trees, after {@code dropped} segments had left. */
  static TrainingRun of(
      Fit fit,
      Rows rows,
      long seed,
      int dropped,
      int treesBefore,
      Map<String, Double> remembered,
      @Nullable Refit refit) {
    TreeMap<String, Double> metrics = new TreeMap<>(remembered);
    if (!fit.leftOut().isEmpty()) {
      metrics.put("linearLeftOut", (double) fit.leftOut().size());
    }
    Double strength = fit.linearStrength();
    if (strength != null) {
      metrics.put("linearStrength", strength);
    }
    return new TrainingRun(
        fit.model(),
        rows,
        seed,
        dropped,
        fit.model().trees() - treesBefore,
        fit.losses().getFirst(),
        fit.losses().getLast(),
        fit.safeguards(),
        metrics,
        refit,
        fit.bins());
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

  /** Hashed from settings and version: seeds that differ by a step give related streams. */
  public static long seed(ModelSettings settings, long version) {
    return hashed(settings.booster().seed() + "/" + settings.name() + "/" + version);
  }

  /** Likewise of a part of a version; the model's name does not matter. */
  static long seedOfPart(ModelSettings settings, long version, int part) {
    return hashed(settings.booster().seed() + "/" + version + "/" + part);
  }

  private static long hashed(String text) {
    return ByteBuffer.wrap(Digest.bytesOf(text.getBytes(StandardCharsets.UTF_8))).getLong();
  }
}
