package io.holdfast.boosting.select;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.anchor.Projections;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafLadder;
import io.holdfast.boosting.leaf.LeafLadder.Step;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the leaf values of trees that were grown once for several gammas. Stateless; what comes out
 * is a function of the arguments.
 *
 * <p>A rung, one a gamma, takes the trees of an update in their order, each by the joint step of
 * its gamma from the scores that the rung's earlier trees give. Trees that the parent had keep the
 * rung's values; segments get the decay that they have after the update.
 *
 * @param gammas the rungs, ascending
 */
public record GammaLadder(List<Double> gammas) {
  public GammaLadder {
    gammas = List.copyOf(gammas);
    for (int k = 0; k < gammas.size(); k++) {
      Check.that(
          gammas.get(k) >= 0 && gammas.get(k) < Double.POSITIVE_INFINITY,
          "a rung's gamma must be 0 or more and finite: %s",
          gammas.get(k));
      Check.that(
          k == 0 || gammas.get(k) > gammas.get(k - 1),
          "the gammas of a ladder must be ascending: %s",
          gammas);
    }
  }

  /** The rungs of a model that was fitted to the rows from none: that of the settings' gamma. */
  public List<GammaVariant> of(BoosterSettings settings, Model fitted, Rows rows) {
    Model untrained = Booster.untrained(settings, fitted.features());
    return extend(settings, untrained, List.of(), fitted, rows);
  }

  /**
   * The rungs after an update.
   *
   * @param settings those of the update
   * @param parent the model before it
   * @param before the parent's rungs; for a gamma that is not among them, the parent itself
   * @param updated the model after it; the rung of the settings' gamma, which is given back too
   * @param given the rows that it was trained on
   */
  public List<GammaVariant> extend(
      BoosterSettings settings,
      Model parent,
      List<GammaVariant> before,
      Model updated,
      Rows given) {
    Rows rows = settings.weighted(given, "");
    Projection anchor = Projections.of(rows, settings.anchoring().design());
    LeafLadder ladder = Booster.ladder(settings, updated.features(), rows, anchor);
    List<GammaVariant> rungs = new ArrayList<>();
    for (double gamma : gammas) {
      if (gamma == settings.gamma()) {
        rungs.add(new GammaVariant(gamma, updated));
        continue;
      }
      Model old = old(parent, before, gamma);
      List<Step> steps = steps(parent, old, updated);
      Objective objective =
          steps.stream().anyMatch(Step::kept)
              ? old.objective()
              : settings.objective().fittedTo(rows); // it begins anew
      Model start = new Model(objective, updated.features(), updated.base(), List.of());
      rungs.add(new GammaVariant(gamma, ladder.climb(start, steps, gamma)));
    }
    return List.copyOf(rungs);
  }

  private static Model old(Model parent, List<GammaVariant> before, double gamma) {
    for (GammaVariant rung : before) {
      if (rung.gamma() == gamma) {
        Check.that(
            rung.model().segments().size() == parent.segments().size(),
            "the rung of gamma %s must have the model's %s segments: %s",
            gamma,
            parent.segments().size(),
            rung.model().segments().size());
        return rung.model();
      }
    }
    return parent;
  }

  private static List<Step> steps(Model parent, Model old, Model updated) {
    List<Step> steps = new ArrayList<>();
    for (Segment segment : updated.segments()) {
      int place = place(parent, segment);
      steps.add(
          place < 0
              ? new Step(segment, false)
              : new Step(new Segment(old.segments().get(place).trees(), segment.decay()), true));
    }
    return steps;
  }

  /** Where the parent has the very same trees, whatever their decay; -1 if nowhere. */
  private static int place(Model parent, Segment segment) {
    List<Segment> places = parent.segments();
    return IntStream.range(0, places.size())
        .filter(place -> same(places.get(place).trees(), segment.trees()))
        .findFirst()
        .orElse(-1);
  }

  @SuppressWarnings("ReferenceEquality") // Trees are immutable and shared: identity is enough.
  private static boolean same(List<Tree> a, List<Tree> b) {
    return a.size() == b.size() && IntStream.range(0, a.size()).allMatch(k -> a.get(k) == b.get(k));
  }
}
