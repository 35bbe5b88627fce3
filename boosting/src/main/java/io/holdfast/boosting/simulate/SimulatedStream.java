package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import java.util.List;

/**
 * A seeded stream without end: the same seed gives the same rows on every machine. Owned by one
 * thread.
 */
public interface SimulatedStream {

  /** The columns, in order. */
  List<Feature> features();

  /** How many classes labels have; 0 if they are real. */
  int classes();

  /** The names of the environments that rows come from, at least one. */
  List<String> environments();

  /** Draws the next row. The same object each time: read it before the next draw. */
  SimulatedRow next();
}
