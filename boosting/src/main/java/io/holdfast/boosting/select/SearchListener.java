package io.holdfast.boosting.select;

/**
 * Told how far a search is, on the thread that trains. What a listener throws ends the search, and
 * is thrown on to whoever searches.
 */
@FunctionalInterface
public interface SearchListener {

  /** Listens to nothing. */
  SearchListener NONE = (trained, trainings) -> {};

  /**
   * A model is trained, and was evaluated on the rows that it had not seen.
   *
   * @param trained how many are by now
   * @param trainings how many there are in all
   */
  void afterTraining(int trained, int trainings);
}
