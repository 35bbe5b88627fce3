package io.holdfast.boosting.model.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The leaves that each rank of a column rules out, of all trees: a row's leaves are the first that
 * none of its ranks rules out. For single rows without vectors, of trees that are deep for their
 * leaves. Immutable; safe to share.
 */
final class LeafMasks implements RowTrees {
  /*
   * Leaves are numbered from left to right, and a node that sends the row right rules out those of
   * its left subtree; the row's leaf is the first that is left (QuickScorer; nodes that the row does
   * not meet only rule out leaves behind it). The nodes of a column, in the order of their bounds,
   * send right up to a place that the rank tells. What all nodes before every 2^shift-th place rule
   * out stands in a line, an int for each 32 leaves of each tree. So a line of each column is taken,
   * by a loop that the compiler turns into vector instructions, and then a few nodes.
   *
   * The two columns of a number, which differ in where missing values go, are taken as one, whose
   * ranks differ only if the number is missing: a line of its own.
   *
   * Measured on 30 features and trees of 31 leaves, 13 levels deep: 100 trees 974 ns a row and 500
   * trees 3,176, by PackedTrees 1,744 and 8,215; full trees of 6 levels 1,795 and 1,355.
   */
  private static final int TOGETHER = 6; // lines
  private static final int BITS = Integer.SIZE;
  private static final int MOST_LEAVES = Long.SIZE;
  private static final int LEAST_SHIFT = 3;
  private static final long LINES_BYTES = 1 << 19; // not many more, to stay in the second cache

  // In what a node takes here: steps of a walk, and what is done for a column.
  private static final int STEP_COST = 7;
  private static final int COLUMN_COST = 60;

  private final int trees;
  private final int words; // of a tree
  private final int width; // of a line
  private final int leaves; // numbers of a tree
  private final int shift;
  private final int[] left; // the column of each number or set
  private final int[] right; // the other column of the same number, or the same
  private final int[] firstPlace; // of each number, at rank 0
  private final int[] places; // how many nodes each rank sends right
  private final int[] firstNode;
  private final int[] firstLine; // 0 if there is none but that of nothing
  private final int[] lineOfMissing;
  private final int[][] lines; // the first is of nothing
  private final int[] slots; // of each node: the word of a line
  private final int[] masks;
  private final double[] values; // of tree t and leaf l at (t * leaves + l) * stride
  private final int stride;
  private final int[] output;
  private final int[] outputs;

  private record Node(int bound, int slot, int mask) {}

  /** Whether trees can be laid out, and are likely to be scored faster than by walking. */
  static boolean pays(Columns columns, List<RankedTree> trees) {
    long nodes = 0;
    long steps = 0;
    for (RankedTree tree : trees) {
      if (tree.leaves() > MOST_LEAVES) {
        return false;
      }
      nodes += tree.innerNodes();
      steps += tree.depth();
    }
    return nodes + (long) COLUMN_COST * (columns.count() - columns.pairs()) < STEP_COST * steps;
  }

  LeafMasks(Columns columns, List<RankedTree> source) {
    trees = source.size();
    words = source.stream().allMatch(tree -> tree.leaves() <= BITS) ? 1 : 2;
    width = trees * words;
    leaves = words * BITS;
    output = source.stream().mapToInt(RankedTree::output).toArray();
    outputs = source.stream().mapToInt(RankedTree::outputs).toArray();
    stride = Arrays.stream(outputs).max().orElse(1);
    values = new double[Math.multiplyExact(trees * leaves, stride)];
    List<List<Node>> ofColumn = new ArrayList<>();
    for (int k = 0; k < columns.count(); k++) {
      ofColumn.add(new ArrayList<>());
    }
    for (int tree = 0; tree < trees; tree++) {
      RankedTree ranked = source.get(tree);
      add(ranked, tree, ranked.innerNodes() == 0 ? -1 : 0, 0, ofColumn);
    }
    int nodes = ofColumn.stream().mapToInt(List::size).sum();
    slots = new int[nodes];
    masks = new int[nodes];
    int bits = LEAST_SHIFT;
    while ((((long) nodes * width * Integer.BYTES) >> bits) > LINES_BYTES) {
      bits++;
    }
    shift = bits;
    int[][] numbers = numbers(columns, ofColumn);
    left = numbers[0];
    right = numbers[1];
    firstPlace = new int[left.length];
    firstNode = new int[left.length];
    firstLine = new int[left.length];
    lineOfMissing = new int[left.length];
    places = new int[places(columns)];
    List<int[]> lines = new ArrayList<>();
    lines.add(new int[width]);
    for (int k = 0; k < left.length; k++) {
      addNumber(k, ofColumn, lines);
    }
    this.lines = lines.toArray(int[][]::new);
  }

  /** The columns of each number, and of each set. Those that no node asks have no rank. */
  private static int[][] numbers(Columns columns, List<List<Node>> ofColumn) {
    int[] left = new int[columns.count()];
    int[] right = new int[columns.count()];
    boolean[] known = new boolean[columns.count()];
    int count = 0;
    for (int k = 0; k < columns.searches(); k++) {
      int one = columns.leftColumn(k);
      int other = columns.rightColumn(k);
      left[count] = one < 0 ? other : one;
      right[count] = other < 0 ? one : other;
      known[left[count]] = true;
      known[right[count]] = true;
      count++;
    }
    for (int column = 0; column < known.length; column++) {
      if (!known[column] && !ofColumn.get(column).isEmpty()) {
        left[count] = column;
        right[count++] = column;
      }
    }
    return new int[][] {Arrays.copyOf(left, count), Arrays.copyOf(right, count)};
  }

  /** Counts the places of each number's ranks. */
  private int places(Columns columns) {
    int count = 0;
    for (int k = 0; k < left.length; k++) {
      firstPlace[k] = count;
      count += 1 + columns.highestRank(left[k]);
    }
    return count;
  }

  private void addNumber(int number, List<List<Node>> ofColumn, List<int[]> lines) {
    List<Node> nodes = new ArrayList<>(ofColumn.get(left[number]));
    if (left[number] != right[number]) {
      List<Node> others = ofColumn.get(right[number]);
      nodes.addAll(others);
      int[] missing = new int[width];
      others.forEach(node -> missing[node.slot] |= node.mask);
      lineOfMissing[number] = lines.size();
      lines.add(missing);
    }
    nodes.sort(Comparator.comparingInt(Node::bound));
    int first = firstNode[number];
    if (number + 1 < left.length) {
      firstNode[number + 1] = first + nodes.size();
    }
    int end = number + 1 < left.length ? firstPlace[number + 1] : places.length;
    int place = 0;
    for (int at = firstPlace[number]; at < end; at++) {
      while (place < nodes.size() && nodes.get(place).bound < at - firstPlace[number]) {
        place++;
      }
      places[at] = place;
    }
    if (nodes.size() >> shift > 0) {
      firstLine[number] = lines.size();
      lines.add(lines.getFirst());
    }
    int[] line = new int[width];
    for (int k = 0; k < nodes.size(); k++) {
      Node node = nodes.get(k);
      slots[first + k] = node.slot;
      masks[first + k] = node.mask;
      line[node.slot] |= node.mask;
      if (((k + 1) & ((1 << shift) - 1)) == 0) {
        lines.add(line.clone());
      }
    }
  }

  /**
   * Adds what is below a node.
   *
   * @param first the number of its first leaf
   * @return the number behind its last leaf
   */
  private int add(RankedTree source, int tree, int node, int first, List<List<Node>> ofColumn) {
    if (node < 0) {
      int count = source.outputs();
      int to = (tree * leaves + first) * stride;
      System.arraycopy(source.values(), (-1 - node) * count, values, to, count);
      return first + 1;
    }
    int middle = add(source, tree, source.left()[node], first, ofColumn);
    long out = (-1L >>> (Long.SIZE - (middle - first))) << first;
    for (int word = 0; word < words; word++) {
      int mask = (int) (out >>> (word * BITS));
      if (mask != 0) {
        ofColumn
            .get(source.column()[node])
            .add(new Node(source.bound()[node], tree * words + word, mask));
      }
    }
    return add(source, tree, source.right()[node], middle, ofColumn);
  }

  @Override
  public double add(double score, int first, int end, RowScratch scratch) {
    ruleOut(scratch);
    int[] out = scratch.out;
    double[] values = this.values;
    double sum = score;
    if (words == 1) {
      for (int tree = first; tree < end; tree++) {
        sum += values[tree * BITS + Integer.numberOfTrailingZeros(~out[tree])];
      }
      return sum;
    }
    for (int tree = first; tree < end; tree++) {
      sum += values[tree * MOST_LEAVES + leafOfTwo(out, tree)];
    }
    return sum;
  }

  private static int leafOfTwo(int[] out, int tree) {
    long both = Integer.toUnsignedLong(out[2 * tree]) | (long) out[2 * tree + 1] << BITS;
    return Long.numberOfTrailingZeros(~both);
  }

  @Override
  public void addTo(double[] target, int first, int end, RowScratch scratch) {
    ruleOut(scratch);
    int[] out = scratch.out;
    for (int tree = first; tree < end; tree++) {
      int leaf = words == 1 ? Integer.numberOfTrailingZeros(~out[tree]) : leafOfTwo(out, tree);
      int value = (tree * leaves + leaf) * stride;
      for (int k = 0; k < outputs[tree]; k++) {
        target[output[tree] + k] += values[value + k];
      }
    }
  }

  /** Writes the leaves that a row's ranks rule out. */
  private void ruleOut(RowScratch scratch) {
    scratch.requireLeaves(width, left.length + TOGETHER);
    int count = takeLines(scratch.ranks, scratch.line, scratch.from, scratch.to);
    int[] line = scratch.line;
    int[][] lines = this.lines;
    int[] out = scratch.out;
    for (int k = 0; k == 0 || k < count; k += TOGETHER) {
      int[] a = lines[line[k]];
      int[] b = lines[line[k + 1]];
      int[] c = lines[line[k + 2]];
      int[] d = lines[line[k + 3]];
      int[] e = lines[line[k + 4]];
      int[] f = lines[line[k + 5]];
      if (k == 0) {
        begin(out, a, b, c, d, e, f);
      } else {
        more(out, a, b, c, d, e, f);
      }
    }
    int[] from = scratch.from;
    int[] to = scratch.to;
    for (int k = 0; k < left.length; k++) {
      addNodes(out, from[k], to[k]);
    }
  }

  /** Finds each number's line, and nodes behind it; how many lines there are. */
  private int takeLines(int[] ranks, int[] line, int[] from, int[] to) {
    int count = 0;
    for (int k = 0; k < left.length; k++) {
      int rank = ranks[left[k]];
      if (rank != ranks[right[k]]) {
        line[count++] = lineOfMissing[k];
        from[k] = 0;
        to[k] = 0;
        continue;
      }
      int place = places[firstPlace[k] + rank];
      int step = place >> shift;
      if (firstLine[k] > 0) {
        line[count++] = firstLine[k] + step;
      }
      from[k] = firstNode[k] + (step << shift);
      to[k] = firstNode[k] + place;
    }
    Arrays.fill(line, count, count + TOGETHER, 0);
    return count;
  }

  private static void begin(int[] out, int[] a, int[] b, int[] c, int[] d, int[] e, int[] f) {
    for (int k = 0; k < a.length; k++) {
      out[k] = a[k] | b[k] | c[k] | d[k] | e[k] | f[k];
    }
  }

  private static void more(int[] out, int[] a, int[] b, int[] c, int[] d, int[] e, int[] f) {
    for (int k = 0; k < a.length; k++) {
      out[k] |= a[k] | b[k] | c[k] | d[k] | e[k] | f[k];
    }
  }

  private void addNodes(int[] out, int from, int to) {
    int[] slots = this.slots;
    int[] masks = this.masks;
    for (int k = from; k < to; k++) {
      out[slots[k]] |= masks[k];
    }
  }

  @Override
  public long bytes() {
    long ints =
        (long) lines.length * width
            + slots.length
            + masks.length
            + places.length
            + 6L * left.length
            + output.length
            + outputs.length;
    return 4L * ints + 8L * values.length;
  }
}
