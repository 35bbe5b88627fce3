package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A way in which features and labels come about. It may move with every row that it draws; owned by
 * one stream.
 */
sealed interface Concept permits Agrawal, Hyperplane, Led, RandomRbf, Sea {

  /** The columns, in order. */
  List<Feature> features();

  /** How many classes labels have. */
  int classes();

  /** Fills {@code features} and returns the class. */
  int draw(SplittableRandom random, double[] features);
}
