package io.holdfast.exchange.foreign;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The trees of a model as other programs have them: each adds one number to one raw score, as it
 * is. Immutable.
 */
public final class PlainTrees {
  private final Model model;
  private final List<PlainTree> trees;

  /** A tree of ours, of whose leaf values the one at a place adds to one raw score. */
  public record PlainTree(Tree from, int place, double weight) {
    /** The raw score that it adds to. */
    public int output() {
      return from.output() + place;
    }

    /** What a leaf adds. */
    public double value(int leaf) {
      return weight * from.leafValue(leaf, place);
    }
  }

  private PlainTrees(Model model, List<PlainTree> trees) {
    this.model = model;
    this.trees = List.copyOf(trees);
  }

  /** The trees of a model for a program; its base must not be linear, which no trees can say. */
  public static PlainTrees of(Model model, String program) throws ExchangeException {
    if (!model.base().terms().isEmpty()) {
      throw ExchangeException.of(
          "the model has a linear base, which %s cannot say: export it to json, or fit it without",
          program);
    }
    List<PlainTree> trees = new ArrayList<>();
    for (Segment segment : model.segments()) {
      for (Tree tree : segment.trees()) {
        for (int place = 0; place < tree.outputs(); place++) {
          trees.add(new PlainTree(tree, place, segment.decay()));
        }
      }
    }
    return new PlainTrees(model, trees);
  }

  /** All of them, in order. */
  public List<PlainTree> all() {
    return trees;
  }

  /** Those of one raw score, in order. */
  public List<PlainTree> of(int output) {
    return trees.stream().filter(tree -> tree.output() == output).toList();
  }

  /** The codes that a categorical node sends left, of those that its feature lists. */
  public int[] leftCodes(Tree tree, int node) {
    return leftCodes(model, tree, node);
  }

  /** The codes that a categorical node of a model sends left, of those that its feature lists. */
  public static int[] leftCodes(Model model, Tree tree, int node) {
    return IntStream.range(0, categories(model, tree.feature(node)).size())
        .filter(code -> tree.goesLeft(node, code))
        .toArray();
  }

  /** The categories of a feature; none of a numeric one. */
  public static List<String> categories(Model model, int column) {
    return model.features().get(column) instanceof Feature.Categorical categorical
        ? categorical.categories()
        : List.of();
  }

  /** The names of features whose zeros are missing, to be told of. */
  public static List<String> zeroMissing(Model model) {
    return model.features().stream().filter(PlainTrees::zeroMissing).map(Feature::name).toList();
  }

  public static boolean zeroMissing(Feature feature) {
    return feature instanceof Feature.Numeric numeric && numeric.zeroMissing();
  }
}
