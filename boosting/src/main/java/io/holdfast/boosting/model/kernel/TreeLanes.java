package io.holdfast.boosting.model.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Trees side by side, 32 to a group, for {@link VectorLanes} to ask a node of each at once for one
 * row. Immutable; safe to share.
 */
final class TreeLanes implements RowTrees {
  /*
   * Leaves are numbered from left to right. A node that sends the row right rules out the leaves of
   * its left subtree; asked in any order, all of a tree's nodes leave a set whose first leaf is the
   * row's (QuickScorer; nodes that the row does not meet only rule out leaves behind it). So trees
   * need no walk and no common shape: a step is a node of each of 32 trees, a byte each for column,
   * bound and leaves, 8 leaves a plane. Most nodes rule out leaves of one plane only; steps of those
   * come first, and then those with four planes at once.
   *
   * Trees no deeper than the leaves' numbers have bits keep the numbers of full trees, so that
   * subtrees lie within planes; those of others are counted.
   */
  private static final int LANES = VectorLanes.LANES;
  private static final int PLANES = VectorLanes.PLANES;
  private static final int PLANE_BITS = Byte.SIZE;
  private static final int FEW_LEAVES = PLANES * PLANE_BITS;

  /** Leaves of a tree at most. */
  private static final int MOST_LEAVES = 2 * FEW_LEAVES;

  static final int MOST_PLANES = MOST_LEAVES / PLANE_BITS;
  private static final int SECOND = 0x80; // the bit of a column of the second table

  private final RankLanes lanes;
  private final byte[] steps;
  private final int[] from; // of each group's kinds of steps, and the end
  private final int kinds;
  private final int planes;
  private final int leaves; // numbers a tree
  private final double[] values; // of tree t and leaf l at (t * leaves + l) * stride
  private final int stride;
  private final int[] output;
  private final int[] outputs;

  /** A node of a tree: what it asks, and the leaves that it rules out. */
  private record Asked(int column, int bound, long out) {}

  /** Whether trees can be laid out: columns, ranks and leaves are few enough. */
  static boolean fits(Columns columns, List<RankedTree> trees) {
    return !trees.isEmpty()
        && RankLanes.fit(columns)
        && trees.stream().allMatch(tree -> tree.leaves() <= MOST_LEAVES);
  }

  TreeLanes(RankLanes lanes, List<RankedTree> trees) {
    this.lanes = lanes;
    planes = trees.stream().allMatch(tree -> tree.leaves() <= FEW_LEAVES) ? PLANES : MOST_PLANES;
    leaves = planes * PLANE_BITS;
    kinds = planes + planes / PLANES;
    int size = trees.size();
    output = trees.stream().mapToInt(RankedTree::output).toArray();
    outputs = trees.stream().mapToInt(RankedTree::outputs).toArray();
    stride = Arrays.stream(outputs).max().orElse(1);
    values = new double[Math.multiplyExact(size * leaves, stride)];
    int groups = (size + LANES - 1) / LANES;
    from = new int[groups * kinds + 1];
    byte[][] ofGroup = new byte[groups][];
    for (int group = 0; group < groups; group++) {
      ofGroup[group] = group(trees, group);
    }
    steps = new byte[from[groups * kinds]];
    for (int group = 0; group < groups; group++) {
      System.arraycopy(ofGroup[group], 0, steps, from[group * kinds], ofGroup[group].length);
    }
  }

  /** The steps of a group's trees, kind after kind. */
  private byte[] group(List<RankedTree> trees, int group) {
    int first = group * LANES;
    int count = Math.min(LANES, trees.size() - first);
    List<List<List<Asked>>> ofLanes = new ArrayList<>();
    for (int lane = 0; lane < count; lane++) {
      ofLanes.add(nodes(trees.get(first + lane), first + lane));
    }
    for (int kind = 0; kind < planes; kind++) {
      widen(ofLanes, kind);
    }
    int start = from[group * kinds];
    byte[] steps = new byte[0];
    for (int kind = 0; kind < kinds; kind++) {
      int ofKind = kind;
      int length = ofLanes.stream().mapToInt(nodes -> nodes.get(ofKind).size()).max().orElseThrow();
      int width = kind < planes ? VectorLanes.STEP : VectorLanes.WIDE_STEP;
      int at = steps.length;
      steps = Arrays.copyOf(steps, at + length * width);
      for (int step = 0; step < length; step++) {
        put(ofLanes, kind, step, steps, at + step * width);
      }
      from[group * kinds + kind + 1] = start + steps.length;
    }
    return steps;
  }

  /** Makes nodes wide that some trees have and others do not: steps are full of nodes then. */
  private void widen(List<List<List<Asked>>> ofLanes, int kind) {
    int least = ofLanes.stream().mapToInt(nodes -> nodes.get(kind).size()).min().orElseThrow();
    for (List<List<Asked>> nodes : ofLanes) {
      List<Asked> more = nodes.get(kind).subList(least, nodes.get(kind).size());
      nodes.get(planes + kind / PLANES).addAll(more);
      more.clear();
    }
  }

  private void put(List<List<List<Asked>>> ofLanes, int kind, int step, byte[] steps, int at) {
    Arrays.fill(steps, at + LANES, at + 2 * LANES, Byte.MAX_VALUE); // never exceeded
    for (int lane = 0; lane < ofLanes.size(); lane++) {
      List<Asked> nodes = ofLanes.get(lane).get(kind);
      if (step < nodes.size()) {
        put(nodes.get(step), steps, at + lane, kind);
      }
    }
  }

  private void put(Asked node, byte[] steps, int at, int kind) {
    steps[at] = (byte) (lanes.lane(node.column) | (lanes.inSecond(node.column) ? SECOND : 0));
    steps[at + LANES] = RankLanes.narrowed(node.bound);
    int plane = kind < planes ? kind : (kind - planes) * PLANES;
    for (int k = 0; k < (kind < planes ? 1 : PLANES); k++) {
      steps[at + (2 + k) * LANES] = (byte) (node.out >>> ((plane + k) * PLANE_BITS));
    }
  }

  /** A tree's nodes by kind: those of one plane each, then those of several. */
  private List<List<Asked>> nodes(RankedTree source, int tree) {
    List<List<Asked>> nodes = new ArrayList<>();
    for (int kind = 0; kind < kinds; kind++) {
      nodes.add(new ArrayList<>());
    }
    boolean full = source.depth() <= Integer.numberOfTrailingZeros(leaves);
    add(source, tree, source.innerNodes() == 0 ? -1 : 0, 0, full ? leaves : 0, nodes);
    return nodes;
  }

  /**
   * Adds what is below a node.
   *
   * @param first the number of its first leaf
   * @param room numbers of its leaves in a full tree; 0 to count them
   * @return the number behind its last leaf
   */
  private int add(
      RankedTree source, int tree, int node, int first, int room, List<List<Asked>> nodes) {
    if (node < 0) {
      int width = source.outputs();
      System.arraycopy(
          source.values(), (-1 - node) * width, values, (tree * leaves + first) * stride, width);
      return first + Math.max(room, 1);
    }
    int middle = add(source, tree, source.left()[node], first, room / 2, nodes);
    long out = (-1L >>> (Long.SIZE - (middle - first))) << first;
    var asked = new Asked(source.column()[node], source.bound()[node], out);
    for (int half = first / FEW_LEAVES; half <= (middle - 1) / FEW_LEAVES; half++) {
      int low = Math.max(first, half * FEW_LEAVES) / PLANE_BITS;
      int high = Math.min(middle - 1, half * FEW_LEAVES + FEW_LEAVES - 1) / PLANE_BITS;
      nodes.get(low == high ? low : planes + half).add(asked);
    }
    return add(source, tree, source.right()[node], middle, room / 2, nodes);
  }

  @Override
  public double add(double score, int first, int end, RowScratch scratch) {
    double sum = score;
    boolean two = scratch.twoTables;
    byte[] found = scratch.laneLeaves;
    for (int group = first / LANES; group * LANES < end; group++) {
      ask(group, two, scratch);
      int at = group * LANES;
      sum = sum(sum, Math.max(first - at, 0), Math.min(end - at, LANES), at * leaves, found);
    }
    return sum;
  }

  private double sum(double score, int first, int end, int at, byte[] found) {
    double[] values = this.values;
    int leaves = this.leaves;
    double sum = score;
    for (int lane = first; lane < end; lane++) {
      sum += values[at + lane * leaves + found[lane]];
    }
    return sum;
  }

  @Override
  public void addTo(double[] target, int first, int end, RowScratch scratch) {
    boolean two = scratch.twoTables;
    for (int tree = first; tree < end; tree++) {
      if (tree == first || tree % LANES == 0) {
        ask(tree / LANES, two, scratch);
      }
      int value = (tree * leaves + scratch.laneLeaves[tree % LANES]) * stride;
      for (int k = 0; k < outputs[tree]; k++) {
        target[output[tree] + k] += values[value + k];
      }
    }
  }

  /** Finds the leaves of a group's trees. */
  private void ask(int group, boolean two, RowScratch scratch) {
    byte[] ranks = scratch.bytes;
    byte[] out = scratch.planes;
    int kind = group * kinds;
    for (int plane = 0; plane < planes; plane++, kind++) {
      if (two) {
        VectorLanes.askOfTwo(ranks, steps, from[kind], from[kind + 1], out, plane * LANES);
      } else {
        VectorLanes.ask(ranks, steps, from[kind], from[kind + 1], out, plane * LANES);
      }
    }
    for (int plane = 0; plane < planes; plane += PLANES, kind++) {
      if (two) {
        VectorLanes.askAllOfTwo(ranks, steps, from[kind], from[kind + 1], out, plane * LANES);
      } else {
        VectorLanes.askAll(ranks, steps, from[kind], from[kind + 1], out, plane * LANES);
      }
    }
    VectorLanes.leaves(out, planes, scratch.laneLeaves, 0);
  }

  @Override
  public long bytes() {
    return steps.length + 4L * (from.length + output.length + outputs.length) + 8L * values.length;
  }
}
