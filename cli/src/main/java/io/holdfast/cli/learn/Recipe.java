package io.holdfast.cli.learn;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.select.GammaChoice;
import io.holdfast.boosting.select.GammaSearch;
import io.holdfast.boosting.select.GammaSearch.SearchListener;
import io.holdfast.boosting.select.GroupDro;
import io.holdfast.boosting.select.WorstEnvironmentLeaves;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How rows become a model; a null {@code search} takes the gamma of the settings. Immutable. */
public record Recipe(ModelSettings settings, @Nullable GammaSearch search, Robustly robustly) {

  /** How to be robust to environments beside the anchor. Immutable. */
  public sealed interface Robustly {
    record AsSet() implements Robustly {}

    /** Weights follow the environment that loses most, by {@code step} after each round. */
    record GroupDro(double step) implements Robustly {}

    /**
     * Leaf values move to suit the environment that loses most, in so many turns after training.
     */
    record WorstLeaves(int turns) implements Robustly {}
  }

  public record Watch(SearchListener search, FitListener fit) {
    public static final Watch NONE = new Watch(SearchListener.NONE, FitListener.NONE);
  }

  /** A fit, with the gamma in {@code settings}; no {@code choice} if it was given. */
  public record Made(ModelSettings settings, @Nullable GammaChoice choice, Fit fit) {}

  /** What settings alone say: gamma is chosen if they leave it open. */
  public static Recipe of(ModelSettings settings, Robustly robustly) {
    boolean auto = settings.strength().auto();
    return new Recipe(
        settings, auto ? GammaSearch.DEFAULT.by(settings.strength().by()) : null, robustly);
  }

  /**
   * Fits a model to rows.
   *
   * @throws IllegalArgumentException in one sentence, as {@link Booster#extend} does
   */
  public Made fit(
      List<Feature> features, Rows rows, @Nullable EarlyStopping stopping, Watch watch) {
    BoosterSettings booster = settings.booster();
    GammaChoice choice =
        search == null ? null : search.choose(booster, features, rows, watch.search());
    if (choice != null) {
      booster = choice.appliedTo(booster);
    }
    return new Made(
        choice == null ? settings.with(booster) : settings.withChosen(booster),
        choice,
        fit(booster, features, rows, stopping, watch.fit()));
  }

  private Fit fit(
      BoosterSettings booster,
      List<Feature> features,
      Rows rows,
      @Nullable EarlyStopping stopping,
      FitListener listener) {
    if (robustly instanceof Robustly.GroupDro(double step)) {
      GroupDro.Weighted weighted = new GroupDro(step, 1).fit(booster, features, rows, listener);
      return new Fit(
          weighted.model(),
          weighted.losses(),
          List.of(),
          booster.rounds(),
          0,
          List.of(),
          null,
          null);
    }
    Model untrained = Booster.untrained(booster, features);
    Fit fit = new Booster(booster).extend(untrained, features, rows, stopping, listener);
    if (!(robustly instanceof Robustly.WorstLeaves(int turns))) {
      return fit;
    }
    Model moved = new WorstEnvironmentLeaves(turns, 0.5, 1).of(booster, fit.model(), rows).model();
    List<AnchorLoss> losses = new ArrayList<>(fit.losses());
    losses.set(fit.bestRound(), loss(moved, rows));
    return new Fit(
        moved,
        losses,
        fit.validationLosses(),
        fit.bestRound(),
        fit.safeguards(),
        fit.leftOut(),
        fit.linearStrength(),
        null);
  }

  /** The plain loss: the anchor has no part in what these do. */
  private static AnchorLoss loss(Model model, Rows rows) {
    double[] scores = Scorer.of(model).scores(rows);
    Evaluation all = Evaluation.of(model.objective(), rows, scores);
    return new AnchorLoss(all.loss() * rows.size(), 0);
  }
}
