package io.holdfast.boosting.model;

/** Walks a model's trees side by side. */
final class FlatScorer extends WalkScorer {
  private final FlatTrees trees;

  /**
   * A scorer of a model.
   *
   * @param trees those of its segments
   */
  FlatScorer(Model model, FlatTrees trees) {
    super(model);
    this.trees = trees;
  }

  @Override
  void add(double[] features, double[] target) {
    trees.add(features, target, 0);
  }

  @Override
  public long bytes() {
    return trees.bytes();
  }
}
