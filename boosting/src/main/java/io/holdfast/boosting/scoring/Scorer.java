package io.holdfast.boosting.scoring;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;

/**
 * Raw scores of feature vectors. Implementations are immutable and safe to share; all give the same
 * bits for the same model and features.
 */
public interface Scorer {

  /** How many raw scores a row has. */
  int outputs();

  /** How many features a row has. */
  int width();

  /**
   * The raw score of one row, by a model of one output.
   *
   * @param features of the model's width; not changed
   * @throws IllegalArgumentException if rows have several raw scores
   */
  double score(double[] features);

  /**
   * Writes the raw scores of one row to {@code target[0, outputs)}.
   *
   * @param features of the model's width; not changed
   */
  void score(double[] features, double[] target);

  /**
   * Writes the raw scores of the first {@code rows} rows of a block, the same bits as one by one:
   * output {@code k} of row {@code r} goes to {@code target[k * rows + r]}.
   *
   * @param features row by row: feature {@code c} of row {@code r} is at {@code r * width + c}; not
   *     changed
   * @throws IllegalArgumentException if the block or the target is too short
   */
  default void scores(double[] features, int rows, double[] target) {
    double[] row = new double[width()];
    double[] one = new double[outputs()];
    for (int r = 0; r < rows; r++) {
      System.arraycopy(features, r * row.length, row, 0, row.length);
      score(row, one);
      for (int k = 0; k < one.length; k++) {
        target[k * rows + r] = one[k];
      }
    }
  }

  /** The same for features in floats: each counts as the double of its value. */
  default void scores(float[] features, int rows, double[] target) {
    double[] doubles = new double[Math.multiplyExact(rows, width())];
    for (int k = 0; k < doubles.length; k++) {
      doubles[k] = features[k];
    }
    scores(doubles, rows, target);
  }

  /**
   * The raw scores of each row, the same bits as one by one, output by output: output {@code k} of
   * row {@code r} is at {@code k * rows.size() + r}.
   */
  default double[] scores(Rows rows) {
    int size = rows.size();
    double[] scores = new double[Math.multiplyExact(outputs(), size)];
    double[] features = new double[rows.width()];
    double[] one = new double[outputs()];
    for (int row = 0; row < size; row++) {
      rows.copyFeatures(row, features);
      score(features, one);
      for (int k = 0; k < one.length; k++) {
        scores[k * size + row] = one[k];
      }
    }
    return scores;
  }

  /** What the scorer takes beside the model itself, in bytes; scratch of threads not counted. */
  default long bytes() {
    return 0;
  }

  /**
   * The scorer to serve for long: this one, or the model compiled as a whole if this was put
   * together of an earlier one. The same bits.
   */
  default Scorer settled() {
    return this;
  }

  /**
   * A scorer that is ready as soon as can be, for a model most of whose trees another has laid out
   * already; {@link #settled()} is the one to serve for long.
   *
   * @param before an earlier model
   * @param ofBefore its scorer
   */
  static Scorer following(Model model, Model before, Scorer ofBefore) {
    return CompiledScorer.following(model, before, ofBefore);
  }

  /** The scorer that serves: the model compiled for speed. */
  static Scorer of(Model model) {
    return CompiledScorer.of(model);
  }

  /**
   * A scorer for so many rows, after which it is let go: few of them walk the trees as they are,
   * and for more the model is laid out for blocks of rows; what single rows need beside is only
   * laid out when {@link #score(double[])} is called. The same bits.
   */
  static Scorer ofRows(Model model, int rows) {
    return CompiledScorer.ofRows(model, rows);
  }

  /** Raw scores of rows that this model scores once, as {@link #scores(Rows)} gives them. */
  static double[] scoresOf(Model model, Rows rows) {
    return ofRows(model, rows.size()).scores(rows);
  }

  /**
   * A scorer for a stream of versions, of which the next one may come after a few rows: trees are
   * laid out to be walked side by side after the first rows, and compiled when enough were scored.
   * What trees of the version before are laid out in is used again.
   *
   * @param earlier that of the version before
   */
  static Scorer of(Model model, Scorer earlier) {
    return CompiledScorer.deferred(model, earlier);
  }
}
