package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Vectors.SimdMode;

/** Raw scores of feature vectors. Safe to share; all scorers of a model give the same bits. */
public interface Scorer {

  /** How many raw scores a row has. */
  int outputs();

  /** How many features a row has. */
  int width();

  /**
   * The raw score of one row, by a model of one output.
   *
   * @throws IllegalArgumentException if rows have several raw scores
   */
  double score(double[] features);

  /** Writes the raw scores of one row to {@code target[0, outputs)}. */
  void score(double[] features, double[] target);

  /**
   * Writes the raw scores of the first {@code rows} rows of a row-major block, the same bits as one
   * by one: output {@code k} of row {@code r} goes to {@code target[k * rows + r]}.
   *
   * @throws IllegalArgumentException if the block or the target is too short
   */
  default void scores(double[] features, int rows, double[] target) {
    var block = new FeatureBlock();
    block.of(features, width());
    scoreOneByOne(block, rows, target);
  }

  /**
   * The raw scores of each row, the same bits as one by one: output {@code k} of row {@code r} is
   * at {@code k * rows.size() + r}.
   */
  default double[] scores(Rows rows) {
    double[] scores = new double[Math.multiplyExact(outputs(), rows.size())];
    var block = new FeatureBlock();
    block.of(rows);
    scoreOneByOne(block, rows.size(), scores);
    return scores;
  }

  private void scoreOneByOne(FeatureBlock block, int rows, double[] target) {
    double[] features = new double[block.width];
    double[] one = new double[outputs()];
    for (int row = 0; row < rows; row++) {
      block.copyRow(row, features);
      score(features, one);
      for (int k = 0; k < one.length; k++) {
        target[k * rows + row] = one[k];
      }
    }
  }

  /** What the scorer takes beside the model, in bytes, without scratch of threads. */
  default long bytes() {
    return 0;
  }

  /** The scorer to serve for long: the model compiled as a whole. The same bits. */
  default Scorer settled() {
    return this;
  }

  /** Compiles a model for speed; one that is too large to lay out is walked as it is. */
  static Scorer of(Model model) {
    Vectors.warmUp(model);
    return CompiledScorer.of(model, SimdMode.FASTEST);
  }

  /**
   * A scorer for so many rows: few walk the trees, more are scored by blocks, and what single rows
   * need is laid out only when {@link #score(double[])} is called. The same bits.
   */
  static Scorer ofRows(Model model, int rows) {
    // To lay a tree out for blocks takes 60 to 100 times as long as to walk a row down it.
    if (rows <= 64) {
      return new TreeWalkScorer(model);
    }
    Vectors.warmUp(model);
    return CompiledScorer.ofBlocks(model, SimdMode.FASTEST);
  }

  /** Raw scores of rows that this model scores once, as {@link #scores(Rows)} gives them. */
  static double[] scoresOf(Model model, Rows rows) {
    return ofRows(model, rows.size()).scores(rows);
  }

  /**
   * A scorer that is ready soon, for a model that shares most trees with an earlier one; {@link
   * #settled()} is the one to serve for long.
   */
  static Scorer following(Model model, Model before, Scorer ofBefore) {
    if (ofBefore instanceof CompiledScorer compiled) {
      if (CompiledScorer.haveSameTrees(model, compiled.model)) {
        return new CompiledScorer(model, compiled.layouts);
      }
      IncrementalScorer incremental = IncrementalScorer.of(model, before, compiled);
      if (incremental != null) {
        return incremental;
      }
    }
    return of(model);
  }

  /**
   * A scorer for a stream of versions that may follow each other by few rows: trees are laid out
   * after the first rows, and compiled when enough were scored. Layouts of the version before are
   * used again.
   */
  static Scorer of(Model model, Scorer earlier) {
    return LazyScorer.of(model, earlier);
  }
}
