package io.holdfast.boosting.explain;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

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
   * The gain of the splits on each feature; a linear base counts for nothing here.
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
    return of(Measure.GAIN, model.features(), column -> gains[column]);
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
    return of(Measure.SPLITS, model.features(), column -> splits[column]);
  }

  static Importance of(Measure measure, List<Feature> features, IntToDoubleFunction value) {
    return new Importance(
        measure,
        IntStream.range(0, features.size())
            .mapToObj(k -> new Entry(features.get(k).name(), value.applyAsDouble(k)))
            .toList());
  }

  /** The same as shares of their sum; all 0 if that is not above 0. */
  public Importance normalised() {
    double sum = 0;
    for (Entry entry : entries) {
      sum += entry.value();
    }
    double total = sum;
    return new Importance(
        measure,
        entries.stream()
            .map(one -> new Entry(one.feature(), total > 0 ? one.value() / total : 0))
            .toList());
  }

  /** The same, greatest first; equal ones in the order of the model's features. */
  public Importance ranked() {
    Comparator<Entry> greatestFirst = Comparator.comparingDouble(Entry::value).reversed();
    return new Importance(measure, entries.stream().sorted(greatestFirst).toList());
  }
}
