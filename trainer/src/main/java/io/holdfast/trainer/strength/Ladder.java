package io.holdfast.trainer.strength;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.select.GammaLadder;
import io.holdfast.boosting.select.GammaVariant;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.policy.TrainingRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A version's leaf values for the gammas of the ladder, and which of them score. Immutable.
 *
 * @param rungs all variants but the grown one, ascending by gamma
 * @param served the gamma that scores; null if it is the grown one
 * @param metrics what the manifest is to remember
 */
public record Ladder(
    List<GammaVariant> rungs, @Nullable Double served, Map<String, Double> metrics) {
  /*
   * Each variant follows what the policy did to old trees: decay is the segments' own, those that left
   * are gone from all, a refit is made again with the variant's gamma, and where a fresh model took over,
   * variants begin from its trees. The base is one for all.
   *
   * In the mode adaptive each variant of the tip is tested on the window before anything is trained on
   * it, and losses fade from window to window. The one that lost least scores if it beats the present one
   * by a margin: under a shift that the past did not show, strong gammas lose less, and else gamma 1.
   */
  private static final double FADE = 0.7; // of the losses so far, from window to window
  private static final double MARGIN = 0.02;
  private static final String LOSS = "rungLoss.";

  /** No ladder. */
  public static final Ladder NONE = new Ladder(List.of(), null, Map.of());

  public Ladder {
    rungs = List.copyOf(rungs);
    metrics = Map.copyOf(metrics);
  }

  /**
   * The ladder of the next version.
   *
   * @param settings with the gamma of the run that trained it
   * @param window the window's rows, which the tip has not learned from
   * @throws IllegalArgumentException in one sentence, if the leaf values cannot be found
   */
  public static Ladder next(
      ModelSettings settings, LedgerVersion tip, TrainingRun run, Rows window) {
    if (settings.strength().ladder().isEmpty()) {
      return NONE;
    }
    double own = settings.booster().gamma();
    TrainingRun.Refit refit = run.refit();
    List<GammaVariant> before = new ArrayList<>(tip.engineRungs());
    before.add(new GammaVariant(tip.manifest().getGamma(), tip.grown()));
    before.sort(Comparator.comparingDouble(GammaVariant::gamma));
    List<GammaVariant> rungs =
        new ArrayList<>(
            new GammaLadder(settings.strength().ladder())
                .extend(
                    settings.booster(),
                    refit == null ? tip.grown() : refit.model(),
                    left(settings, before, run),
                    run.model(),
                    run.rows()));
    rungs.removeIf(rung -> rung.gamma() == own);
    TreeMap<String, Double> metrics = new TreeMap<>();
    Double asked = given(settings, tip);
    if (settings.strength().adaptive()) {
      asked = adapted(tip, before, window, metrics);
    }
    return new Ladder(rungs, served(rungs, asked), metrics);
  }

  /** The tip's variants as the run left their trees. */
  private static List<GammaVariant> left(
      ModelSettings settings, List<GammaVariant> before, TrainingRun run) {
    TrainingRun.Refit refit = run.refit();
    if (refit == null) {
      return before;
    }
    List<GammaVariant> refitted = new ArrayList<>();
    for (GammaVariant rung : before) {
      if (rung.gamma() == settings.booster().gamma()) {
        continue; // the run's own
      }
      Model known =
          new Model(
              rung.model().objective(),
              refit.model().features(),
              rung.model().base(),
              rung.model().segments());
      var booster = new Booster(settings.booster().toBuilder().gamma(rung.gamma()).build());
      refitted.add(
          new GammaVariant(rung.gamma(), booster.refit(known, run.rows(), refit.kept()).model()));
    }
    return refitted;
  }

  /** {@code asked}, if it is there; null for the grown one. */
  private static @Nullable Double served(List<GammaVariant> rungs, @Nullable Double asked) {
    boolean there = asked != null && rungs.stream().anyMatch(rung -> rung.gamma() == asked);
    return there ? asked : null;
  }

  /** What a head action chose stays until the settings change. */
  private static @Nullable Double given(ModelSettings settings, LedgerVersion tip) {
    boolean sameSettings = tip.manifest().getSettings().equals(settings.trainingJson());
    return sameSettings && tip.grown().trees() > 0
        ? tip.manifest().getRung()
        : settings.strength().serve();
  }

  private static double adapted(
      LedgerVersion tip, List<GammaVariant> before, Rows window, TreeMap<String, Double> metrics) {
    double present = tip.servedGamma();
    if (tip.grown().trees() == 0) {
      return present;
    }
    Map<String, Double> remembered = tip.manifest().getMetrics();
    double best = present;
    double least = Double.POSITIVE_INFINITY;
    double ofPresent = Double.POSITIVE_INFINITY;
    for (GammaVariant rung : before) {
      double now = loss(rung.model(), window);
      Double faded = remembered.get(LOSS + rung.gamma());
      double loss = faded == null ? now : FADE * faded + (1 - FADE) * now;
      metrics.put(LOSS + rung.gamma(), loss);
      if (loss < least) {
        least = loss;
        best = rung.gamma();
      }
      if (rung.gamma() == present) {
        ofPresent = loss;
      }
    }
    return least < (1 - MARGIN) * ofPresent ? best : present;
  }

  /** Every environment of the window counts the same. */
  private static double loss(Model model, Rows window) {
    double[] losses =
        EnvironmentLosses.excess(model.objective(), window, Scorer.scoresOf(model, window));
    double sum = 0;
    for (double loss : losses) {
      sum += loss; // in plain order: a stream's sum has other bits
    }
    return sum / losses.length;
  }
}
