package io.holdfast.schemas.version;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.GroupedCategories;
import io.holdfast.schemas.version.LedgerException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** Writes the groups of categories of a segment's trees, each once; and reads them. */
final class GroupsCodec {
  private static final int MOST_OF_A_BYTE = 0xFF;

  private final Map<CategoryGroups, Integer> places = new LinkedHashMap<>();

  /** The groups of these trees, in the order of nodes. */
  GroupsCodec(List<Tree> trees) {
    for (Tree tree : trees) {
      for (int node = 0; tree.hasCategoryGroups() && node < tree.innerNodes(); node++) {
        CategoryGroups groups = tree.categoryGroups(node);
        if (groups != null) {
          places.putIfAbsent(groups, places.size());
        }
      }
    }
  }

  /** Writes where the groups of a tree's nodes are. */
  void writePlaces(Tree tree, Encoder out) throws IOException {
    int nodes = tree.hasCategoryGroups() ? tree.innerNodes() : 0;
    ArrayWriter.write(
        out, nodes, node -> out.writeInt(places.getOrDefault(tree.categoryGroups(node), -1)));
  }

  /** Writes all groups. */
  void write(Encoder out) throws IOException {
    ArrayWriter.write(
        out,
        places.keySet(),
        groups -> {
          out.writeInt(groups.count());
          out.writeBytes(bytes(groups));
        });
  }

  /** Those that trees have. */
  Set<CategoryGroups> all() {
    return places.keySet();
  }

  /** About how many bytes groups take. */
  static long size(CategoryGroups groups) {
    return (long) width(groups.count()) * groups.codes();
  }

  private static int width(int count) {
    return count <= MOST_OF_A_BYTE ? Byte.BYTES : Short.BYTES;
  }

  /** The group of each code, as the contract says. */
  private static byte[] bytes(CategoryGroups groups) {
    int width = width(groups.count());
    byte[] bytes = new byte[Math.multiplyExact(width, groups.codes())];
    for (int code = 0; code < groups.codes(); code++) {
      int group = groups.of(code); // −1 has all bits set
      bytes[width * code + width - 1] = (byte) group;
      if (width > 1) {
        bytes[width * code] = (byte) (group >> Byte.SIZE);
      }
    }
    return bytes;
  }

  /** The groups of a segment. */
  static List<CategoryGroups> decode(List<GroupedCategories> all) throws LedgerException {
    List<CategoryGroups> decoded = new ArrayList<>(all.size());
    for (GroupedCategories grouped : all) {
      ByteBuffer bytes = grouped.getGroups().duplicate();
      int width = width(grouped.getCount());
      int[] groupOf = new int[bytes.remaining() / width];
      for (int code = 0; code < groupOf.length; code++) {
        int group = width == 1 ? bytes.get() & MOST_OF_A_BYTE : bytes.getChar();
        boolean none = group == (width == 1 ? MOST_OF_A_BYTE : Character.MAX_VALUE);
        groupOf[code] = none ? CategoryGroups.NONE : group;
      }
      try {
        if (bytes.hasRemaining()) {
          throw new IllegalArgumentException("half a group is left over");
        }
        decoded.add(new CategoryGroups(grouped.getCount(), groupOf));
      } catch (IllegalArgumentException e) {
        throw Reason.BAD_RECORD.because(
            "groups %d of a segment are none: %s", decoded.size(), e.getMessage());
      }
    }
    return decoded;
  }

  /** The tree with its groups, by each node's place or −1; none if that is empty. */
  static Tree grouped(Tree tree, List<Integer> placeOf, List<CategoryGroups> groups) {
    if (placeOf.isEmpty()) {
      return tree;
    }
    @Nullable CategoryGroups[] ofNodes = new @Nullable CategoryGroups[placeOf.size()];
    for (int node = 0; node < ofNodes.length; node++) {
      int place = placeOf.get(node);
      if (place < -1 || place >= groups.size()) {
        throw new IllegalArgumentException(
            Sentence.of(
                "the groups of node %d must be one of %d of the segment, or -1: %d",
                node, groups.size(), place));
      }
      ofNodes[node] = place < 0 ? null : groups.get(place);
    }
    return tree.withCategoryGroups(ofNodes);
  }
}
