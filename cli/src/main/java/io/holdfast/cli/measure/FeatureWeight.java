package io.holdfast.cli.measure;

import io.holdfast.boosting.explain.Importance;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.ColumnName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What splits on a feature gained in training (NaN: not known), and how many there are. */
public record FeatureWeight(String feature, double gain, double gainShare, long splits) {

  /** Of each feature, that of most worth first; of equal ones the model's order. */
  public static List<FeatureWeight> of(Model model) {
    boolean known = knowsTraining(model);
    Importance splits = Importance.bySplits(model);
    Importance gains = known ? Importance.byGain(model) : splits;
    Importance shares = gains.normalised();
    List<FeatureWeight> weights = new ArrayList<>();
    for (int k = 0; k < model.features().size(); k++) {
      weights.add(
          new FeatureWeight(
              ColumnName.of(model.features().get(k).name()),
              known ? gains.entries().get(k).value() : Double.NaN,
              known ? shares.entries().get(k).value() : Double.NaN,
              (long) splits.entries().get(k).value()));
    }
    weights.sort(
        Comparator.comparingDouble((FeatureWeight one) -> known ? one.gain : one.splits)
            .reversed());
    return weights;
  }

  /** Whether all trees know what their splits gained, and how many rows reached their leaves. */
  public static boolean knowsTraining(Model model) {
    return model.segments().stream()
        .flatMap(segment -> segment.trees().stream())
        .allMatch(tree -> tree.hasStatistics() || tree.leaves() == 1);
  }
}
