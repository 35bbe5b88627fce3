package io.holdfast.boosting.model;

/**
 * Raw scores of feature vectors. Implementations are immutable and safe to share; all give the same
 * bits for the same model and features.
 */
@SuppressWarnings("DoNotCallSuggester")
public interface Scorer {

  /** The raw score of one row; {@code features} has the model's width and is not changed. */
  double score(double[] features);

  /** The scorer that serves: the model's trees laid out in flat arrays. */
  static Scorer of(Model model) {
    throw new UnsupportedOperationException("SKELETON " + model);
  }
}
