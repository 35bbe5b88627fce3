package io.holdfast.boosting.explain;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What each feature is worth to a model. Immutable.
 *
 * @param measure what the values are
 * @param entries one for each feature of the model, in its order
 */
public record Importance(Measure measure, List<Entry> entries) {

  /** What importance is measured by. */
  public enum Measure {
    /** The sum of what splits on the feature gained in training, times their segments' decay. */
    GAIN,
    /** How many splits there are on the feature. */
    SPLITS,
    /** The weighted mean size of the feature's contributions, summed over raw scores. */
    CONTRIBUTION
  }

  /** What one feature is worth; finite. */
  public record Entry(String feature, double value) {}

  public Importance {
    entries = List.copyOf(entries);
  }

  /**
   * The gain of the splits on each feature. A linear base has no splits: it counts for nothing
   * here.
   *
   * @throws IllegalArgumentException if a tree does not know what its splits gained
   */
  public static Importance byGain(Model model) {
    double[] gains = new double[model.features().size()];
    int number = 0;
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        Check.that(
            tree.hasStatistics() || tree.leaves() == 1,
            "a model must know what its splits gained, and tree %s of %s does not: train it again,"
                + " or count splits",
            number,
            model.trees());
        number++;
        for (int node = 0; node < tree.innerNodes(); node++) {
          gains[tree.feature(node)] += Math.abs(segment.decay()) * tree.gain(node);
        }
      }
    }
    return of(Measure.GAIN, model, gains);
  }

  /** The number of splits on each feature. */
  public static Importance bySplits(Model model) {
    double[] splits = new double[model.features().size()];
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        for (int node = 0; node < tree.innerNodes(); node++) {
          splits[tree.feature(node)]++;
        }
      }
    }
    return of(Measure.SPLITS, model, splits);
  }

  /**
   * The mean size of each feature's contributions to the scores of rows, a linear base's included.
   *
   * @throws IllegalArgumentException if there are no rows, or they have not as many values as the
   *     model has features
   */
  public static Importance byContribution(Explainer explainer, Rows rows) {
    int width = explainer.model().features().size();
    Check.that(rows.width() == width, "rows must have %s features: %s", width, rows.width());
    double[] features = new double[width];
    double[] amounts = new double[explainer.outputs() * width];
    var means = new MeanContributions(explainer.model().features());
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, features);
      explainer.contributions(features, amounts);
      means.add(amounts, rows.weight(row));
    }
    return means.importance();
  }

  private static Importance of(Measure measure, Model model, double[] values) {
    List<Entry> entries = new ArrayList<>();
    for (int column = 0; column < values.length; column++) {
      Feature feature = model.features().get(column);
      entries.add(new Entry(feature.name(), values[column]));
    }
    return new Importance(measure, entries);
  }

  /** The same as shares of their sum; all 0 if that is not above 0. */
  public Importance normalised() {
    double total = 0;
    for (Entry entry : entries) {
      total += entry.value();
    }
    List<Entry> shares = new ArrayList<>();
    for (Entry entry : entries) {
      shares.add(new Entry(entry.feature(), total > 0 ? entry.value() / total : 0));
    }
    return new Importance(measure, shares);
  }

  /** The same, greatest first; equal ones in the order of the model's features. */
  public Importance ranked() {
    List<Entry> ranked = new ArrayList<>(entries);
    ranked.sort(Comparator.comparingDouble(Entry::value).reversed());
    return new Importance(measure, ranked);
  }
}
