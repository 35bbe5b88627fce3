package io.holdfast.cli.learn;

/** How to be robust to environments beside the anchor. Immutable. */
public sealed interface Robustly {
  record AsSet() implements Robustly {}

  /** Weights follow the environment that loses most, by {@code step} after each round. */
  record GroupDro(double step) implements Robustly {}

  /** Leaf values move to suit the environment that loses most, in so many turns after training. */
  record WorstLeaves(int turns) implements Robustly {}
}
