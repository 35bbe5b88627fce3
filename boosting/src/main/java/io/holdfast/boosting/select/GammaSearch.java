package io.holdfast.boosting.select;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses gamma from the rows to train on, by leaving environments out (docs/math.md, section
 * "gamma, chosen"). Immutable and stateless, so safe to share; the choice is a function of the
 * arguments.
 *
 * <p>Each environment is held out once. For each candidate a model is trained on the rows that are
 * left and evaluated on those held out, environment by environment; the criterion makes one figure
 * of the environments' mean excess losses, and the gamma of the lowest figure wins. Of equal
 * figures the gamma nearest to 1 wins, then the lower one: an anchor must earn its place.
 *
 * <p>The cost is that of {@code gammas × parts} trainings. To stop it, interrupt its thread, as
 * with {@link Booster}.
 *
 * @param gammas the candidates, ascending; 1, which is plain boosting, is one of them
 * @param criterion what is made of the held-out losses of the environments
 * @param choosesRounds whether each candidate is judged by its best number of rounds, from 1 to
 *     that of the settings, and this number is chosen with it; else all rounds are appended
 * @param minEnvironments environments to hold out at least, 2 or more; with fewer of them the
 *     choice is 1. With 2, training sees one environment only, and an anchor of environments can
 *     tell nothing but the overall mean
 * @param minRows an environment with fewer rows is not held out but always trained on
 * @param parts environments are held out one by one if there are at most so many, 2 or more, and
 *     otherwise several at a time, in so many groups of about equal rows
 */
public record GammaSearch(
    List<Double> gammas,
    Criterion criterion,
    boolean choosesRounds,
    int minEnvironments,
    int minRows,
    int parts) {
  /**
   * Gammas from 1 to 64, judged by the worst environment, rounds as in the settings; at least 3
   * environments of 10 rows, in 5 groups at most.
   */
  public static final GammaSearch DEFAULT =
      new GammaSearch(
          List.of(1.0, 2.0, 4.0, 7.0, 16.0, 64.0), new Criterion.Worst(), false, 3, 10, 5);

  public GammaSearch {
    gammas = List.copyOf(gammas);
    Check.that(gammas.contains(1.0), "1 must be one of the gammas to choose from: %s", gammas);
    for (int k = 0; k < gammas.size(); k++) {
      Check.that(
          gammas.get(k) >= 0 && gammas.get(k) < Double.POSITIVE_INFINITY,
          "a gamma to choose from must be 0 or more and finite: %s",
          gammas.get(k));
      Check.that(
          k == 0 || gammas.get(k) > gammas.get(k - 1),
          "gammas to choose from must be ascending: %s",
          gammas);
    }
    Check.that(minEnvironments >= 2, "minEnvironments must be at least 2: %s", minEnvironments);
    Check.that(minRows >= 1, "minRows must be at least 1: %s", minRows);
    Check.that(parts >= 2, "parts must be at least 2: %s", parts);
  }

  /** The same search by another criterion. */
  public GammaSearch by(Criterion other) {
    return new GammaSearch(gammas, other, choosesRounds, minEnvironments, minRows, parts);
  }

  /**
   * The gamma to train a new model with.
   *
   * @param settings those of the training to come; their gamma is not looked at
   * @throws IllegalArgumentException in one sentence, as {@link Booster#extend} does; also if the
   *     objective is one that no anchor can bend
   */
  public GammaChoice choose(BoosterSettings settings, List<Feature> features, Rows rows) {
    return choose(settings, features, rows, SearchListener.NONE);
  }

  /** The same, and {@code listener} is told how far it is. */
  public GammaChoice choose(
      BoosterSettings settings, List<Feature> features, Rows rows, SearchListener listener) {
    Model start = Booster.untrained(settings, features);
    return measure(settings, start, features, rows, listener).choose(criterion, choosesRounds);
  }

  /** The gamma to extend {@code start} with; otherwise as above. */
  public GammaChoice choose(
      BoosterSettings settings, Model start, List<Feature> features, Rows rows) {
    return measure(settings, start, features, rows).choose(criterion, choosesRounds);
  }

  /** The held-out losses that a choice is made from; arguments and errors as above. */
  public HeldOutLosses measure(
      BoosterSettings settings, Model start, List<Feature> features, Rows rows) {
    return measure(settings, start, features, rows, SearchListener.NONE);
  }

  private HeldOutLosses measure(
      BoosterSettings settings,
      Model start,
      List<Feature> features,
      Rows rows,
      SearchListener listener) {
    HeldOutGroups groups = HeldOutGroups.of(rows, minEnvironments, minRows, parts);
    int trainings = gammas.size() * groups.groups().size();
    int trained = 0;
    List<double[][]> losses = new ArrayList<>();
    for (double gamma : gammas) {
      BoosterSettings candidate = settings.toBuilder().gamma(gamma).build();
      losses.add(new double[settings.rounds() + 1][groups.environments().size()]);
      for (HeldOutGroups.Group group : groups.groups()) {
        double[][] target = losses.getLast();
        Rows train = rows.subset(group.train());
        var stopping = new EarlyStopping(rows.subset(group.test()), criterion, Integer.MAX_VALUE);
        new Booster(candidate)
            .extend(
                start,
                features,
                train,
                stopping,
                new LossRecorder(target, groups.places(stopping.validation())));
        trained++;
        listener.afterTraining(trained, trainings);
      }
    }
    return new HeldOutLosses(gammas, groups.environments(), losses);
  }

  /** Writes the losses of held-out environments to their columns, a line a round. */
  static final class LossRecorder implements FitListener {
    private final double[][] target;
    private final int[] columns;

    LossRecorder(double[][] target, int[] columns) {
      this.target = target;
      this.columns = columns;
    }

    @Override
    public void afterRound(int round, AnchorLoss anchorLoss) {
      // Only what is held out counts.
    }

    @Override
    public void afterValidation(int round, double validationLoss, double[] environmentLosses) {
      for (int k = 0; k < columns.length; k++) {
        target[round][columns[k]] = environmentLosses[k];
      }
    }
  }

  /**
   * Told how far a search is, on the thread that trains. What a listener throws ends the search,
   * and is thrown on to whoever searches.
   */
  @FunctionalInterface
  public interface SearchListener {

    /** Listens to nothing. */
    SearchListener NONE = (trained, trainings) -> {};

    /**
     * A model is trained, and was evaluated on the rows that it had not seen.
     *
     * @param trained how many are by now
     * @param trainings how many there are in all
     */
    void afterTraining(int trained, int trainings);
  }
}
