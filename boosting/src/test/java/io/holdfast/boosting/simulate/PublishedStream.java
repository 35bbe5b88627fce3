package io.holdfast.boosting.simulate;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The streams that the field compares its learners on, as configured by Gomes et al., "Adaptive
 * random forests for evolving data stream classification", Machine Learning 106, 2017: a million
 * rows with a drift after each quarter, 50 rows wide where it is abrupt and 50,000 where it is
 * gradual; moving centres and a turning plane drift all the time.
 */
public enum PublishedStream {
  /** LED, abrupt drift. */
  LED_A,
  /** LED, gradual drift. */
  LED_G,
  /** SEA, abrupt drift. */
  SEA_A,
  /** SEA, gradual drift. */
  SEA_G,
  /** AGRAWAL, abrupt drift. */
  AGR_A,
  /** AGRAWAL, gradual drift. */
  AGR_G,
  /** Moving centres, moderate speed. */
  RBF_M,
  /** Moving centres, fast. */
  RBF_F,
  /** A turning hyperplane. */
  HYPER,
  /** AGRAWAL, two rules that take turns abruptly. */
  AGR_R;

  /** The length that the drifts are laid out for. */
  public static final long PUBLISHED_ROWS = 1_000_000;

  private static final long ABRUPT = 50;
  private static final long GRADUAL = 50_000;

  /** The stream as published. */
  public SimulatedStream stream(long seed) {
    return stream(seed, PUBLISHED_ROWS);
  }

  /**
   * The stream with its drifts laid out over {@code rows} rows: a shorter one has shorter stages
   * and narrower gradual drifts, as many of each. Speeds and abrupt drifts stay as published.
   */
  public SimulatedStream stream(long seed, long rows) {
    long quarter = Math.max(1, rows / 4);
    long gradual = Math.max(1, GRADUAL * rows / PUBLISHED_ROWS);
    return switch (this) {
      case LED_A -> DriftingStream.of(led(), quarter, ABRUPT, seed);
      case LED_G -> DriftingStream.of(led(), quarter, gradual, seed);
      case SEA_A -> DriftingStream.of(sea(), quarter, ABRUPT, seed);
      case SEA_G -> DriftingStream.of(sea(), quarter, gradual, seed);
      case AGR_A -> DriftingStream.of(agrawal(), quarter, ABRUPT, seed);
      case AGR_G -> DriftingStream.of(agrawal(), quarter, gradual, seed);
      case RBF_M -> DriftingStream.of(centres(0.0001, seed), seed);
      case RBF_F -> DriftingStream.of(centres(0.001, seed), seed);
      case HYPER -> DriftingStream.of(new Hyperplane(10, 0.001, new SplittableRandom(~seed)), seed);
      case AGR_R -> {
        Agrawal first = new Agrawal(1);
        Agrawal second = new Agrawal(4);
        yield DriftingStream.of(List.of(first, second, first, second), quarter, ABRUPT, seed);
      }
    };
  }

  private static List<Led> led() {
    return List.of(new Led(1), new Led(3), new Led(5), new Led(7));
  }

  private static List<Sea> sea() {
    return List.of(new Sea(1), new Sea(2), new Sea(3), new Sea(4));
  }

  private static List<Agrawal> agrawal() {
    return List.of(new Agrawal(1), new Agrawal(2), new Agrawal(3), new Agrawal(4));
  }

  private static RandomRbf centres(double speed, long seed) {
    return new RandomRbf(50, 10, 5, speed, new SplittableRandom(~seed));
  }
}
