package io.holdfast.schemas.version;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.schemas.wire.Contracts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Turns models' segments into published ones: known ones are named, new ones written. One version.
 */
final class SegmentWriter {
  /**
   * Format, the count of the one block of trees, and the block that ends them, at their longest.
   */
  private static final int OVERHEAD_BYTES = 5 + 10 + 1;

  private final String model;
  private final @Nullable LedgerVersion parent;
  private @Nullable Set<Digest> known;

  private final List<Segment> segments = new ArrayList<>();
  private final List<Digest> digests = new ArrayList<>();

  /** The new segments. */
  final List<LedgerRecord> records = new ArrayList<>();

  /** Published segments, in order, with their digests. */
  record Published(List<Segment> segments, List<Digest> digests) {
    @SuppressWarnings("ReferenceEquality") // segments are immutable: identity is enough
    Model in(Model model) {
      boolean same =
          segments.size() == model.segments().size()
              && IntStream.range(0, segments.size())
                  .allMatch(k -> segments.get(k) == model.segments().get(k));
      return same ? model : new Model(model.objective(), model.features(), model.base(), segments);
    }
  }

  SegmentWriter(String model, @Nullable LedgerVersion parent) {
    this.model = model;
    this.parent = parent;
  }

  /** Those of one model, which may be written in several. */
  Published write(Model whole) {
    segments.clear();
    digests.clear();
    whole.segments().forEach(this::add);
    return new Published(List.copyOf(segments), List.copyOf(digests));
  }

  private void add(Segment segment) {
    Digest published = published(segment);
    if (published != null) {
      segments.add(segment);
      digests.add(published);
      return;
    }
    Check.that(
        !segment.trees().isEmpty(), "a segment must have a tree: %s", segment.trees().size());
    byte[] whole = TreeCodec.body(segment.trees());
    long most = whole.length + (segment.trees().size() + 1L) * OVERHEAD_BYTES;
    if (most <= LedgerLimits.SEGMENT_BYTES) { // surely small enough: trees are not measured singly
      publish(whole, segment);
      return;
    }
    List<Tree> trees = new ArrayList<>();
    Set<CategoryGroups> groups = new HashSet<>();
    long bytes = OVERHEAD_BYTES;
    for (Tree tree : segment.trees()) {
      long size = TreeCodec.body(List.of(tree)).length;
      Check.that(
          size + OVERHEAD_BYTES <= LedgerLimits.SEGMENT_BYTES,
          "a tree of %s leaves with %s values each takes %s bytes, and a model keeps trees of at"
              + " most %s: set maxLeaves lower",
          tree.leaves(),
          tree.outputs(),
          size + OVERHEAD_BYTES,
          LedgerLimits.SEGMENT_BYTES);
      Set<CategoryGroups> ofTree = new GroupsCodec(List.of(tree)).all();
      long shared = ofTree.stream().filter(groups::contains).mapToLong(GroupsCodec::size).sum();
      if (bytes + size - shared > LedgerLimits.SEGMENT_BYTES) {
        write(trees, segment);
        trees.clear();
        groups.clear();
        shared = 0;
        bytes = OVERHEAD_BYTES;
      }
      trees.add(tree);
      groups.addAll(ofTree);
      bytes += size - shared;
    }
    write(trees, segment);
  }

  private void publish(byte[] body, Segment segment) {
    Digest digest = Digest.of(body);
    segments.add(segment);
    digests.add(digest);
    if (known().add(digest)) {
      records.add(
          new LedgerRecord(
              new LedgerKey.SegmentKey(model, digest), Contracts.SEGMENT.framed(body)));
    }
  }

  private void write(List<Tree> trees, Segment whole) {
    boolean split = trees.size() < whole.trees().size();
    publish(TreeCodec.body(trees), split ? new Segment(trees, whole.decay()) : whole);
  }

  /** Of the parent's segments and those written; most versions need none of them. */
  private Set<Digest> known() {
    Set<Digest> all = known;
    if (all == null) {
      all = new HashSet<>();
      known = all;
      if (parent != null) {
        all.addAll(parent.segments());
        for (LedgerRung rung : parent.rungs()) {
          all.addAll(rung.segments());
        }
        all.addAll(ofSpreads(parent));
      }
    }
    return all;
  }

  /** The digest under which the parent has the very same trees, whatever their decay. */
  private @Nullable Digest published(Segment segment) {
    if (parent == null) {
      return null;
    }
    Digest found = published(parent.grown(), parent.segments(), segment);
    for (LedgerRung rung : parent.rungs()) {
      found = found == null ? published(rung.model(), rung.segments(), segment) : found;
    }
    Model spreads = parent.uncertainty() == null ? null : parent.uncertainty().spreads();
    return found == null && spreads != null
        ? published(spreads, ofSpreads(parent), segment)
        : found;
  }

  private static List<Digest> ofSpreads(LedgerVersion version) {
    return VersionVerifier.digests(UncertaintyCodec.segments(version.manifest()));
  }

  private static @Nullable Digest published(Model model, List<Digest> digests, Segment segment) {
    for (int place = 0; place < digests.size(); place++) {
      if (same(model.segments().get(place).trees(), segment.trees())) {
        return digests.get(place);
      }
    }
    return null;
  }

  @SuppressWarnings("ReferenceEquality") // Trees are immutable and shared: identity is enough.
  private static boolean same(List<Tree> a, List<Tree> b) {
    return a == b
        || (a.size() == b.size()
            && IntStream.range(0, a.size()).allMatch(i -> a.get(i) == b.get(i)));
  }
}
