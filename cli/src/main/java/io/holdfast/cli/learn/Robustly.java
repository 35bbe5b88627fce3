package io.holdfast.cli.learn;

/** A way to be robust to environments beside the anchor. Immutable. */
public sealed interface Robustly {
  /** None: as the settings say. */
  record AsSet() implements Robustly {}

  /**
   * Weights that follow the environment which loses most.
   *
   * @param step how fast they move after each round
   */
  record GroupDro(double step) implements Robustly {}

  /**
   * Leaf values for the environment that loses most, after training.
   *
   * @param turns of the game between environments and leaves
   */
  record WorstLeaves(int turns) implements Robustly {}
}
