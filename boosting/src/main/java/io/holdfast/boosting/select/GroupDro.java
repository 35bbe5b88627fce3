package io.holdfast.boosting.select;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.List;

/**
 * Boosting on weights that follow the environment which loses most: Group-DRO, with trees for the
 * learner. Immutable and stateless; a fit is a function of its arguments.
 *
 * <p>Before each block of rounds every environment's share of the weight is multiplied by {@code
 * exp(step · loss / mean loss of the base)} and all are brought to a sum of 1; shares are equal at
 * first, however many rows an environment has. The loss is the mean excess loss on the training
 * rows.
 *
 * @param step how fast shares move, 0 or more; 0 keeps them equal
 * @param block rounds between two moves, 1 or more
 */
public record GroupDro(double step, int block) {
  private static final long SEED_STEP = 0x9E3779B97F4A7C15L;

  /** Shares move by 0.1 after every round. */
  public static final GroupDro DEFAULT = new GroupDro(0.1, 1);

  public GroupDro {
    Check.that(
        step >= 0 && step < Double.POSITIVE_INFINITY,
        "step must be 0 or more and finite: %s",
        step);
    Check.that(block >= 1, "block must be at least 1: %s", block);
  }

  /**
   * What a fit made.
   *
   * @param model all trees in one segment
   * @param shares the environments' shares at the end, in the order of the rows' environments
   * @param losses the rows' plain loss before the first round and after each block
   */
  public record Weighted(Model model, List<Double> shares, List<AnchorLoss> losses) {
    public Weighted {
      shares = List.copyOf(shares);
      losses = List.copyOf(losses);
    }
  }

  /** A new model fitted to the rows; gamma may be any, and is 1 in what was published. */
  public Weighted fit(BoosterSettings settings, List<Feature> features, Rows rows) {
    return fit(settings, features, rows, FitListener.NONE);
  }

  /** As above, and tells of the base and of each block, with the rows' plain loss. */
  public Weighted fit(
      BoosterSettings settings, List<Feature> features, Rows rows, FitListener listener) {
    EnvironmentWeights weights = new EnvironmentWeights(rows);
    Model model = Booster.untrained(settings, features);
    double scale = 0;
    List<AnchorLoss> plain = new ArrayList<>();
    for (int done = 0; done < settings.rounds(); done += block) {
      BoosterSettings part =
          settings.toBuilder()
              .rounds(Math.min(block, settings.rounds() - done))
              .seed(settings.seed() + done * SEED_STEP)
              .holdOut(null)
              .build();
      Model longer =
          new Booster(part).extend(model, features, weights.weighted(), FitListener.NONE).model();
      if (done == 0) {
        Model base = new Model(longer.objective(), longer.features(), longer.base(), List.of());
        double[] scores = Scorer.scoresOf(base, rows);
        scale = EnvironmentWeights.mean(EnvironmentLosses.excess(base.objective(), rows, scores));
        plain.add(new AnchorLoss(base.objective().totalLoss(rows, scores), 0));
        listener.afterRound(0, plain.getLast());
      }
      double[] scores = Scorer.scoresOf(longer, rows);
      plain.add(new AnchorLoss(longer.objective().totalLoss(rows, scores), 0));
      listener.afterRound(done + part.rounds(), plain.getLast());
      if (scale > 0) {
        weights.move(EnvironmentLosses.excess(longer.objective(), rows, scores), step, scale);
      }
      model = longer;
    }
    return new Weighted(inOneSegment(model), weights.shares(), plain);
  }

  private static Model inOneSegment(Model model) {
    List<Tree> trees = new ArrayList<>();
    model.segments().forEach(segment -> trees.addAll(segment.trees()));
    return new Model(
        model.objective(), model.features(), model.base(), List.of(new Segment(trees)));
  }
}
