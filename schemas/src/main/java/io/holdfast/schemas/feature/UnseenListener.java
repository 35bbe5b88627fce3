package io.holdfast.schemas.feature;

/** Is told of categories that a model has never seen. */
@FunctionalInterface
public interface UnseenListener {
  /** Nobody listens. */
  UnseenListener NONE = (feature, category) -> {};

  /**
   * A category that no feature lists was met, and is scored as a missing value.
   *
   * @param feature its place among the features
   * @param category in the one spelling that categories have
   */
  void unseen(int feature, String category);
}
