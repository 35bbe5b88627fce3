package io.holdfast.trainer.policy;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.data.KeptBins;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The policies that end with new trees on what remains of the old ones. Stateless. */
final class AppendTrees {
  private AppendTrees() {}

  /** Segments over the tree budget leave, and new trees are appended. */
  static TrainingRun append(UpdateContext context, Workspace workspace) {
    return to(context.parent(), null, context, workspace, Map.of());
  }

  /** Old trees lose weight with every row, half of it over the half-life; then appends. */
  static TrainingRun decay(UpdateContext context, Workspace workspace) {
    double rows = context.rows().window().size();
    double factor = StrictMath.pow(0.5, rows / context.settings().update().upkeep().halfLife());
    Model parent = context.parent();
    List<Segment> faded = new ArrayList<>();
    for (Segment segment : parent.segments()) {
      faded.add(new Segment(segment.trees(), segment.decay() * factor));
    }
    Model decayed = new Model(parent.objective(), parent.features(), parent.base(), faded);
    return to(decayed, null, context, workspace, Map.of());
  }

  /**
   * Old trees keep their shape and move their leaf values towards those of all rows, as far as the
   * refit rate says, with the anchor's penalty; then appends.
   */
  static TrainingRun refit(UpdateContext context, Workspace workspace) {
    double kept = 1 - context.settings().update().upkeep().refitRate();
    Model parent = withFeatures(context.parent(), context);
    if (parent.trees() == 0 || kept == 1) {
      return to(parent, null, context, workspace, Map.of());
    }
    Model refitted =
        new Booster(context.settings().booster())
            .refit(parent, MemoryWeights.of(context).weighted(context.rows()), kept)
            .model();
    return to(refitted, new TrainingRun.Refit(refitted, kept), context, workspace, Map.of());
  }

  /**
   * Appends to a model.
   *
   * @param remembered what the policy itself wants to remember
   */
  static TrainingRun to(
      Model model,
      TrainingRun.@Nullable Refit refit,
      UpdateContext context,
      Workspace workspace,
      Map<String, Double> remembered) {
    ModelSettings settings = context.settings();
    MemoryWeights memory = MemoryWeights.of(context);
    Rows rows = memory.weighted(context.rows());
    Model parent = withFeatures(model, context);
    Model remaining = Eviction.of(settings, parent, context.rows().window());
    var booster =
        new Booster(settings.booster().toBuilder().seed(context.seed()).build(), workspace);
    if (settings.update().upkeep().recentre() && remaining.trees() > 0) {
      remaining = booster.recentre(remaining, rows);
    }
    KeptBins bins = context.kept();
    Fit fit =
        bins == null
            ? booster.extend(remaining, remaining.features(), rows, FitListener.NONE)
            : booster.extend(remaining, remaining.features(), bins, rows, FitListener.NONE);
    int dropped = parent.segments().size() - remaining.segments().size();
    Map<String, Double> all = memory.with(remembered);
    return TrainingRun.of(fit, rows, context.seed(), dropped, remaining.trees(), all, refit);
  }

  /** The model with the categories met since; decodes all rows. */
  static Model withFeatures(Model model, UpdateContext context) {
    context.rows().all();
    return new Model(model.objective(), context.features().get(), model.base(), model.segments());
  }
}
