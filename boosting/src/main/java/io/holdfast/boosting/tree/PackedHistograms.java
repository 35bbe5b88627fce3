package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.PackedRows;
import io.holdfast.boosting.data.PlaneSums;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Histograms whose cells are one long each, of one value a leaf and columns of at most 256 bins: a
 * task is a plane of up to eight columns, which are added up together. Started by the growing
 * thread; planes are built and subtracted by any, and the whole is to be closed.
 */
final class PackedHistograms implements AutoCloseable {
  private static final int FEWEST_ROWS = 512; // below, additions are not what takes the time
  private static final int FEWEST_SHARED = 1_024; // rows of a stretch: some 16 µs
  private static final int BLOCK_BYTES = 512 << 10; // of records: half of a core's cache
  private static final long CELL = 2; // additions that a cell costs, searched twice

  final PackedRows packed;
  private final int rows;
  private final PackedDerivatives derivatives;
  private final PackedRows.Gathered[] gathered; // a block of each worker's
  private final long[][] partial; // sums of each worker's but the first
  private final boolean[] begun; // by worker: whether there are any
  private final int block;
  private final PlaneSums[] sums; // one a worker
  private final boolean[] chosen; // by column
  private final int[] firstCell; // of each plane, and the end
  private final Workers workers;
  private int[] planes = {};
  private PackedLayout layout = new PackedLayout(1, 0, 1, 1);

  private PackedHistograms(BinnedRows binned, PackedRows packed, Workers workers, Buffers buffers) {
    this.workers = workers;
    this.packed = packed;
    rows = binned.rows();
    derivatives = new PackedDerivatives(rows, buffers, workers);
    gathered = new PackedRows.Gathered[workers.count()];
    partial = new long[workers.count()][];
    begun = new boolean[workers.count()];
    chosen = new boolean[binned.columns()];
    firstCell = new int[packed.planes() + 1];
    for (int plane = 0; plane < packed.planes(); plane++) {
      firstCell[plane + 1] = Math.addExact(firstCell[plane], packed.cells(plane));
    }
    block =
        Math.min(rows, Math.max(512, BLOCK_BYTES / Long.BYTES / (packed.planes() + 1) / 512 * 512));
    sums = new PlaneSums[workers.count()];
    for (int worker = 0; worker < sums.length; worker++) {
      sums[worker] = PlaneSums.lease();
      gathered[worker] = packed.newGathered(block, buffers);
      partial[worker] = worker == 0 ? new long[0] : buffers.longs(cells());
    }
  }

  /** Those of these rows, if they are worth it and can be packed. */
  static @Nullable PackedHistograms of(BinnedRows binned, Workers workers, Buffers buffers) {
    PackedRows packed = binned.rows() < FEWEST_ROWS ? null : binned.packed(buffers);
    return packed == null ? null : new PackedHistograms(binned, packed, workers, buffers);
  }

  /** Turns to the next tree; returns whether its derivatives can be packed. */
  boolean start(double[] gradients, double[] hessians, RowPartition sample, int[] treeColumns) {
    PackedLayout taken =
        sample.size() < FEWEST_ROWS ? null : derivatives.take(gradients, hessians, sample);
    if (taken == null) {
      return false;
    }
    layout = taken;
    chooseColumns(treeColumns);
    return true;
  }

  private void chooseColumns(int[] treeColumns) {
    Arrays.fill(chosen, false);
    boolean[] used = new boolean[packed.planes()];
    int count = 0;
    for (int column : treeColumns) {
      chosen[column] = true;
    }
    for (int plane = 0; plane < used.length; plane++) {
      for (int column = packed.firstColumn(plane);
          column < packed.firstColumn(plane + 1);
          column++) {
        used[plane] |= chosen[column];
      }
      count += used[plane] ? 1 : 0;
    }
    planes = new int[count];
    for (int plane = used.length - 1; plane >= 0; plane--) {
      if (used[plane]) {
        planes[--count] = plane;
      }
    }
  }

  /** How the cells of the tree at hand are to be read. */
  PackedLayout layout() {
    return layout;
  }

  /** The sum of the cells of all rows of the tree at hand. */
  long total() {
    return derivatives.total();
  }

  /** Whether the tree at hand may split the column. */
  boolean chosen(int column) {
    return chosen[column];
  }

  int cells() {
    return firstCell[packed.planes()];
  }

  int[] planes() {
    return planes;
  }

  /** Where a plane's cells begin. */
  int firstCell(int plane) {
    return firstCell[plane];
  }

  long work(int count) {
    return (long) count * PackedRows.LANES * planes.length + CELL * cells();
  }

  /**
   * Adds up some rows, if they are not all, block by block and plane by plane: a block's records
   * stay in cache until its planes are added up.
   */
  void add(int[] chosenRows, int from, int to, long[] histogram) {
    if (to - from == rows) {
      return;
    }
    Arrays.fill(begun, false);
    workers.rows(
        from,
        to,
        FEWEST_SHARED,
        (worker, first, end) -> {
          long[] target = worker == 0 ? histogram : partial[worker];
          for (int k = first; k < end; k += block) {
            addCells(worker, chosenRows, k, Math.min(end, k + block), target);
            begun[worker] = true;
          }
        });
  }

  private void addCells(int worker, int[] chosenRows, int from, int to, long[] target) {
    PackedRows.Gathered own = gathered[worker];
    packed.gather(chosenRows, from, to, from, derivatives.cells, own);
    for (int plane : planes) {
      if (begun[worker]) {
        packed.sumMore(plane, own, to - from, sums[worker], target, firstCell[plane]);
      } else {
        packed.sum(plane, own, to - from, sums[worker], target, firstCell[plane]);
      }
    }
  }

  /** Writes a plane of the sums over all rows, or brings together what workers have added up. */
  void build(int worker, int plane, int from, int to, long[] histogram) {
    if (to - from == rows) {
      packed.sumAll(plane, derivatives.cells, sums[worker], histogram, firstCell[plane]);
    } else {
      bring(firstCell[plane], firstCell[plane + 1], histogram);
      packed.finish(plane, histogram, firstCell[plane]);
    }
  }

  private void bring(int from, int to, long[] histogram) {
    boolean written = begun[0];
    for (int worker = 1; worker < begun.length; worker++) {
      if (begun[worker] && written) {
        long[] more = partial[worker];
        for (int k = from; k < to; k++) {
          histogram[k] += more[k];
        }
      } else if (begun[worker]) {
        System.arraycopy(partial[worker], from, histogram, from, to - from);
        written = true;
      }
    }
  }

  /** Lays out a few rows, at most as many as records of a block. */
  void gatherFew(int[] chosenRows, int from, int to) {
    packed.gather(chosenRows, from, to, from, derivatives.cells, gathered[0]);
  }

  /** Takes so many rows, which were gathered last, away from a plane. */
  void subtractGathered(int plane, int count, long[] histogram) {
    packed.subtract(plane, gathered[0], count, histogram, firstCell[plane]);
  }

  void subtract(int plane, long[] part, long[] histogram) {
    for (int k = firstCell[plane]; k < firstCell[plane + 1]; k++) {
      histogram[k] -= part[k];
    }
  }

  @Override
  public void close() {
    for (PlaneSums lease : sums) {
      lease.close();
    }
  }
}
