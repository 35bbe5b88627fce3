package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Histograms whose cells are one long each, of one value a leaf and columns of at most 256 bins: a
 * task is a plane of up to eight columns, which are added up together. Started by the growing
 * thread; planes are built and subtracted by any, and the whole is to be closed.
 */
public final class QuantisedHistograms implements AutoCloseable {
  private static final int FEWEST_ROWS = 512; // below, additions are not what takes the time
  private static final int FEWEST_SHARED = 1_024; // rows of a stretch: some 16 µs
  private static final int BLOCK_BYTES = 512 << 10; // of records: half of a core's cache
  private static final long CELL = 2; // additions that a cell costs, searched twice

  public final PackedBins packed;
  private final int rows;
  private final QuantisedGradients derivatives;
  private final PackedBins.Gathered[] gathered; // a block of each worker's
  private final long[][] partial; // sums of each worker's but the first
  private final boolean[] begun; // by worker: whether there are any
  private final int block;
  private final BinSums[] sums; // one a worker
  private final boolean[] chosen; // by column
  private final int[] firstCell; // of each plane, and the end
  private final Workers workers;
  private int[] planes = {};
  private CellLayout layout = new CellLayout(1, 0, 1, 1);

  private QuantisedHistograms(
      BinnedRows binned, PackedBins packed, Workers workers, Buffers buffers) {
    this.workers = workers;
    this.packed = packed;
    rows = binned.rows();
    derivatives = new QuantisedGradients(rows, buffers, workers);
    gathered = new PackedBins.Gathered[workers.count()];
    partial = new long[workers.count()][];
    begun = new boolean[workers.count()];
    chosen = new boolean[binned.columns()];
    firstCell = new int[packed.planes() + 1];
    for (int plane = 0; plane < packed.planes(); plane++) {
      firstCell[plane + 1] = Math.addExact(firstCell[plane], packed.cells(plane));
    }
    block =
        Math.min(rows, Math.max(512, BLOCK_BYTES / Long.BYTES / (packed.planes() + 1) / 512 * 512));
    sums = new BinSums[workers.count()];
    for (int worker = 0; worker < sums.length; worker++) {
      sums[worker] = BinSums.lease();
      gathered[worker] = packed.newGathered(block, buffers);
      partial[worker] = worker == 0 ? new long[0] : buffers.longs(cells());
    }
  }

  /** Those of these rows, if they are worth it and can be packed. */
  public static @Nullable QuantisedHistograms of(
      BinnedRows binned, Workers workers, Buffers buffers) {
    PackedBins packed = binned.rows() < FEWEST_ROWS ? null : PackedBins.of(binned, buffers);
    return packed == null ? null : new QuantisedHistograms(binned, packed, workers, buffers);
  }

  /** Turns to the next tree; returns whether its derivatives can be packed. */
  public boolean start(double[] gradients, double[] hessians, RowSample sample, int[] treeColumns) {
    CellLayout taken =
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
  public CellLayout layout() {
    return layout;
  }

  /** The sum of the cells of all rows of the tree at hand. */
  public long total() {
    return derivatives.total();
  }

  /** Whether the tree at hand may split the column. */
  public boolean chosen(int column) {
    return chosen[column];
  }

  public int cells() {
    return firstCell[packed.planes()];
  }

  public int[] planes() {
    return planes;
  }

  /** Where a plane's cells begin. */
  public int firstCell(int plane) {
    return firstCell[plane];
  }

  public long work(int count) {
    return (long) count * PackedBins.LANES * planes.length + CELL * cells();
  }

  /**
   * Adds up some rows, if they are not all, block by block and plane by plane: a block's records
   * stay in cache until its planes are added up.
   */
  public void add(int[] chosenRows, int from, int to, long[] histogram) {
    if (atOnce(to - from)) {
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

  /** Whether so many rows are all rows, and are added up plane by plane, where they stand. */
  private boolean atOnce(int count) {
    return count == rows && packed.held();
  }

  private void addCells(int worker, int[] chosenRows, int from, int to, long[] target) {
    PackedBins.Gathered own = gathered[worker];
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
  public void build(int worker, int plane, int from, int to, long[] histogram) {
    if (atOnce(to - from)) {
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
  public void gatherFew(int[] chosenRows, int from, int to) {
    packed.gather(chosenRows, from, to, from, derivatives.cells, gathered[0]);
  }

  /** Takes so many rows, which were gathered last, away from a plane. */
  public void subtractGathered(int plane, int count, long[] histogram) {
    packed.subtract(plane, gathered[0], count, histogram, firstCell[plane]);
  }

  public void subtract(int plane, long[] part, long[] histogram) {
    for (int k = firstCell[plane]; k < firstCell[plane + 1]; k++) {
      histogram[k] -= part[k];
    }
  }

  @Override
  public void close() {
    for (BinSums lease : sums) {
      lease.close();
    }
  }
}
