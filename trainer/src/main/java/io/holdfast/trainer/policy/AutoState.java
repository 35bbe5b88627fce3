package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What {@link AutoPolicy} knows of the past: its experts' trees, which are the parent's segments,
 * and numbers that stand in the parent's metrics. Whoever made the parent may keep this instead of
 * reading it. Owned by one thread.
 */
final class AutoState {
  private static final String PREFIX = "auto.";

  /** Rows that were learned from so far. */
  long rows;

  /** What losses were divided by. */
  double scale = 1;

  final Part[] parts = new Part[Expert.ALL.size()];

  /** The constants' trackers, by {@link BaseTracker#HALF_LIVES}. */
  final BaseTracker tracker;

  /** Whether the loss of what serves, but for the constants, has risen. */
  final LossRise rise = new LossRise(PREFIX + "rise.");

  /** How far all of it is drawn back to a constant. */
  final Shrinkage shrinkage;

  /** What serves before there is an ensemble, by output. */
  double[] beginning;

  /** One expert as it stands. */
  static final class Part {
    /** Its trees; none before it is trained. */
    List<Segment> segments = List.of();

    /** What its trees stand on. */
    Base base;

    /** How many rows there were when it was trained; 0 if it never was. */
    long trained;

    /** Its fading loss, of a short memory. */
    double shortLoss;

    /** The same, of a long one. */
    double longLoss;

    /** What it counts with; 0 before it is trained. */
    double weight;

    /** How often it is trained. */
    final Pace pace;

    private final String trainedKey;
    private final String shortLossKey;
    private final String longLossKey;
    private final String weightKey;
    private final String treesKey;
    private final String[] baseKeys;

    Part(String prefix, Base base) {
      this.base = base;
      pace = new Pace(prefix);
      trainedKey = prefix + "trained";
      shortLossKey = prefix + "loss";
      longLossKey = prefix + "longLoss";
      weightKey = prefix + "weight";
      treesKey = prefix + "trees";
      baseKeys = new String[base.outputs()];
      Arrays.setAll(baseKeys, k -> prefix + "base" + k);
    }

    /** What it knows but for its trees, of which it says how many they are. */
    private int read(Map<String, Double> metrics) {
      trained = metrics.getOrDefault(trainedKey, 0.0).longValue();
      shortLoss = metrics.getOrDefault(shortLossKey, 0.0);
      longLoss = metrics.getOrDefault(longLossKey, shortLoss);
      weight = metrics.getOrDefault(weightKey, 0.0);
      pace.read(metrics);
      double[] constants = new double[baseKeys.length];
      for (int k = 0; k < constants.length; k++) {
        constants[k] = metrics.getOrDefault(baseKeys[k], 0.0);
      }
      base = Base.constant(constants);
      return metrics.getOrDefault(treesKey, 0.0).intValue();
    }

    private void write(Figures.Builder metrics) {
      metrics.put(trainedKey, (double) trained);
      metrics.put(shortLossKey, shortLoss);
      metrics.put(longLossKey, longLoss);
      metrics.put(weightKey, weight);
      pace.write(metrics);
      metrics.put(treesKey, trees(segments));
      for (int k = 0; k < base.outputs(); k++) {
        metrics.put(baseKeys[k], base.intercept(k));
      }
    }
  }

  private AutoState(int outputs) {
    tracker = new BaseTracker(outputs, PREFIX);
    shrinkage = new Shrinkage(outputs, PREFIX + "shrink.");
    beginning = new double[outputs];
    for (int e = 0; e < parts.length; e++) {
      parts[e] = new Part(PREFIX + e + ".", Base.constant(new double[outputs]));
    }
  }

  /** As the parent's manifest tells; from nothing if another policy made the parent. */
  static AutoState read(Model parent, Map<String, Double> metrics, ModelSettings settings) {
    int outputs = parent.base().outputs();
    AutoState state = new AutoState(outputs);
    Double rows = metrics.get(PREFIX + "rows");
    if (rows == null) {
      return state;
    }
    state.rows = rows.longValue();
    state.scale = scale(metrics);
    state.shrinkage.read(metrics);
    double share = state.shrinkage.share();
    int at = 0;
    for (int e = 0; e < state.parts.length; e++) {
      Part part = state.parts[e];
      int trees = part.read(metrics);
      if (part.trained > 0 && Expert.ALL.get(e).linear()) {
        part.base = linear(part.base, parent.base().terms(), share * part.weight);
      }
      List<Segment> segments = new ArrayList<>();
      while (trees > 0 && at < parent.segments().size()) {
        Segment segment = new Segment(parent.segments().get(at++).trees());
        segments.add(segment);
        trees -= segment.trees().size();
      }
      Expert expert = Expert.ALL.get(e);
      part.segments =
          expert.grows() ? expert.grown(settings).weighted(segments, 0) : List.copyOf(segments);
    }
    state.tracker.read(metrics);
    state.rise.read(metrics);
    return state;
  }

  /** Whether there is an ensemble yet. */
  boolean begun() {
    for (Part part : parts) {
      if (part.trained > 0) {
        return true;
      }
    }
    return false;
  }

  /** What losses are divided by, as the parent's manifest tells. */
  static double scale(Map<String, Double> metrics) {
    return metrics.getOrDefault(PREFIX + "scale", 1.0);
  }

  /** What {@link #read} reads. */
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
    tracker.write(metrics);
    rise.write(metrics);
    shrinkage.write(metrics);
  }

  /** Divides all losses by something else from now on. */
  void rescale(double next) {
    double factor = scale / next;
    for (Part part : parts) {
      part.shortLoss *= factor;
      part.longLoss *= factor;
      part.pace.rescale(factor);
    }
    tracker.rescale(factor);
    rise.rescale(factor);
    shrinkage.rescale(factor);
    scale = next;
  }

  /**
   * The experts by their weights, on constants that the tracker has moved, all of it shrunk. From
   * here on this is what {@link #read} makes of it, to the bit.
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
    for (int k = 0; k < constants.length; k++) {
      constants[k] = shrinkage.constant(k) + share * constants[k];
    }
    return new Model(objective, features, Base.linear(constants, terms), segments);
  }

  static int trees(List<Segment> segments) {
    int trees = 0;
    for (Segment segment : segments) {
      trees += segment.trees().size();
    }
    return trees;
  }

  /** The base of a part, of the terms that it has in a model. */
  private static Base linear(Base part, List<LinearTerm> terms, double factor) {
    double[] constants = new double[part.outputs()];
    for (int k = 0; k < constants.length; k++) {
      constants[k] = part.intercept(k);
    }
    return Base.linear(constants, scaled(terms, 1 / factor));
  }

  private static List<LinearTerm> scaled(List<LinearTerm> terms, double factor) {
    List<LinearTerm> scaled = new ArrayList<>();
    for (LinearTerm term : terms) {
      scaled.add(term.times(factor));
    }
    return scaled;
  }
}
