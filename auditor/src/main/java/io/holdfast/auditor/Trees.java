package io.holdfast.auditor;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.avro.generic.GenericRecord;

/** The trees of a segment, as {@code TreeSegment.avsc} describes them. Immutable. */
final class Trees {
  private static final int LARGEST = 33_554_432;

  private final List<Tree> trees = new ArrayList<>();

  /** One tree; see the schema for what the arrays hold. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and read in the innermost loop
  private record Tree(
      int[] features,
      double[] thresholds,
      boolean[] missingLeft,
      long[] sets,
      int[] ends,
      int[] left,
      int[] right,
      double[] leaves,
      int output,
      int outputs,
      int[] groups) {}

  /** How the many categories of a feature are put into groups. */
  private record Groups(ByteBuffer of, boolean wide) {
    int group(int category) {
      int at = wide ? 2 * category : category;
      if (at < 0 || at + (wide ? 2 : 1) > of.limit()) {
        return -1;
      }
      int group = wide ? of.getShort(at) & 0xFFFF : of.get(at) & 0xFF;
      return group == (wide ? 0xFFFF : 0xFF) ? -1 : group;
    }
  }

  private final List<Groups> grouped = new ArrayList<>();

  /**
   * Reads and checks a segment.
   *
   * @throws UnreadableException if a walk of it could go astray
   */
  Trees(GenericRecord segment, int features, int scores) throws UnreadableException {
    for (Object one : (Collection<?>) segment.get("categoryGroups")) {
      GenericRecord groups = (GenericRecord) one;
      grouped.add(new Groups((ByteBuffer) groups.get("groups"), (int) groups.get("count") > 255));
    }
    for (Object one : (Collection<?>) segment.get("trees")) {
      GenericRecord tree = (GenericRecord) one;
      Tree read =
          new Tree(
              ints(tree, "features"),
              doubles(tree, "thresholds"),
              truths(tree, "missingLeft"),
              longs(tree, "categorySets"),
              ints(tree, "categorySetEnds"),
              ints(tree, "left"),
              ints(tree, "right"),
              doubles(tree, "leafValues"),
              (int) tree.get("output"),
              (int) tree.get("outputs"),
              ints(tree, "categoryGroups"));
      check(read, features, scores);
      trees.add(read);
    }
  }

  int size() {
    return trees.size();
  }

  private void check(Tree tree, int features, int scores) throws UnreadableException {
    int inner = tree.features.length;
    boolean lengths =
        tree.thresholds.length == inner
            && tree.missingLeft.length == inner
            && tree.ends.length == inner
            && tree.left.length == inner
            && tree.right.length == inner
            && (tree.groups.length == 0 || tree.groups.length == inner)
            && tree.outputs >= 1
            && tree.output >= 0
            && (long) tree.output + tree.outputs <= scores
            && inner < LARGEST
            && tree.leaves.length == (inner + 1L) * tree.outputs;
    if (!lengths) {
      throw new UnreadableException("the arrays of a tree have lengths that do not fit each other");
    }
    int words = 0;
    for (int node = 0; node < inner; node++) {
      int feature = tree.features[node];
      if (feature < 0 || feature >= features) {
        throw new UnreadableException("a node tests feature " + feature + " of " + features);
      }
      for (int child : new int[] {tree.left[node], tree.right[node]}) {
        if (child >= 0 ? child <= node || child >= inner : -1 - child > inner) {
          throw new UnreadableException("node " + node + " has the child " + child);
        }
      }
      if (tree.ends[node] < words || tree.ends[node] > tree.sets.length) {
        throw new UnreadableException("the category set of node " + node + " ends nowhere");
      }
      words = tree.ends[node];
      int group = tree.groups.length == 0 ? -1 : tree.groups[node];
      if (group >= grouped.size()) {
        throw new UnreadableException("node " + node + " tests groups that are not there");
      }
    }
    for (double leaf : tree.leaves) {
      if (!Double.isFinite(leaf)) {
        throw new UnreadableException("a leaf's value is " + leaf);
      }
    }
  }

  /** Adds what each tree says of a row, times the decay, in the order of the trees. */
  void addTo(double[] row, double decay, double[] scores) {
    for (Tree tree : trees) {
      int node = tree.features.length == 0 ? -1 : 0;
      while (node >= 0) {
        node = goesLeft(tree, node, row[tree.features[node]]) ? tree.left[node] : tree.right[node];
      }
      for (int k = 0; k < tree.outputs; k++) {
        scores[tree.output + k] += decay * tree.leaves[(-1 - node) * tree.outputs + k];
      }
    }
  }

  private boolean goesLeft(Tree tree, int node, double value) {
    int from = node == 0 ? 0 : tree.ends[node - 1];
    int to = tree.ends[node];
    if (from == to) {
      return Double.isNaN(value) ? tree.missingLeft[node] : value <= tree.thresholds[node];
    }
    if (Double.isNaN(value)) {
      return tree.missingLeft[node];
    }
    int code = (int) value;
    if (tree.groups.length > 0 && tree.groups[node] >= 0) {
      code = grouped.get(tree.groups[node]).group(code);
    }
    int word = code >> 6;
    return code >= 0 && word < to - from && (tree.sets[from + word] >>> (code & 63) & 1) != 0;
  }

  private static int[] ints(GenericRecord record, String name) {
    return ((Collection<?>) record.get(name)).stream().mapToInt(one -> (int) one).toArray();
  }

  private static long[] longs(GenericRecord record, String name) {
    return ((Collection<?>) record.get(name)).stream().mapToLong(one -> (long) one).toArray();
  }

  static double[] doubles(GenericRecord record, String name) {
    return ((Collection<?>) record.get(name)).stream().mapToDouble(one -> (double) one).toArray();
  }

  private static boolean[] truths(GenericRecord record, String name) {
    List<Object> all = new ArrayList<>((Collection<?>) record.get(name));
    boolean[] truths = new boolean[all.size()];
    for (int i = 0; i < truths.length; i++) {
      truths[i] = (boolean) all.get(i);
    }
    return truths;
  }
}
