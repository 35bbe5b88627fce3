package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Evict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Drops segments so that the next update's trees fit the budget. Stateless. */
final class Eviction {
  /*
   * Trees fade before they leave for their age: the first are the largest, and the few new trees of
   * an update could not make good their sudden loss. The older half of the budget fades, linearly by
   * age, and new trees learn what it no longer says.
   */
  /** Below this weight a segment is dropped. */
  static final double NOTHING = 0.01;

  private Eviction() {}

  /** What remains of a model; {@code recent} rows tell which segments are of use. */
  static Model of(ModelSettings settings, Model model, Rows recent) {
    int budget = settings.update().maxTrees() - settings.treesOfUpdate();
    Evict rule = settings.update().upkeep().evict();
    List<Segment> remaining =
        rule == Evict.LEAST_USEFUL
            ? new ArrayList<>(model.segments())
            : faded(model.segments(), settings.update().maxTrees(), settings.treesOfUpdate());
    if (rule == Evict.DECAYED) {
      remaining.removeIf(segment -> Math.abs(segment.decay()) < NOTHING);
    }
    int trees = AutoState.trees(remaining);
    double[][] parts =
        rule == Evict.LEAST_USEFUL && trees > budget ? parts(model, remaining, recent) : null;
    while (trees > budget && !remaining.isEmpty()) {
      int leaves =
          switch (rule) {
            case OLDEST -> 0;
            case DECAYED -> lightest(remaining);
            case LEAST_USEFUL ->
                parts == null ? 0 : leastUseful(model.objective(), parts, remaining, recent);
          };
      if (parts != null) {
        parts = without(parts, leaves);
      }
      trees -= remaining.remove(leaves).trees().size();
    }
    return new Model(model.objective(), model.features(), model.base(), remaining);
  }

  /** The segments as they weigh after {@code coming} more trees. */
  private static List<Segment> faded(List<Segment> segments, double budget, int coming) {
    List<Segment> faded = new ArrayList<>();
    int newer = 0;
    for (Segment segment : segments.reversed()) {
      double weight = weight((newer + coming) / budget) / weight(newer / budget);
      faded.addFirst(
          weight == 1 ? segment : new Segment(segment.trees(), segment.decay() * weight));
      newer += segment.trees().size();
    }
    return faded;
  }

  /** Of trees with {@code age} times the budget of newer ones; never 0: only the budget drops. */
  private static double weight(double age) {
    return Math.clamp(2 * (1 - age), 1e-6, 1);
  }

  private static int lightest(List<Segment> segments) {
    int lightest = 0;
    for (int k = 1; k < segments.size(); k++) {
      if (Math.abs(segments.get(k).decay()) < Math.abs(segments.get(lightest).decay())) {
        lightest = k;
      }
    }
    return lightest;
  }

  /** The scores of each segment, then those of the base. */
  private static double[][] parts(Model model, List<Segment> segments, Rows rows) {
    double[][] parts = new double[segments.size() + 1][];
    for (int k = 0; k < segments.size(); k++) {
      parts[k] = PartScores.of(segments.subList(k, k + 1), model.base().outputs(), rows);
    }
    parts[segments.size()] = PartScores.of(model.base(), rows);
    return parts;
  }

  private static double[][] without(double[][] parts, int gone) {
    double[][] rest = new double[parts.length - 1][];
    Arrays.setAll(rest, k -> parts[k < gone ? k : k + 1]);
    return rest;
  }

  /** The segment without which the rows' loss is least; the older one of equals. */
  private static int leastUseful(
      Objective objective, double[][] parts, List<Segment> segments, Rows rows) {
    double[] all = new double[parts[0].length];
    for (double[] part : parts) {
      for (int i = 0; i < all.length; i++) {
        all[i] += part[i];
      }
    }
    int least = 0;
    double smallest = Double.POSITIVE_INFINITY;
    double[] rest = new double[all.length];
    for (int k = 0; k < segments.size(); k++) {
      for (int i = 0; i < all.length; i++) {
        rest[i] = all[i] - parts[k][i];
      }
      double loss = PartScores.loss(objective, rows, rest);
      if (loss < smallest) {
        smallest = loss;
        least = k;
      }
    }
    return least;
  }
}
