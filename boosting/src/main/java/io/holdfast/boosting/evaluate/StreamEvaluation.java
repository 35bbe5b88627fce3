package io.holdfast.boosting.evaluate;

import io.holdfast.boosting.numeric.Check;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Test-then-train evaluation of a stream: figures of all rows so far, of the newest ones, and of
 * all with the older ones fading. Gama, Sebastião and Rodrigues, "On evaluating stream learning
 * algorithms", Machine Learning 90, 2013. Owned by one thread.
 */
public final class StreamEvaluation {
  private final int classes;
  private final int window;
  private final double fading;
  private final StreamSums all;
  private final StreamSums faded;
  private final ArrayDeque<Tested> newest = new ArrayDeque<>();
  private final TreeMap<String, StreamSums> environments = new TreeMap<>();

  /**
   * Of no row yet.
   *
   * @param classes how many, for labels 0, 1, ...; 0 for real labels
   * @param window how many rows the windowed figures are of
   * @param fading what a row weighs when the next one comes; above 0, below 1
   */
  public StreamEvaluation(int classes, int window, double fading) {
    Check.that(classes >= 0 && classes != 1, "there must be 2 or more classes, or 0: %s", classes);
    Check.that(window >= 1, "the window must have at least 1 row: %s", window);
    Check.that(fading > 0 && fading < 1, "fading must be above 0 and below 1: %s", fading);
    this.classes = classes;
    this.window = window;
    this.fading = fading;
    all = new StreamSums(classes);
    faded = new StreamSums(classes);
  }

  /** The next row, whose label has come. */
  public void add(Tested row, String environment) {
    all.add(row);
    faded.fade(fading);
    faded.add(row);
    newest.addLast(row);
    if (newest.size() > window) {
      newest.removeFirst();
    }
    environments.computeIfAbsent(environment, name -> new StreamSums(classes)).add(row);
  }

  /** Of all rows, each counting once. */
  public SortedMap<String, StreamFigures> byEnvironment() {
    TreeMap<String, StreamFigures> figures = new TreeMap<>();
    environments.forEach((name, sums) -> figures.put(name, sums.figures()));
    return Collections.unmodifiableSortedMap(figures);
  }

  /** Of all rows, each counting once. */
  public StreamFigures cumulative() {
    return all.figures();
  }

  /** Of the newest rows; of all if there are fewer. */
  public StreamFigures windowed() {
    StreamSums sums = new StreamSums(classes); // added up anew: nothing is left of rows that went
    newest.forEach(sums::add);
    return sums.figures();
  }

  /** Of all rows, the older ones weighing less. */
  public StreamFigures fading() {
    return faded.figures();
  }
}
