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
 * "gamma, chosen"). Immutable and stateless; the choice is a function of the arguments.
 *
 * <p>Each environment is held out once: for each candidate a model is trained on the other rows and
 * evaluated on those held out. The lowest criterion of the environments' mean excess losses wins;
 * of equal ones the gamma nearest to 1, then the lower one.
 *
 * <p>The cost is that of {@code gammas × parts} trainings. To stop it, interrupt its thread, as
 * with {@link Booster}.
 *
 * @param gammas the candidates, ascending; 1, which is plain boosting, is one of them
 * @param criterion what is made of the held-out losses of the environments
 * @param choosesRounds whether each candidate's best number of rounds, from 1 to that of the
 *     settings, judges it and is chosen with it; else all rounds are appended
 * @param minEnvironments environments to hold out at least, 2 or more (of which training then sees
 *     only one); with fewer the choice is 1
 * @param minRows an environment with fewer rows is not held out but always trained on
 * @param parts groups of about equal rows that environments are held out in at most, 2 or more
 */
public record GammaSearch(
    List<Double> gammas,
    Criterion criterion,
    boolean choosesRounds,
    int minEnvironments,
    int minRows,
    int parts) {
  /** Judged by the worst environment, rounds as in the settings. */
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

  public GammaSearch by(Criterion other) {
    return new GammaSearch(gammas, other, choosesRounds, minEnvironments, minRows, parts);
  }

  /**
   * The gamma to train a new model with.
   *
   * @param settings of the training to come; their gamma is not looked at
   * @throws IllegalArgumentException in one sentence, as {@link Booster#extend} does; also if the
   *     objective is one that no anchor can bend
   */
  public GammaChoice choose(BoosterSettings settings, List<Feature> features, Rows rows) {
    return choose(settings, features, rows, SearchListener.NONE);
  }

  /** As above, and tells how far it is. */
  public GammaChoice choose(
      BoosterSettings settings, List<Feature> features, Rows rows, SearchListener listener) {
    Model start = Booster.untrained(settings, features);
    return measure(settings, start, features, rows, listener).choose(criterion, choosesRounds);
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
        Rows train = rows.subset(group.train());
        var stopping = new EarlyStopping(rows.subset(group.test()), criterion, Integer.MAX_VALUE);
        var recorder = recorder(losses.getLast(), groups.places(stopping.validation()));
        new Booster(candidate).extend(start, features, train, stopping, recorder);
        trained++;
        listener.afterTraining(trained, trainings);
      }
    }
    return new HeldOutLosses(gammas, groups.environments(), losses);
  }

  /** Writes the losses of held-out environments to their columns, a line a round. */
  private static FitListener recorder(double[][] target, int[] columns) {
    return new FitListener() {
      @Override
      public void afterRound(int round, AnchorLoss anchorLoss) {
        // Only what is held out counts.
      }

      @Override
      public void afterValidation(int round, double validationLoss, double[] losses) {
        for (int k = 0; k < columns.length; k++) {
          target[round][columns[k]] = losses[k];
        }
      }
    };
  }

  /** Told how far a search is, on the thread that trains; what it throws ends the search. */
  @FunctionalInterface
  public interface SearchListener {

    /** Listens to nothing. */
    SearchListener NONE = (trained, trainings) -> {};

    /** So many of all models are trained, and were evaluated on the rows held out. */
    void afterTraining(int trained, int trainings);
  }
}
