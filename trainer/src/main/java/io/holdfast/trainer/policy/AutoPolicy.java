package io.holdfast.trainer.policy;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.FlatTrees;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.keys.TreeKeys;
import io.holdfast.schemas.version.Figures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Several ensembles of short and long memory stand side by side in one version, each with the
 * weight that it earned on the newest rows before it learned from them; each is trained when its
 * turn comes, all but one afresh. The base follows the newest labels as far as that has paid.
 */
public final class AutoPolicy implements UpdatePolicy {
  /*
   * A window: (1) the experts of the parent, which have not seen its rows, are scored on them, and
   * their fading losses say what each counts with from now on; (2) so do the losses of the base's
   * shifts, which then move along the rows; (3) experts whose turn it is are trained on the newest
   * rows, and weights are set. Most windows are small and have no (3): they read no memory, leave
   * the trees and their weights alone, and cost microseconds. Where the shifts of short memory save
   * next to nothing the next window is larger; the shifts are judged as if it were small, so that it is
   * seen when they would pay again.
   *
   * Before there are rows enough for an ensemble the best constant of those there are serves, and
   * neither weights nor shifts learn: a shift from a raw score of 0 to the first labels has bases of
   * experts on top of it, and on its way there is e^10 once for counts of 16.
   *
   * Scores are mixed, not probabilities: the mixture is a model like any other, a weighted sum of
   * trees, and its weights are those of the segments.
   */
  private static final double LEAST_WEIGHT = 1e-3;
  private static final int FEWEST_ROWS = 14;

  /**
   * What following them must save of the loss for windows to stay small, and to become so again.
   */
  private static final double PAYS_STILL = 0.01;

  private static final double PAYS_AGAIN = 0.03;

  /** Fewer do not tell whether it pays. */
  private static final int ROWS_THAT_TELL = 100;

  private final Figures.Builder figures = new Figures.Builder();
  private @Nullable Model latest;
  private @Nullable AutoState latestState; // after it was made
  private FlatTrees trees = FlatTrees.NONE; // of the model that was made last by training

  @Override
  public TrainingRun train(Lesson lesson, Workspace workspace) {
    Rows window = lesson.rows().window();
    Model parent = lesson.parent();
    AutoState state = state(lesson);
    int outputs = parent.base().outputs();
    double lag = lag(lesson, state);
    double[][] scores = scores(state, outputs, window);
    double[] present = mixed(state, scores, window.size() * outputs);
    AnchorLoss lossBefore =
        state.begun()
            ? loss(parent.objective(), window, present, state)
            : loss(parent, outputs, window);
    if (state.begun()) {
      weigh(lesson, state, window, scores, present, lag);
    }
    long before = state.rows;
    state.rows += window.size();
    long seed = lesson.seed();
    Grown grown = grow(lesson, state, before, lag, workspace);
    if (grown.rows != null && grown.objective != null) {
      double[] constants = grown.objective.initialScores(grown.rows);
      state.rescale(scale(grown.objective, grown.rows, constants));
      reweigh(state, lag, grown.objective.classes() > 0);
      if (Shrinkage.suffice(grown.rows.size(), state.rows)) {
        state.shrinkage.constant(constants);
      }
      state.shrinkage.choose(lesson.version());
    }
    if (!state.begun()) {
      state.beginning = parent.objective().initialScores(lesson.rows().newest(FEWEST_ROWS, 0));
    }
    Model model =
        state.model(
            grown.objective == null ? parent.objective() : grown.objective,
            lesson.features().get());
    figures.clear();
    state.write(figures);
    NextWindow.remember(lesson.settings().window(), pays(lesson, state, lag), lag, figures);
    latest = model;
    latestState = state;
    return new TrainingRun(
        model,
        grown.rows == null ? window : grown.rows,
        seed,
        grown.segments,
        grown.trees,
        lossBefore,
        grown.objective == null && state.begun()
            ? loss(parent.objective(), window, present, state)
            : loss(model, outputs, window),
        grown.safeguards,
        figures.build());
  }

  /** Says which settings of the model have no effect, since this policy chooses them itself. */
  public static Optional<String> withoutEffect(ModelSettings model) {
    if (!model.update().policy().equals("auto")) {
      return Optional.empty();
    }
    BoosterSettings booster = model.booster();
    List<String> keys = new ArrayList<>();
    if (booster.linearBase() != null) {
      keys.add("base");
    }
    if (booster.rounds() != TreeKeys.ROUNDS.byDefault()) {
      keys.add("trees.rounds");
    }
    if (booster.learningRate() != TreeKeys.LEARNING_RATE.byDefault()) {
      keys.add("trees.learningRate");
    }
    return keys.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Sentence.of(
                "without effect, since update.policy auto has its own: %s (another policy, such as"
                    + " replace, goes by them)",
                String.join(", ", keys)));
  }

  /** As the parent's metrics tell; that of the version that was made last is still known. */
  @SuppressWarnings("ReferenceEquality") // a model is of one version
  private AutoState state(Lesson lesson) {
    AutoState known = lesson.parent() == latest ? latestState : null;
    latest = null; // it will have learned of this lesson
    latestState = null;
    return known == null
        ? AutoState.read(lesson.parent(), lesson.remembered(), lesson.settings())
        : known;
  }

  /** What became of the experts whose turn it was. */
  private static final class Grown {
    private @Nullable Rows rows;
    private @Nullable Objective objective;
    private int segments;
    private int trees;
    private int safeguards;
  }

  /**
   * How late labels are, in rows: versions come at an even pace, as far as this knows. A label that
   * waits for its window to close is late, too.
   */
  private static double lag(Lesson lesson, AutoState state) {
    double late =
        lesson.version() <= 1 ? 0 : (double) lesson.lag() * state.rows / (lesson.version() - 1);
    return Math.max(late, NextWindow.wait(lesson.rows().window().size()));
  }

  /** What each expert says of the window, before it learns of it; nothing of those untrained. */
  private double[][] scores(AutoState state, int outputs, Rows window) {
    double[][] scores = new double[state.parts.length][];
    for (int e = 0; e < scores.length; e++) {
      AutoState.Part part = state.parts[e];
      if (part.trained > 0) {
        scores[e] = PartScores.of(part.base, window);
        var flat = FlatTrees.of(part.segments, window.width(), trees);
        PartScores.add(flat, outputs, window, scores[e]);
      }
    }
    return scores;
  }

  private static void weigh(
      Lesson lesson, AutoState state, Rows window, double[][] scores, double[] mixed, double lag) {
    Objective objective = lesson.parent().objective();
    int rows = window.size();
    int outputs = objective.outputs();
    double[] labels = new double[rows];
    for (int row = 0; row < rows; row++) {
      labels[row] = window.label(row);
    }
    double[] one = new double[outputs];
    boolean classes = objective.classes() > 0;
    double shortFade = FadingLoss.shortFade(lag, classes);
    double longFade = FadingLoss.longFade(lag, classes);
    boolean mayWait = mayWait(lesson);
    for (int e = 0; e < scores.length; e++) {
      AutoState.Part part = state.parts[e];
      int turn = Expert.ALL.get(e).time(part.pace.turns(), mayWait, lag) / part.pace.turns();
      for (int row = 0; row < rows && part.trained > 0; row++) {
        System.arraycopy(scores[e], row * outputs, one, 0, outputs);
        double lost = objective.excessLoss(labels[row], one);
        part.shortLoss = FadingLoss.next(part.shortLoss, shortFade, lost, state.scale);
        part.longLoss = FadingLoss.next(part.longLoss, longFade, lost, state.scale);
        long age = state.rows + row - part.trained;
        part.pace.lost(lost / state.scale, age, turn);
      }
    }
    state.shrinkage.judge(objective, labels, lesson.rows().served(), state.scale, lag);
    hurry(state, objective, labels, mixed);
    int small = lesson.settings().window().rows();
    state.tracker.judgeAndFollow(objective, labels, mixed, small, state.scale, lag);
  }

  /** Whether windows are small, to follow the newest labels. */
  private static boolean follows(Lesson lesson) {
    ModelSettings.Window window = lesson.settings().window();
    return NextWindow.of(window, lesson.remembered(), classes(lesson)).lost() > 0;
  }

  /** Whether experts may wait because windows are small: numbers are not followed as closely. */
  private static boolean mayWait(Lesson lesson) {
    return follows(lesson) && classes(lesson);
  }

  private static boolean classes(Lesson lesson) {
    return lesson.parent().objective().classes() > 0;
  }

  /**
   * Whether that is to go on, or to begin, for which it must pay more. It does go on while too few
   * rows have come to tell.
   */
  private static boolean pays(Lesson lesson, AutoState state, double lag) {
    boolean follows = follows(lesson);
    return (follows && state.rows < ROWS_THAT_TELL && BaseTracker.mayHelp(lag))
        || state.tracker.saved() > (follows ? PAYS_STILL : PAYS_AGAIN);
  }

  /** All experts are trained at every turn once the loss has risen. */
  private static void hurry(
      AutoState state, Objective objective, double[] labels, double[] scores) {
    double[] one = new double[objective.outputs()];
    boolean risen = false;
    for (int row = 0; row < labels.length; row++) {
      System.arraycopy(scores, row * one.length, one, 0, one.length);
      double lost = objective.excessLoss(labels[row], one) / state.scale;
      risen |= state.rise.next(lost, state.rows + row + 1);
    }
    for (AutoState.Part part : state.parts) {
      if (risen) {
        part.pace.hurry();
      }
    }
  }

  /** Each counts with what its losses give it. */
  private static void reweigh(AutoState state, double lag, boolean classes) {
    double[] shortLosses = new double[state.parts.length];
    double[] longLosses = new double[state.parts.length];
    for (int e = 0; e < state.parts.length; e++) {
      AutoState.Part part = state.parts[e];
      shortLosses[e] = part.trained > 0 ? part.shortLoss : Double.POSITIVE_INFINITY;
      longLosses[e] = part.trained > 0 ? part.longLoss : Double.POSITIVE_INFINITY;
    }
    double[] weights = FadingLoss.weights(shortLosses, longLosses, lag, classes);
    Expert.byMemory(weights, lag, classes);
    for (int e = 0; e < state.parts.length; e++) {
      AutoState.Part part = state.parts[e];
      part.weight = part.trained > 0 ? Math.max(LEAST_WEIGHT, weights[e]) : 0;
    }
  }

  private static double[] mixed(AutoState state, double[][] scores, int size) {
    double[] mixed = new double[size];
    for (int e = 0; e < scores.length; e++) {
      AutoState.Part part = state.parts[e];
      for (int i = 0; i < size && part.trained > 0; i++) {
        mixed[i] += part.weight * scores[e][i];
      }
    }
    return mixed;
  }

  private static Grown grow(
      Lesson lesson, AutoState state, long before, double lag, Workspace workspace) {
    long seed = lesson.seed();
    Grown grown = new Grown();
    Integer advice = lesson.drift().memoryRows();
    int outputs = lesson.parent().base().outputs();
    Map<Integer, Rows> newest = new HashMap<>(); // by how many: two experts have the same memory
    boolean mayWait = mayWait(lesson);
    for (int e = 0; e < state.parts.length; e++) {
      Expert expert = Expert.ALL.get(e);
      AutoState.Part part = state.parts[e];
      int time = expert.time(part.pace.turns(), mayWait, lag);
      boolean due = lesson.drift().replace() || expert.due(state.rows, before, part.trained, time);
      if (!due
          || lesson.rows().size() < FEWEST_ROWS
          || !expert.fits(lesson.parent().features(), outputs)) {
        continue;
      }
      int memory = Math.min(expert.memory(), lesson.rows().size());
      if (advice != null) {
        memory = Math.max(FEWEST_ROWS, Math.min(memory, advice));
      }
      Rows rows = newest.computeIfAbsent(memory, count -> lesson.rows().newest(count, 0));
      var settings = expert.settings(lesson.settings(), seed + e);
      Model start = begin(settings, lesson.features().get(), part);
      GrownTrees growth = expert.grows() ? expert.grown(lesson.settings()) : null;
      boolean again = part.trained >= expert.every() && !lesson.drift().replace();
      if (growth != null && growth.pays() && again) {
        // All its rounds: what is there has been faded for so many.
        settings = settings.toBuilder().rounds(growth.rounds()).holdOut(null).build();
        start = new Booster(settings, workspace).recentre(growth.fading(lesson, part), rows);
      }
      Fit fit =
          new Booster(settings, workspace)
              .extend(start, lesson.features().get(), rows, FitListener.NONE);
      if (!Double.isFinite(fit.losses().getLast().total())) {
        continue; // it stays as it was
      }
      grown.trees += fit.model().trees() - start.trees();
      grown.safeguards += fit.safeguards();
      grown.objective = fit.model().objective();
      if (grown.rows == null || grown.rows.size() < rows.size()) {
        grown.rows = rows;
      }
      if (part.trained == 0) {
        part.shortLoss = least(state, trained -> trained.shortLoss);
        part.longLoss = least(state, trained -> trained.longLoss);
      }
      if (state.rise.last() == 0 || state.rows - state.rise.last() >= expert.memory()) {
        part.pace.trained(part.weight);
      }
      part.trained = state.rows;
      List<Segment> old = part.segments;
      part.segments =
          growth == null ? fit.model().segments() : growth.weighted(fit.model().segments(), 0);
      grown.segments += old.size() - (start.trees() > 0 ? part.segments.size() - 1 : 0);
      part.base = fit.model().base();
    }
    return grown;
  }

  /** What an ensemble that is trained afresh begins with: it has no trees. */
  private static Model begin(
      BoosterSettings settings, List<Feature> features, AutoState.Part part) {
    Model untrained = Booster.untrained(settings, features);
    return part.base.terms().isEmpty()
        ? untrained
        : new Model(untrained.objective(), features, part.base, List.of());
  }

  /** A newcomer is given the benefit of the doubt. */
  private static double least(AutoState state, ToDoubleFunction<AutoState.Part> loss) {
    double least = Double.POSITIVE_INFINITY;
    for (AutoState.Part part : state.parts) {
      least = part.trained > 0 ? Math.min(least, loss.applyAsDouble(part)) : least;
    }
    return Double.isInfinite(least) ? 0 : least;
  }

  /**
   * What losses are divided by: where they are not of the log of a probability, a row's is held
   * against what constants lose.
   */
  private static double scale(Objective objective, Rows rows, double[] constants) {
    if (objective.classes() > 0) {
      return 1;
    }
    double sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum += objective.excessLoss(rows.label(row), constants);
    }
    double mean = sum / rows.size();
    return mean > 0 && mean < Double.POSITIVE_INFINITY ? mean : 1;
  }

  /** The loss of the experts' scores, moved by the base's shift and shrunk. */
  private static AnchorLoss loss(Objective objective, Rows rows, double[] mixed, AutoState state) {
    double[] shift = state.tracker.shift();
    double[] moved = mixed.clone();
    for (int i = 0; i < moved.length; i++) {
      int k = i % shift.length;
      moved[i] = state.shrinkage.constant(k) + state.shrinkage.share() * (moved[i] + shift[k]);
    }
    return new AnchorLoss(PartScores.loss(objective, rows, moved), 0);
  }

  private AnchorLoss loss(Model model, int outputs, Rows rows) {
    double[] scores = PartScores.of(model.base(), rows);
    trees = FlatTrees.of(model.segments(), rows.width(), trees);
    PartScores.add(trees, outputs, rows, scores);
    return new AnchorLoss(PartScores.loss(model.objective(), rows, scores), 0);
  }
}
