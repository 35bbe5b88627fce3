package io.holdfast.bench.scoring;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Nodes of sixteen bytes, walked without a branch, eight trees of like depth at a time; no ranks.
 *
 * <p>A node is a pair of longs: the threshold, as a long whose order is that of doubles, and the
 * column with the left child, behind which its sibling stands. A leaf is its own child. A row has
 * two columns a feature, in which a missing value is below or above all thresholds.
 */
final class PackedLayout implements Layout {
  private static final int GROUP = 8;
  private static final int COLUMN_SHIFT = 32;

  private record Entry(int node, int at) {}

  private final double intercept;
  private final long[] nodes;
  private final double[] values; // of the leaf at node n at [n]
  private final int[] roots; // by slot, of groups
  private final int[] treeOf; // by slot
  private final int[] depths; // of groups
  private final long[] keys;
  private final double[] reached; // by tree

  PackedLayout(Ensemble ensemble) {
    intercept = ensemble.intercept();
    List<Ensemble.Member> members = ensemble.members();
    int trees = members.size();
    int all = ensemble.nodes() + ensemble.leaves();
    nodes = new long[2 * (all + 1)];
    values = new double[all + 1];
    keys = new long[2 * ensemble.width()];
    int slots = (trees + GROUP - 1) / GROUP * GROUP;
    roots = new int[slots];
    treeOf = new int[slots];
    depths = new int[slots / GROUP];
    reached = new double[trees + 1];
    Arrays.fill(treeOf, trees);
    Arrays.fill(roots, all);
    leaf(all, 0);
    int[] depth = members.stream().mapToInt(member -> depth(member, member.root())).toArray();
    List<Integer> order =
        IntStream.range(0, trees).boxed().sorted(Comparator.comparingInt(k -> depth[k])).toList();
    int next = 0;
    for (int slot = 0; slot < trees; slot++) {
      int tree = order.get(slot);
      roots[slot] = next;
      treeOf[slot] = tree;
      depths[slot / GROUP] = Math.max(depths[slot / GROUP], depth[tree]);
      next = add(members.get(tree), next, ensemble.width());
    }
  }

  private static int depth(Ensemble.Member member, int node) {
    return node < 0
        ? 0
        : 1
            + Math.max(
                depth(member, member.tree().left(node)), depth(member, member.tree().right(node)));
  }

  /** Lays a tree out from a place on; returns the place behind it. */
  private int add(Ensemble.Member member, int root, int width) {
    var tree = member.tree();
    Deque<Entry> open = new ArrayDeque<>(List.of(new Entry(member.root(), root)));
    int next = root + 1;
    while (!open.isEmpty()) {
      Entry entry = open.remove();
      int node = entry.node();
      if (node < 0) {
        leaf(entry.at(), member.value(-1 - node));
      } else {
        int feature = tree.feature(node);
        long column = tree.missingLeft(node) ? feature : feature + width;
        nodes[2 * entry.at()] = key(tree.threshold(node));
        nodes[2 * entry.at() + 1] = (column << COLUMN_SHIFT) | next;
        open.add(new Entry(tree.left(node), next));
        open.add(new Entry(tree.right(node), next + 1));
        next += 2;
      }
    }
    return next;
  }

  private void leaf(int at, double value) {
    nodes[2 * at] = Long.MAX_VALUE;
    nodes[2 * at + 1] = at;
    values[at] = value;
  }

  /** A long whose order is that of numbers; −0 is 0. */
  private static long key(double x) {
    long bits = Double.doubleToRawLongBits(x + 0.0);
    return bits ^ ((bits >> 63) & Long.MAX_VALUE);
  }

  @Override
  public double score(double[] row) {
    for (int k = 0; k < row.length; k++) {
      boolean missing = Double.isNaN(row[k]);
      long key = key(row[k]);
      keys[k] = missing ? Long.MIN_VALUE : key;
      keys[row.length + k] = missing ? Long.MAX_VALUE - 1 : key;
    }
    walk(nodes, keys, values, roots, treeOf, depths, reached);
    double sum = intercept;
    for (int tree = 0; tree < reached.length - 1; tree++) {
      sum += reached[tree];
    }
    return sum;
  }

  private static void walk(
      long[] nodes,
      long[] keys,
      double[] values,
      int[] roots,
      int[] treeOf,
      int[] depths,
      double[] reached) {
    for (int group = 0; group < depths.length; group++) {
      int o = group * GROUP;
      int a = roots[o];
      int b = roots[o + 1];
      int c = roots[o + 2];
      int d = roots[o + 3];
      int e = roots[o + 4];
      int f = roots[o + 5];
      int g = roots[o + 6];
      int h = roots[o + 7];
      for (int k = depths[group]; k > 0; k--) {
        a = step(nodes, keys, a);
        b = step(nodes, keys, b);
        c = step(nodes, keys, c);
        d = step(nodes, keys, d);
        e = step(nodes, keys, e);
        f = step(nodes, keys, f);
        g = step(nodes, keys, g);
        h = step(nodes, keys, h);
      }
      reached[treeOf[o]] = values[a];
      reached[treeOf[o + 1]] = values[b];
      reached[treeOf[o + 2]] = values[c];
      reached[treeOf[o + 3]] = values[d];
      reached[treeOf[o + 4]] = values[e];
      reached[treeOf[o + 5]] = values[f];
      reached[treeOf[o + 6]] = values[g];
      reached[treeOf[o + 7]] = values[h];
    }
  }

  private static int step(long[] nodes, long[] keys, int node) {
    long word = nodes[2 * node + 1];
    return (int) word + (nodes[2 * node] < keys[(int) (word >>> COLUMN_SHIFT)] ? 1 : 0);
  }
}
