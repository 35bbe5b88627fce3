package io.holdfast.exchange.lightgbm;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.exchange.foreign.ExchangeException;
import io.holdfast.exchange.foreign.ForeignFeatures;
import io.holdfast.exchange.foreign.ForeignModel;
import io.holdfast.exchange.foreign.NodeOrder;
import io.holdfast.exchange.foreign.TreeDraft;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * LightGBM's text models, of the versions 2 to 4 of the format, as models of ours. Stateless.
 *
 * <p>Predictions are those of LightGBM 4, which sends a category that is no number right whatever
 * version wrote the model.
 */
public final class LightGbmReader {
  private static final Set<String> VERSIONS = Set.of("v2", "v3", "v4");
  private static final double ZERO = Feature.Numeric.LARGEST_ZERO;
  private static final int MOST_FEATURES = 4_096;
  private static final int MOST_OUTPUTS = 1_000;

  private LightGbmReader() {}

  /** Reads a model. */
  public static ForeignModel read(BufferedReader lines) throws IOException, ExchangeException {
    LightGbmFile file = LightGbmFile.read(lines);
    String version = file.header().getOrDefault("version", "");
    ExchangeException.require(
        VERSIONS.contains(version),
        "the model has version '%s' of LightGBM's format, and v2 to v4 are known",
        version);
    int outputs = outputs(file);
    if (file.trees().size() % outputs != 0) {
      throw ExchangeException.of(
          "the model must have as many trees for each of its %d outputs: %d",
          outputs, file.trees().size());
    }
    LightGbmObjective objective = LightGbmObjective.of(file, outputs);
    ForeignFeatures features = LightGbmFeatures.of(file, MOST_FEATURES);
    List<Tree> trees = new ArrayList<>();
    for (LightGbmTree tree : file.trees()) {
      trees.add(tree(tree, features, trees.size() % outputs));
    }
    boolean averaged = file.header().containsKey("average_output");
    double weight = averaged && !trees.isEmpty() ? (double) outputs / trees.size() : 1;
    List<Segment> segments =
        trees.isEmpty() ? List.of() : List.of(new Segment(trees, weight * objective.scale()));
    List<String> notes = new ArrayList<>(objective.notes());
    int leftOut = features.columns().length - features.features().size();
    if (leftOut > 0) {
      notes.add(
          leftOut
              + " features that no tree tests were left out: a model holds "
              + MOST_FEATURES
              + ".");
    }
    return ForeignModel.of(
        "LightGBM",
        objective.objective(),
        features.features(),
        Base.constant(new double[outputs]),
        segments,
        notes);
  }

  private static int outputs(LightGbmFile file) throws ExchangeException {
    String said =
        file.header()
            .getOrDefault("num_tree_per_iteration", file.header().getOrDefault("num_class", ""));
    long outputs = LightGbmNumbers.whole("the model", "num_tree_per_iteration", said);
    if (outputs < 1 || outputs > MOST_OUTPUTS) {
      throw ExchangeException.of(
          "the model must have 1 to %d trees an iteration: %d", MOST_OUTPUTS, outputs);
    }
    return (int) outputs;
  }

  private static Tree tree(LightGbmTree from, ForeignFeatures features, int output)
      throws ExchangeException {
    NodeOrder order = from.order();
    TreeDraft draft = new TreeDraft(order);
    for (int place = 0; place < order.innerNodes(); place++) {
      int node = order.inner(place);
      int column = features.columns()[from.feature(node)];
      if (from.categorical(node)) {
        draft.categorical(
            place, column, features.codes(from.feature(node), from.codes(node)), false);
      } else {
        double threshold = from.threshold(node);
        boolean zeroLeft = 0 <= threshold;
        boolean missingLeft =
            from.missing(node) == LightGbmTree.Missing.NONE ? zeroLeft : from.defaultLeft(node);
        draft.numeric(place, column, beyondZero(threshold), missingLeft);
      }
    }
    Tree tree = draft.tree(from.name(), from::leafValue, output);
    return from.hasStatistics() ? draft.withStatistics(tree, from::gain, from::leafCount) : tree;
  }

  /** The threshold that parts the same values where all that is nearly 0 goes where 0 does. */
  private static double beyondZero(double threshold) {
    double zero = threshold < 0 ? Math.nextDown(-ZERO) : ZERO;
    return Math.abs(threshold) <= ZERO ? zero : threshold;
  }
}
