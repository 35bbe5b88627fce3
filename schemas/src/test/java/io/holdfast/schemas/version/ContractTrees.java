package io.holdfast.schemas.version;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.avro.GroupedCategories;
import io.holdfast.schemas.avro.TreeNodes;
import io.holdfast.schemas.avro.TreeSegment;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Trees as values of their contract: what {@link TreeCodec#body} writes without making them. */
final class ContractTrees {
  private ContractTrees() {}

  /** A segment of the newest format. */
  static TreeSegment segment(List<Tree> trees) {
    List<CategoryGroups> all = new ArrayList<>();
    List<TreeNodes> nodes = new ArrayList<>();
    for (Tree tree : trees) {
      List<Integer> places = new ArrayList<>();
      for (int node = 0; node < tree.innerNodes() && tree.hasCategoryGroups(); node++) {
        CategoryGroups groups = tree.categoryGroups(node);
        if (groups != null && !all.contains(groups)) {
          all.add(groups);
        }
        places.add(groups == null ? -1 : all.indexOf(groups));
      }
      nodes.add(TreeNodes.newBuilder(of(tree)).setCategoryGroups(places).build());
    }
    List<GroupedCategories> grouped = new ArrayList<>();
    for (CategoryGroups groups : all) {
      var bytes = new ByteArrayOutputStream();
      for (int code = 0; code < groups.codes(); code++) {
        if (groups.count() > 255) {
          bytes.write(groups.of(code) >> 8);
        }
        bytes.write(groups.of(code));
      }
      grouped.add(new GroupedCategories(groups.count(), ByteBuffer.wrap(bytes.toByteArray())));
    }
    return new TreeSegment(LedgerCodec.SEGMENT_FORMAT, nodes, grouped);
  }

  /** A tree without the places of its groups, which are the segment's. */
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
        .setCategoryGroups(List.of())
        .build();
  }
}
