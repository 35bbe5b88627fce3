package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The state of {@link AutoPolicy}: its experts' trees, which are the parent's segments, and numbers
 * in the parent's metrics. Whoever made the parent may keep this instead of reading it. Owned by
 * one thread.
 */
final class AutoState {
  private static final String PREFIX = "auto.";
  private static final String INHERITED = "inherited";
  private static final String INHERITED_TERMS = PREFIX + INHERITED + ".terms";

  /** Rows that were learned from so far. */
  long rows;

  /** Losses are divided by it. */
  double scale = 1;

  /** The experts', in their order; then what {@link #inherit} took over. */
  final Part[] parts = new Part[Expert.ALL.size() + 1];

  final BiasTracker tracker;

  /** Of the loss of what serves, constants apart. */
  final LossRise rise = new LossRise(PREFIX + "rise.");

  /** Of the losses of a short memory and of a long one. */
  final ChangePoint change = new ChangePoint(PREFIX + "change.");

  /** Of all scores towards a constant. */
  final Shrinkage shrinkage;

  /** The base that serves before any expert is trained. */
  double[] beginning;

  /** The state of one expert. */
  static final class Part {
    List<Segment> segments = List.of();

    /** What its trees stand on. */
    Base base;

    /** How many rows there were at its last training; 0 if it never was trained. */
    long trained;

    /** Fading losses of a short and of a long memory. */
    double shortLoss;

    double longLoss;

    /** In the mixture; 0 before it is trained. */
    double weight;

    final RetrainInterval interval;

    private final String trainedKey;
    private final String shortLossKey;
    private final String longLossKey;
    private final String weightKey;
    private final String treesKey;
    private final String[] baseKeys;

    Part(String keyPrefix, Base base) {
      this.base = base;
      interval = new RetrainInterval(keyPrefix);
      trainedKey = keyPrefix + "trained";
      shortLossKey = keyPrefix + "loss";
      longLossKey = keyPrefix + "longLoss";
      weightKey = keyPrefix + "weight";
      treesKey = keyPrefix + "trees";
      baseKeys = new String[base.outputs()];
      Arrays.setAll(baseKeys, k -> keyPrefix + "base" + k);
    }

    /** Reads all but the trees, and returns how many these are. */
    private int read(Map<String, Double> metrics) {
      longLoss = metrics.getOrDefault(shortLossKey, 0.0); // of versions with one loss only
      exchange(StateFields.reading(metrics));
      double[] constants = new double[baseKeys.length];
      Arrays.setAll(constants, k -> metrics.getOrDefault(baseKeys[k], 0.0));
      base = Base.constant(constants);
      return metrics.getOrDefault(treesKey, 0.0).intValue();
    }

    private void write(Figures.Builder metrics) {
      exchange(StateFields.writing(metrics));
      metrics.put(treesKey, trees(segments));
      for (int k = 0; k < base.outputs(); k++) {
        metrics.put(baseKeys[k], base.intercept(k));
      }
    }

    private void exchange(StateFields fields) {
      trained = (long) fields.exchange(trainedKey, (double) trained);
      shortLoss = fields.exchange(shortLossKey, shortLoss);
      longLoss = fields.exchange(longLossKey, longLoss);
      weight = fields.exchange(weightKey, weight);
      interval.exchange(fields);
    }
  }

  private AutoState(Objective objective) {
    int outputs = objective.outputs();
    tracker = new BiasTracker(objective, PREFIX);
    shrinkage = new Shrinkage(outputs, PREFIX + "shrink.");
    beginning = new double[outputs];
    Base zero = Base.constant(new double[outputs]);
    Arrays.setAll(
        parts, e -> new Part(PREFIX + (e < Expert.ALL.size() ? e : INHERITED) + ".", zero));
  }

  /**
   * What was there before this policy, such as an imported model: counts as an expert that is never
   * trained, until it is of no use any more.
   */
  Part inherited() {
    return parts[Expert.ALL.size()];
  }

  /** Takes over a model of another policy; one without trees and terms has nothing to take. */
  private void inherit(Model parent) {
    if (parent.trees() == 0 && parent.base().terms().isEmpty()) {
      return;
    }
    Part part = inherited();
    part.base = parent.base();
    part.segments =
        parent.segments().stream()
            .filter(segment -> !segment.trees().isEmpty())
            .map(AutoState::undecayed)
            .toList();
    part.trained = 1;
    part.weight = 1;
  }

  /** The same segment with the decay in its leaf values: a model's state is read from the trees. */
  private static Segment undecayed(Segment segment) {
    return segment.decay() == 1
        ? segment
        : new Segment(segment.trees().stream().map(tree -> scaled(tree, segment.decay())).toList());
  }

  private static Tree scaled(Tree tree, double factor) {
    double[] values = new double[tree.leaves() * tree.outputs()];
    Arrays.setAll(values, i -> factor * tree.leafValue(i / tree.outputs(), i % tree.outputs()));
    return tree.withLeafValues(values);
  }

  /** Forgets what was taken over. */
  void disinherit() {
    Part part = inherited();
    part.trained = 0;
    part.weight = 0;
    part.segments = List.of();
  }

  /** Whether the linear terms are those of what was taken over: a base has one a feature. */
  boolean inheritedTerms() {
    return inherited().trained > 0 && !inherited().base.terms().isEmpty();
  }

  /** From the parent and its metrics; a new one if another policy made the parent. */
  static AutoState read(Model parent, Map<String, Double> metrics, ModelSettings settings) {
    AutoState state = new AutoState(parent.objective());
    Double rows = metrics.get(PREFIX + "rows");
    if (rows == null) {
      state.inherit(parent);
      return state;
    }
    state.rows = rows.longValue();
    state.scale = scale(metrics);
    state.shrinkage.read(metrics);
    double share = state.shrinkage.share();
    boolean ofInherited = metrics.containsKey(INHERITED_TERMS);
    int at = 0;
    for (int e = 0; e < state.parts.length; e++) {
      Part part = state.parts[e];
      Expert expert = e < Expert.ALL.size() ? Expert.ALL.get(e) : null;
      int trees = part.read(metrics);
      boolean ownsTerms = expert == null ? ofInherited : expert.linear() && !ofInherited;
      if (part.trained > 0 && ownsTerms) {
        part.base = linear(part.base, parent.base().terms(), share * part.weight);
      }
      List<Segment> segments = new ArrayList<>();
      while (trees > 0 && at < parent.segments().size()) {
        Segment segment = new Segment(parent.segments().get(at++).trees());
        segments.add(segment);
        trees -= segment.trees().size();
      }
      part.segments =
          expert != null && expert.grows()
              ? expert.grown(settings).weighted(segments, 0)
              : List.copyOf(segments);
    }
    state.tracker.exchange(StateFields.reading(metrics));
    state.rise.exchange(StateFields.reading(metrics));
    state.change.exchange(StateFields.reading(metrics));
    return state;
  }

  /**
   * Judges whether the world has changed, on rows that come after {@link #rows}. Not where labels
   * are numbers: these mostly go on from one another, so that the shortest memory loses least in
   * any world.
   *
   * @param losses of each expert, row by row, scaled
   */
  void judgeChange(Objective objective, double[][] losses) {
    double[] ofShort = losses[Expert.SHORTEST];
    double[] ofLong = losses[Expert.LONGEST];
    long trained = parts[Expert.LONGEST].trained;
    if (objective.classes() == 0
        || parts[Expert.SHORTEST].trained == 0
        || trained == 0
        || Expert.yetToBegin(trained, change.last())) {
      return; // what is known of the world before is no evidence of another change
    }
    for (int row = 0; row < ofShort.length; row++) {
      change.next(ofShort[row], ofLong[row], rows + row + 1);
    }
  }

  /** Whether any expert is trained yet. */
  boolean begun() {
    return Arrays.stream(parts).anyMatch(part -> part.trained > 0);
  }

  /** What losses are divided by, from a manifest's metrics. */
  static double scale(Map<String, Double> metrics) {
    return metrics.getOrDefault(PREFIX + "scale", 1.0);
  }

  /** Writes what {@link #read} reads. */
  void write(Figures.Builder metrics) {
    metrics.put(PREFIX + "rows", (double) rows);
    if (scale != 1) {
      metrics.put(PREFIX + "scale", scale);
    }
    for (Part part : parts) {
      if (part.trained > 0) {
        part.write(metrics);
      }
    }
    if (inheritedTerms()) {
      metrics.put(INHERITED_TERMS, 1.0);
    }
    tracker.exchange(StateFields.writing(metrics));
    rise.exchange(StateFields.writing(metrics));
    change.exchange(StateFields.writing(metrics));
    shrinkage.write(metrics);
  }

  /** Divides all losses by {@code next} from now on. */
  void rescale(double next) {
    double factor = scale / next;
    for (Part part : parts) {
      part.shortLoss *= factor;
      part.longLoss *= factor;
      part.interval.rescale(factor);
    }
    tracker.rescale(factor);
    rise.rescale(factor);
    change.rescale(factor);
    shrinkage.rescale(factor);
    scale = next;
  }

  /**
   * The mixture: the experts by their weights, moved by the tracker's shift, all of it shrunk. From
   * here on this state is what {@link #read} makes of the model, bit for bit.
   */
  Model model(Objective objective, List<Feature> features) {
    if (!begun()) {
      return new Model(objective, features, Base.constant(beginning), List.of());
    }
    double share = shrinkage.share();
    double[] constants = tracker.shift();
    List<LinearTerm> terms = List.of();
    List<Segment> segments = new ArrayList<>();
    for (Part part : parts) {
      if (part.trained > 0) {
        for (int k = 0; k < constants.length; k++) {
          constants[k] += part.weight * part.base.intercept(k);
        }
        if (!part.base.terms().isEmpty()) {
          terms = scaled(part.base.terms(), share * part.weight);
          part.base = linear(part.base, terms, share * part.weight);
        }
        for (Segment segment : part.segments) {
          segments.add(new Segment(segment.trees(), share * part.weight * segment.decay()));
        }
      }
    }
    Arrays.setAll(constants, k -> shrinkage.constant(k) + share * constants[k]);
    return new Model(objective, features, Base.linear(constants, terms), segments);
  }

  static int trees(List<Segment> segments) {
    return segments.stream().mapToInt(segment -> segment.trees().size()).sum();
  }

  /** An expert's base, from its terms in a model that scaled them by {@code factor}. */
  private static Base linear(Base part, List<LinearTerm> terms, double factor) {
    double[] constants = new double[part.outputs()];
    Arrays.setAll(constants, part::intercept);
    return Base.linear(constants, scaled(terms, 1 / factor));
  }

  private static List<LinearTerm> scaled(List<LinearTerm> terms, double factor) {
    return terms.stream().map(term -> term.times(factor)).toList();
  }
}
