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
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.keys.TreeKeys;
import io.holdfast.schemas.version.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A mixture of ensembles with short and long memory (experts), each weighted by its losses on new
 * rows before it learns from them, and each retrained when its turn comes. The base follows the
 * newest labels as far as that pays.
 */
public final class AutoPolicy implements UpdatePolicy {
  /*
   * A window: (1) the parent's experts, which have not seen its rows, are scored on them, and their
   * fading losses say what they count from now on; (2) so are the base's shifts, which then move along
   * the rows; (3) experts whose turn it is are trained on the newest rows, and weights are set. Most
   * windows are small and skip (3): they read no memory, leave trees and weights alone, and cost
   * microseconds. Where short-lived shifts save next to nothing the next window is larger; the shifts
   * are still judged as if it were small, to see when they would pay again.
   *
   * Until there are rows enough for an ensemble the best constant of the labels serves, and neither
   * weights nor shifts learn: experts' bases would come on top of a shift from 0 to the first labels.
   *
   * Scores are mixed, not probabilities: the mixture is a model like any other, a weighted sum of
   * trees whose weights are those of the segments.
   */
  private static final double LEAST_WEIGHT = 1e-3;
  private static final int FEWEST_ROWS = 14;

  /**
   * What a new expert or shift has lost more than a model that was there before, in units of the
   * log of a probability: that model is known to work, so others show first that they do better.
   */
  private static final double PROOF = 12;

  /** After so many rows a model that was there before goes, once it has the least weight. */
  private static final int INHERITED_ROWS = 10_000;

  /** The share of the loss that shifts must save for windows to stay small, and to become so. */
  private static final double PAYS_STILL = 0.01;

  private static final double PAYS_AGAIN = 0.03;

  /** Fewer rows do not tell whether it pays. */
  private static final int ROWS_THAT_TELL = 100;

  private final Figures.Builder figures = new Figures.Builder();
  private @Nullable Model latest;
  private @Nullable AutoState latestState; // of the latest model
  private FlatTrees trees = FlatTrees.NONE; // the last layout, which the next one reuses

  @Override
  public TrainingRun train(UpdateContext context, Workspace workspace) {
    Rows window = context.rows().window();
    Model parent = context.parent();
    AutoState state = state(context);
    int outputs = parent.base().outputs();
    if (state.rows == 0 && state.begun()) {
      state.tracker.prove(PROOF);
    }
    double lag = lag(context, state);
    double[][] scores = scores(state, outputs, window);
    double[] present = mixed(state, scores, window.size() * outputs);
    AnchorLoss before =
        state.begun()
            ? loss(parent.objective(), window, present, state)
            : loss(parent, outputs, window);
    if (state.begun()) {
      weigh(context, state, window, scores, present, lag);
    }
    long rowsBefore = state.rows;
    state.rows += window.size();
    Grown grown = grow(context, state, rowsBefore, lag, workspace);
    if (grown.rows != null && grown.objective != null) {
      settle(context, state, grown, grown.objective, grown.rows, lag);
    }
    if (!state.begun()) {
      state.beginning = parent.objective().initialScores(context.rows().newest(FEWEST_ROWS, 0));
    }
    Objective objective = grown.objective == null ? parent.objective() : grown.objective;
    Model model = state.model(objective, context.features().get());
    figures.clear();
    state.write(figures);
    NextWindow.remember(context.settings().window(), pays(context, state, lag), lag, figures);
    latest = model;
    latestState = state;
    return new TrainingRun(
        model,
        grown.rows == null ? window : grown.rows,
        context.seed(),
        grown.segments,
        grown.trees,
        before,
        grown.objective == null && state.begun()
            ? loss(parent.objective(), window, present, state)
            : loss(model, outputs, window),
        grown.safeguards,
        figures.build(),
        null,
        null);
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

  /** The parent's state: still known if the parent is the latest model, else read. */
  @SuppressWarnings("ReferenceEquality") // a model is of one version
  private AutoState state(UpdateContext context) {
    AutoState known = context.parent() == latest ? latestState : null;
    latest = null; // the state is about to change
    latestState = null;
    return known == null
        ? AutoState.read(context.parent(), context.remembered(), context.settings())
        : known;
  }

  /** What training came to. */
  private static final class Grown {
    private @Nullable Rows rows; // of the longest memory
    private @Nullable Objective objective;
    private int segments;
    private int trees;
    private int safeguards;
    private final List<AutoState.Part> begun = new ArrayList<>(); // for the first time, or anew

    /** The first time with the benefit of the doubt, then as good as who knows the same rows. */
    private void begin(AutoState state, AutoState.Part part) {
      AutoState.Part shortest = state.parts[Expert.SHORTEST];
      boolean first = part.trained == 0;
      part.shortLoss = first ? least(state, other -> other.shortLoss) : shortest.shortLoss;
      part.longLoss = first ? least(state, other -> other.longLoss) : shortest.longLoss;
      begun.add(part);
    }

    private void take(
        Fit fit,
        Model start,
        Rows of,
        Expert expert,
        @Nullable GrownTrees growth,
        AutoState state,
        AutoState.Part part) {
      trees += fit.model().trees() - start.trees();
      safeguards += fit.safeguards();
      objective = fit.model().objective();
      if (rows == null || rows.size() < of.size()) {
        rows = of;
      }
      if (state.rise.last() == 0 || state.rows - state.rise.last() >= expert.memory()) {
        part.interval.trained(part.weight);
      }
      part.trained = state.rows;
      segments += part.segments.size();
      part.segments =
          growth == null ? fit.model().segments() : growth.weighted(fit.model().segments(), 0);
      segments -= start.trees() > 0 ? part.segments.size() - 1 : 0;
      part.base = fit.model().base();
    }
  }

  /**
   * Label delay in rows, as if versions came at an even pace; waiting for the window's end counts.
   */
  private static double lag(UpdateContext context, AutoState state) {
    double late =
        context.version() <= 1 ? 0 : (double) context.lag() * state.rows / (context.version() - 1);
    return Math.max(late, NextWindow.wait(context.rows().window().size()));
  }

  /** Each expert's scores of the window; null for those not trained. */
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

  /** Judges experts, shrinkage, rise and shifts on the window. */
  private static void weigh(
      UpdateContext context,
      AutoState state,
      Rows window,
      double[][] scores,
      double[] mixed,
      double lag) {
    Objective objective = context.parent().objective();
    int outputs = objective.outputs();
    double[] labels = new double[window.size()];
    Arrays.setAll(labels, window::label);
    double[] one = new double[outputs];
    boolean classes = objective.classes() > 0;
    double shortFade = FadingLoss.shortFade(lag, classes);
    double longFade = FadingLoss.longFade(lag, classes);
    boolean mayWait = mayWait(context);
    double[][] losses = new double[scores.length][labels.length];
    for (int e = 0; e < scores.length; e++) {
      AutoState.Part part = state.parts[e];
      int turns = part.interval.turns();
      int turn =
          part == state.inherited() ? 1 : Expert.ALL.get(e).time(turns, mayWait, lag) / turns;
      for (int row = 0; row < labels.length && part.trained > 0; row++) {
        System.arraycopy(scores[e], row * outputs, one, 0, outputs);
        double lost = objective.excessLoss(labels[row], one);
        losses[e][row] = lost / state.scale;
        part.shortLoss = FadingLoss.next(part.shortLoss, shortFade, lost, state.scale);
        part.longLoss = FadingLoss.next(part.longLoss, longFade, lost, state.scale);
        part.interval.lost(losses[e][row], state.rows + row - part.trained, turn);
      }
    }
    state.judgeChange(objective, losses);
    state.shrinkage.judge(objective, labels, context.rows().served(), state.scale, lag);
    hurry(state, objective, labels, mixed);
    int small = context.settings().window().rows();
    state.tracker.judgeAndFollow(objective, labels, mixed, small, state.scale, lag);
  }

  /** Whether windows are small, to follow the newest labels. */
  private static boolean follows(UpdateContext context) {
    ModelSettings.Window window = context.settings().window();
    return NextWindow.of(window, context.remembered(), classes(context)).lost() > 0;
  }

  /** Whether experts may wait because windows are small: numbers are not followed as closely. */
  private static boolean mayWait(UpdateContext context) {
    return follows(context) && classes(context);
  }

  private static boolean classes(UpdateContext context) {
    return context.parent().objective().classes() > 0;
  }

  /** Whether following is to go on, also while too few rows came to tell, or to begin again. */
  private static boolean pays(UpdateContext context, AutoState state, double lag) {
    boolean follows = follows(context);
    return (follows && state.rows < ROWS_THAT_TELL && BiasTracker.mayHelp(lag))
        || state.tracker.saved() > (follows ? PAYS_STILL : PAYS_AGAIN);
  }

  /** Once the loss has risen, all experts are trained at every turn. */
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
        part.interval.hurry();
      }
    }
  }

  /** Sets the experts' weights by their losses. */
  private static void reweigh(AutoState state, double lag, boolean classes) {
    double[] shortLosses = losses(state, part -> part.shortLoss);
    double[] longLosses = losses(state, part -> part.longLoss);
    double[] weights = FadingLoss.weights(shortLosses, longLosses, lag, classes);
    if (!classes) {
      Expert.byMemory(weights, lag);
    }
    for (int e = 0; e < state.parts.length; e++) {
      AutoState.Part part = state.parts[e];
      part.weight = part.trained > 0 ? Math.max(LEAST_WEIGHT, weights[e]) : 0;
    }
  }

  /** Of each expert; infinite for those not trained. */
  private static double[] losses(AutoState state, ToDoubleFunction<AutoState.Part> loss) {
    return Arrays.stream(state.parts)
        .mapToDouble(p -> p.trained > 0 ? loss.applyAsDouble(p) : Double.POSITIVE_INFINITY)
        .toArray();
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

  /** Trains the experts whose turn it is. */
  private static Grown grow(
      UpdateContext context, AutoState state, long before, double lag, Workspace workspace) {
    Grown grown = new Grown();
    Integer advice = context.drift().memoryRows();
    int outputs = context.parent().base().outputs();
    Map<Integer, Rows> newest = new HashMap<>(); // by how many: two experts have the same memory
    boolean mayWait = mayWait(context);
    boolean replace = context.drift().replace();
    for (int e = 0; e < Expert.ALL.size(); e++) {
      Expert expert = Expert.ALL.get(e);
      AutoState.Part part = state.parts[e];
      int time = expert.time(part.interval.turns(), mayWait, lag);
      long forgotten = expert.forgets(state.change);
      boolean due = replace || expert.due(state.rows, before, part.trained, time, forgotten);
      if (!due
          || context.rows().size() < FEWEST_ROWS
          || (expert.linear() && state.inheritedTerms())
          || !expert.fits(context.parent().features(), outputs)) {
        continue;
      }
      int memory = Math.min(expert.memory(state.rows, forgotten), context.rows().size());
      if (advice != null) {
        memory = Math.clamp(advice, FEWEST_ROWS, memory);
      }
      Rows rows = newest.computeIfAbsent(memory, count -> context.rows().newest(count, 0));
      long seed = TrainingRun.seedOfPart(context.settings(), context.version(), e);
      var settings = expert.settings(context.settings(), seed);
      List<Feature> features = context.features().get();
      Model start = begin(settings, features, part);
      GrownTrees growth = expert.grows() ? expert.grown(context.settings()) : null;
      if (growth != null && growth.pays() && part.trained >= expert.every() && !replace) {
        // All rounds: the old trees have been faded for so many.
        settings = settings.toBuilder().rounds(GrownTrees.ROUNDS).holdOut(null).build();
        Model fading = growth.fading(context.parent().objective(), features, part);
        start = new Booster(settings, workspace).recentre(fading, rows);
      }
      Fit fit = new Booster(settings, workspace).extend(start, features, rows, FitListener.NONE);
      if (Double.isFinite(fit.losses().getLast().total())) {
        if (part.trained == 0 || expert.begins(state.rows, part.trained, forgotten)) {
          grown.begin(state, part);
        }
        grown.take(fit, start, rows, expert, growth, state, part);
      }
    }
    return grown;
  }

  /** A model without trees, on the expert's linear base if it has one. */
  private static Model begin(
      BoosterSettings settings, List<Feature> features, AutoState.Part part) {
    Model untrained = Booster.untrained(settings, features);
    return part.base.terms().isEmpty()
        ? untrained
        : new Model(untrained.objective(), features, part.base, List.of());
  }

  /** Weighs all parts anew after experts were trained on {@code rows} at most. */
  private static void settle(
      UpdateContext context,
      AutoState state,
      Grown grown,
      Objective objective,
      Rows rows,
      double lag) {
    double[] constants = objective.initialScores(rows);
    state.rescale(scale(objective, rows, constants));
    if (state.inherited().trained > 0) {
      prove(state, grown.begun);
    }
    reweigh(state, lag, objective.classes() > 0);
    if (Shrinkage.suffice(rows.size(), state.rows)) {
      state.shrinkage.constant(constants);
    }
    state.shrinkage.choose(context.version());
    if (context.drift().replace()
        || (state.rows >= INHERITED_ROWS && state.inherited().weight <= LEAST_WEIGHT)) {
      state.disinherit();
    }
  }

  /** Has experts that begin, and shifts once any does, show that they do better. */
  private static void prove(AutoState state, List<AutoState.Part> begun) {
    for (AutoState.Part part : begun) {
      part.shortLoss += PROOF;
      part.longLoss += PROOF;
    }
    if (begun.contains(state.parts[0])) {
      state.tracker.prove(PROOF);
    }
  }

  /** What a new expert begins with: the benefit of the doubt. */
  private static double least(AutoState state, ToDoubleFunction<AutoState.Part> loss) {
    double least = Arrays.stream(losses(state, loss)).min().orElseThrow();
    return Double.isInfinite(least) ? 0 : least;
  }

  /** What losses are divided by: 1 for those of probabilities, else what constants lose a row. */
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
