package io.holdfast.schemas.ledger;

import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.avro.TreeNodes;
import java.util.ArrayList;
import java.util.List;

/** Trees as values of their contract: what {@link TreeCodec#body} writes without making them. */
final class ContractTrees {
  private ContractTrees() {}

  static TreeNodes of(Tree tree) {
    int nodes = tree.innerNodes();
    List<Integer> features = new ArrayList<>(nodes);
    List<Double> thresholds = new ArrayList<>(nodes);
    List<Boolean> missingLeft = new ArrayList<>(nodes);
    List<Long> categorySets = new ArrayList<>();
    List<Integer> categorySetEnds = new ArrayList<>(nodes);
    List<Integer> left = new ArrayList<>(nodes);
    List<Integer> right = new ArrayList<>(nodes);
    List<Float> gains = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      features.add(tree.feature(node));
      thresholds.add(tree.threshold(node));
      missingLeft.add(tree.missingLeft(node));
      for (long word : tree.categorySet(node)) {
        categorySets.add(word);
      }
      categorySetEnds.add(categorySets.size());
      left.add(tree.left(node));
      right.add(tree.right(node));
      if (tree.hasStatistics()) {
        gains.add(tree.gain(node));
      }
    }
    List<Double> leafValues = new ArrayList<>(tree.leaves() * tree.outputs());
    List<Float> leafCovers = new ArrayList<>();
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      for (int k = 0; k < tree.outputs(); k++) {
        leafValues.add(tree.leafValue(leaf, k));
      }
      if (tree.hasStatistics()) {
        leafCovers.add(tree.leafCover(leaf));
      }
    }
    return TreeNodes.newBuilder()
        .setFeatures(features)
        .setThresholds(thresholds)
        .setMissingLeft(missingLeft)
        .setCategorySets(categorySets)
        .setCategorySetEnds(categorySetEnds)
        .setLeft(left)
        .setRight(right)
        .setLeafValues(leafValues)
        .setOutput(tree.output())
        .setOutputs(tree.outputs())
        .setGains(gains)
        .setLeafCovers(leafCovers)
        .build();
  }
}
