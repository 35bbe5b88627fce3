package io.holdfast.schemas.version;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.TreeNodes;
import io.holdfast.schemas.avro.TreeSegment;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.wire.ContractCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.io.Encoder;

/** Engine trees to and from their contract. Stateless. */
final class TreeCodec {
  private TreeCodec() {}

  /**
   * The body of a segment, as its contract says: written straight from the trees, which takes a
   * quarter of the time that a {@link TreeSegment} with its boxed numbers does.
   */
  static byte[] body(List<Tree> trees) {
    var groups = new GroupsCodec(trees);
    return ContractCodec.body(
        out -> {
          out.writeInt(LedgerCodec.SEGMENT_FORMAT);
          ArrayWriter.write(
              out,
              trees,
              tree -> {
                write(tree, out);
                groups.writePlaces(tree, out);
              });
          groups.write(out);
        });
  }

  private static void write(Tree tree, Encoder out) throws IOException {
    int nodes = tree.innerNodes();
    ArrayWriter.write(out, nodes, node -> out.writeInt(tree.feature(node)));
    ArrayWriter.write(out, nodes, node -> out.writeDouble(tree.threshold(node)));
    ArrayWriter.write(out, nodes, node -> out.writeBoolean(tree.missingLeft(node)));
    writeCategories(tree, out);
    ArrayWriter.write(out, nodes, node -> out.writeInt(tree.left(node)));
    ArrayWriter.write(out, nodes, node -> out.writeInt(tree.right(node)));
    int outputs = tree.outputs();
    ArrayWriter.write(
        out,
        tree.leaves() * outputs,
        value -> out.writeDouble(tree.leafValue(value / outputs, value % outputs)));
    out.writeInt(tree.output());
    out.writeInt(outputs);
    boolean known = tree.hasStatistics();
    ArrayWriter.write(out, known ? nodes : 0, node -> out.writeFloat(tree.gain(node)));
    ArrayWriter.write(out, known ? tree.leaves() : 0, leaf -> out.writeFloat(tree.leafCover(leaf)));
  }

  /** The words of all sets, and where each ends. */
  private static void writeCategories(Tree tree, Encoder out) throws IOException {
    int nodes = tree.innerNodes();
    int[] ends = new int[nodes];
    out.writeArrayStart();
    out.setItemCount(tree.categoryWords());
    int end = 0;
    for (int node = 0; node < nodes; node++) {
      if (tree.categoryWords() > 0) {
        for (long word : tree.categorySet(node)) {
          out.writeLong(word);
        }
      }
      end += tree.categoryWords(node);
      ends[node] = end;
    }
    out.writeArrayEnd();
    ArrayWriter.write(out, nodes, node -> out.writeInt(ends[node]));
  }

  /** The trees of a segment. */
  static List<Tree> decode(TreeSegment segment) throws LedgerException {
    List<CategoryGroups> groups = GroupsCodec.decode(segment.getCategoryGroups());
    List<Tree> trees = new ArrayList<>(segment.getTrees().size());
    for (int number = 0; number < segment.getTrees().size(); number++) {
      trees.add(decode(segment.getTrees().get(number), number, groups));
    }
    return List.copyOf(trees);
  }

  static Tree decode(TreeNodes nodes, int number, List<CategoryGroups> groups)
      throws LedgerException {
    LedgerLimits.read(
        (long) nodes.getOutput() + nodes.getOutputs(),
        LedgerLimits.OUTPUTS,
        "the raw scores up to the last of tree " + number);
    try {
      Tree tree =
          new Tree(
              nodes.getFeatures().stream().mapToInt(Integer::intValue).toArray(),
              doubles(nodes.getThresholds()),
              booleans(nodes.getMissingLeft()),
              categorySets(nodes),
              nodes.getLeft().stream().mapToInt(Integer::intValue).toArray(),
              nodes.getRight().stream().mapToInt(Integer::intValue).toArray(),
              new Tree.Leaves(
                  doubles(nodes.getLeafValues()), nodes.getOutput(), nodes.getOutputs()));
      tree = GroupsCodec.grouped(tree, nodes.getCategoryGroups(), groups);
      return nodes.getGains().isEmpty() && nodes.getLeafCovers().isEmpty()
          ? tree
          : tree.withStatistics(floats(nodes.getGains()), floats(nodes.getLeafCovers()));
    } catch (IllegalArgumentException e) {
      throw Reason.BAD_RECORD.because("tree %d is no tree: %s", number, e.getMessage());
    }
  }

  /** How many numbers all trees of the segments hold, about: what scoring them takes. */
  static long numbers(List<Segment> segments) {
    long numbers = 0;
    for (Segment segment : segments) {
      for (Tree tree : segment.trees()) {
        numbers += (long) tree.leaves() * tree.outputs() + 4L * tree.innerNodes();
        numbers += tree.categoryWords();
      }
      for (CategoryGroups groups : new GroupsCodec(segment.trees()).all()) {
        numbers += groups.codes() / 4; // 16 bits each
      }
    }
    return numbers;
  }

  private static double[] doubles(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static float[] floats(List<Float> values) {
    float[] array = new float[values.size()];
    for (int i = 0; i < array.length; i++) {
      array[i] = values.get(i);
    }
    return array;
  }

  private static boolean[] booleans(List<Boolean> values) {
    boolean[] array = new boolean[values.size()];
    for (int i = 0; i < array.length; i++) {
      array[i] = values.get(i);
    }
    return array;
  }

  private static long[][] categorySets(TreeNodes nodes) {
    long[] words = nodes.getCategorySets().stream().mapToLong(Long::longValue).toArray();
    List<Integer> ends = nodes.getCategorySetEnds();
    long[][] sets = new long[ends.size()][];
    int from = 0;
    for (int node = 0; node < sets.length; node++) {
      int to = ends.get(node);
      if (to < from || to > words.length) {
        throw new IllegalArgumentException(
            Sentence.of(
                "the category set of node %d must end at %d to %d: %d",
                node, from, words.length, to));
      }
      sets[node] = Arrays.copyOfRange(words, from, to);
      from = to;
    }
    if (from != words.length) {
      throw new IllegalArgumentException(
          Sentence.of("%d words belong to no category set", words.length - from));
    }
    return sets;
  }
}
