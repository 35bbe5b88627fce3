package io.holdfast.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The processes of one program, and whoever starts them again when they end by themselves before
 * they run, as an orchestrator does. Owned by one thread.
 */
public final class Fleet implements AutoCloseable {
  private static final String RUNS = " listens on ";

  private final IntFunction<Node> program;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Boolean> wanted = new ArrayList<>();

  Fleet(int size, IntFunction<Node> program) {
    this.program = program;
    for (int i = 0; i < size; i++) {
      nodes.add(program.apply(i));
      wanted.add(true);
    }
  }

  void awaitStarted() {
    nodes.forEach(node -> node.awaitText(RUNS));
  }

  public int size() {
    return nodes.size();
  }

  public Node node(int which) {
    return nodes.get(which);
  }

  /** Ends one, which nobody starts again until {@link #begin}. */
  public void end(int which, Consumer<Node> how) {
    wanted.set(which, false);
    how.accept(nodes.get(which));
  }

  /** Ends all of them likewise. */
  void endAll(Consumer<Node> how) {
    for (int which = 0; which < nodes.size(); which++) {
      end(which, how);
    }
  }

  /** Starts those that do not run. */
  void beginAll() {
    for (int which = 0; which < nodes.size(); which++) {
      begin(which);
    }
  }

  /** Starts one unless it runs. */
  public void begin(int which) {
    if (!nodes.get(which).alive()) {
      nodes.set(which, program.apply(which));
    }
    wanted.set(which, true);
  }

  /** Puts another program in the place of one that was ended. */
  public void replace(int which, Node other) {
    nodes.set(which, other);
  }

  /**
   * Starts those again that could not start, as when no broker was there. One that has ended
   * although it ran is a fault that nobody injected.
   */
  void revive() {
    for (int which = 0; which < nodes.size(); which++) {
      Node node = nodes.get(which);
      if (wanted.get(which) && !node.alive()) {
        if (node.log().contains(RUNS)) {
          throw new AssertionError("it ended by itself: " + node.log());
        }
        nodes.set(which, program.apply(which));
      }
    }
  }

  /** Which live, and the ends of their logs. */
  String state() {
    StringBuilder state = new StringBuilder();
    for (Node node : nodes) {
      String log = node.log();
      state.append("-- alive: ").append(node.alive()).append('\n');
      state.append(log.substring(Math.max(0, log.length() - 3_000))).append('\n');
    }
    return state.toString();
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
  }
}
