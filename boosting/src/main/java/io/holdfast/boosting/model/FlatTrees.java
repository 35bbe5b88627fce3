package io.holdfast.boosting.model;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Trees of segments laid out flat, to be walked side by side: ready in microseconds, for models
 * that score few rows before the next one comes. The same bits as walking tree after tree.
 * Immutable; safe to share. Allocates nothing a row, once a thread has scored with it.
 */
public final class FlatTrees {
  /** No trees. */
  public static final FlatTrees NONE = new FlatTrees(List.of(), 0, new FlatSegment[0]);

  private static final ThreadLocal<FlatRow> ROW = ThreadLocal.withInitial(FlatRow::new);

  private final List<Segment> segments;
  private final int width;
  private final @Nullable FlatSegment[] layouts; // null where a segment does not fit
  private final int[] numeric; // columns that nodes look at
  private final int[] categorical;

  private FlatTrees(List<Segment> segments, int width, @Nullable FlatSegment[] layouts) {
    this.segments = segments;
    this.width = width;
    this.layouts = layouts;
    int[] kinds = new int[width];
    for (int k = 0; k < layouts.length; k++) {
      FlatSegment layout = layouts[k];
      if (layout != null && !layout.addKinds(kinds)) {
        layouts[k] = null; // a column is a number to some and a category to others
      }
    }
    numeric = columns(kinds, FlatSegment.NUMERIC);
    categorical = columns(kinds, FlatSegment.CATEGORICAL);
  }

  private static int[] columns(int[] kinds, int kind) {
    return IntStream.range(0, kinds.length).filter(column -> kinds[column] == kind).toArray();
  }

  /** Lays out segments of a model of so many features. */
  public static FlatTrees of(List<Segment> segments, int width) {
    return of(segments, width, NONE);
  }

  /**
   * The same, with what {@code earlier} has of segments of the same trees, whatever their weight:
   * their layout, or that they do not fit.
   */
  public static FlatTrees of(List<Segment> segments, int width, FlatTrees earlier) {
    @Nullable FlatSegment[] layouts = new @Nullable FlatSegment[segments.size()];
    for (int k = 0; k < layouts.length; k++) {
      List<Tree> trees = segments.get(k).trees();
      int known = earlier.width == width ? earlier.indexOf(trees) : -1;
      layouts[k] = known < 0 ? FlatSegment.of(trees, width) : earlier.layouts[known];
    }
    return new FlatTrees(segments, width, layouts);
  }

  @SuppressWarnings("ReferenceEquality") // trees are immutable and shared: identity is enough
  private int indexOf(List<Tree> trees) {
    for (int k = 0; k < layouts.length; k++) {
      if (segments.get(k).trees() == trees) {
        return k;
      }
    }
    return -1;
  }

  /**
   * Adds what the trees say of a row to its raw scores.
   *
   * @param features of the model's width; not changed
   * @param target where the raw scores are, from {@code at} on
   */
  public void add(double[] features, double[] target, int at) {
    FlatRow row = ROW.get();
    boolean whole = row.take(features, numeric, categorical);
    boolean flat = whole || row.takeWithMissing(features, numeric, categorical);
    for (int k = 0; k < layouts.length; k++) {
      FlatSegment layout = layouts[k];
      Segment segment = segments.get(k);
      if (flat && layout != null) {
        layout.add(row, whole, segment.decay(), target, at);
      } else {
        walk(segment, features, target, at);
      }
    }
  }

  /** What it takes beside the trees, in bytes; scratch of threads not counted. */
  public long bytes() {
    return Arrays.stream(layouts).filter(Objects::nonNull).mapToLong(FlatSegment::bytes).sum();
  }

  /** Whether all segments are laid out. */
  public boolean complete() {
    return laidOut() == layouts.length;
  }

  /** How many segments are laid out: others are walked tree by tree. */
  int laidOut() {
    return (int) Arrays.stream(layouts).filter(Objects::nonNull).count();
  }

  private static void walk(Segment segment, double[] features, double[] target, int at) {
    List<Tree> trees = segment.trees();
    for (int number = 0; number < trees.size(); number++) { // an iterator might be allocated
      trees.get(number).addTo(features, segment.decay(), target, at);
    }
  }
}
