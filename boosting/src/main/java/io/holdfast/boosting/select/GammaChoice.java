package io.holdfast.boosting.select;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A gamma, and what it was chosen from. Immutable.
 *
 * @param gamma the choice
 * @param rounds how many rounds to append with it: those of the settings, unless the search chooses
 *     them too
 * @param trials one a candidate, gammas ascending; none if there were too few environments to hold
 *     one out, and gamma is 1 for want of a reason
 */
public record GammaChoice(double gamma, int rounds, List<Trial> trials) {
  public GammaChoice {
    trials = List.copyOf(trials);
  }

  /**
   * A candidate.
   *
   * @param gamma what was tried
   * @param rounds with how many rounds
   * @param risk the criterion of its losses: what was compared
   * @param losses mean excess losses of the environments held out, in order of first appearance
   */
  public record Trial(double gamma, int rounds, double risk, List<Double> losses) {
    public Trial {
      losses = List.copyOf(losses);
    }

    Trial(double gamma, int rounds, Criterion criterion, double[] losses) {
      this(gamma, rounds, criterion.of(losses), Arrays.stream(losses).boxed().toList());
    }

    /** The mean over the environments. */
    public double mean() {
      return figure(new Criterion.Mean());
    }

    /** The loss of the worst environment. */
    public double worst() {
      return figure(new Criterion.Worst());
    }

    private double figure(Criterion criterion) {
      return criterion.of(losses.stream().mapToDouble(loss -> loss).toArray());
    }
  }

  /** What was tried with the chosen gamma; nothing if nothing was held out. */
  public Optional<Trial> chosen() {
    return trials.stream().filter(trial -> trial.gamma() == gamma).findFirst();
  }

  /** The candidate that loses least in the mean; nothing if nothing was held out. */
  public Optional<Trial> leastMean() {
    return trials.stream().min(Comparator.comparingDouble(Trial::mean)); // of equals the first
  }

  /** The settings with this gamma and these rounds. */
  public BoosterSettings appliedTo(BoosterSettings settings) {
    return settings.toBuilder().gamma(gamma).rounds(rounds).build();
  }
}
