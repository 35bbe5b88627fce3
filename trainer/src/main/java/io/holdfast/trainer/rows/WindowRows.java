package io.holdfast.trainer.rows;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.ReplayBuffer;
import io.holdfast.trainer.window.Served;
import io.holdfast.trainer.window.Window;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A window and the replay buffer for one training run, decoded on demand. Owned by the training
 * thread.
 */
public final class WindowRows {
  /*
   * Categories get their codes as rows are decoded: memory first where all of it is decoded anyway,
   * else the window first. The policy decides which, so codes are a function of settings and rows.
   */
  private static final int SLACK = 1_000;

  private final RowReader reader;
  private final RowReader.Decoding decoding;
  private final ReplayBuffer buffer;
  private final List<LabelledRow> arrived;
  private final List<LabelledRow> kept = new ArrayList<>();
  private final List<LabelledRow> heldOut = new ArrayList<>();
  private final List<LabelledRow> keptInTimeOrder;
  private final Rows whole;
  private @Nullable List<LabelledRow> replayed;
  private @Nullable Rows replay;
  private @Nullable Rows all;
  private @Nullable Rows fresh;

  /**
   * For a version that is to grow from {@code parent}.
   *
   * @param memoryFirst whether memory is decoded at once, and before the window
   */
  public WindowRows(
      RowReader reader,
      LedgerVersion parent,
      ReplayBuffer replay,
      Window window,
      Predicate<Position> holdOut,
      boolean memoryFirst) {
    this.reader = reader;
    buffer = replay;
    decoding = reader.decoding(parent.model().features());
    arrived = window.rows();
    for (LabelledRow row : arrived) {
      (holdOut.test(row.position()) ? heldOut : kept).add(row);
    }
    keptInTimeOrder = ReplayBuffer.inTimeOrder(kept);
    if (memoryFirst) {
      decoding.remember(replayed(), arrived);
    }
    whole = decoded(arrived);
    decoding.forgetBeyond(2L * (buffer.size() + arrived.size()) + SLACK, this::replayed);
  }

  /** The parent's features, with the categories met so far. */
  public List<Feature> features() {
    return decoding.features();
  }

  /** The usable rows of the window, in log order. */
  public List<LabelledRow> arrived() {
    return arrived;
  }

  /** {@link #arrived}, decoded. */
  public Rows whole() {
    return whole;
  }

  /** The rows of the replay buffer, in log order. */
  public List<LabelledRow> replayed() {
    if (replayed == null) {
      replayed = buffer.rows();
    }
    return replayed;
  }

  /** {@link #replayed}, decoded. */
  public Rows replay() {
    if (replay == null) {
      decoding.remember(replayed(), arrived);
      replay = decoded(replayed());
    }
    return replay;
  }

  /** Whether any row of the replay buffer is of an environment. */
  public boolean remembers(String environment) {
    return buffer.holds(environment);
  }

  /** How many rows of the replay buffer are at or after these offsets, by partition. */
  public int from(Map<Integer, Long> offsets) {
    return buffer.from(offsets);
  }

  /** At most {@code most} of them, as far apart from each other. */
  public static List<LabelledRow> spaced(List<LabelledRow> rows, int most) {
    return rows.size() <= most
        ? rows
        : IntStream.range(0, most)
            .mapToObj(k -> rows.get((int) ((long) k * rows.size() / most)))
            .toList();
  }

  /** At most {@code count} of the newest rows before the window, oldest first. */
  public List<LabelledRow> before(int count) {
    return buffer.newest(count);
  }

  /**
   * At most {@code count} of the newest rows, oldest first, held-out ones included, and none from
   * before a row that is no longer remembered.
   */
  public List<LabelledRow> unbroken(int count) {
    return last(
        count,
        buffer.unbroken(Math.max(0, count - arrived.size())),
        ReplayBuffer.inTimeOrder(arrived));
  }

  /** At most {@code count} of the newest rows, oldest first, held-out ones included. */
  public List<LabelledRow> served(int count) {
    return last(
        count,
        buffer.newest(Math.max(0, count - arrived.size())),
        ReplayBuffer.inTimeOrder(arrived));
  }

  /** Rows of the window that are kept out of training, in log order. */
  public List<LabelledRow> heldOut() {
    return heldOut;
  }

  /** {@link #heldOut}, decoded. */
  public Rows heldOutRows() {
    return decoded(heldOut);
  }

  /** The window's rows to train on, in the order of their time. */
  public Rows window() {
    if (fresh == null) {
      fresh = decoded(keptInTimeOrder);
    }
    return fresh;
  }

  /** What was served for each row of {@link #window}. */
  public Served[] served() {
    return keptInTimeOrder.stream().map(LabelledRow::served).toArray(Served[]::new);
  }

  /** How many rows there are to train on: the replay buffer's and the window's. */
  public int size() {
    return buffer.size() + kept.size();
  }

  /** All rows to train on, in log order: the replay buffer's, then the window's. */
  public Rows all() {
    if (all == null) {
      all = decoded(last(size(), replayed(), kept));
    }
    return all;
  }

  /** How many rows of {@link #all} are newer than each of them, by the order of their time. */
  public int[] ages() {
    List<LabelledRow> ordered = newestRows(size());
    IdentityHashMap<LabelledRow, Integer> places = new IdentityHashMap<>();
    for (int place = 0; place < ordered.size(); place++) {
      places.put(ordered.get(place), place);
    }
    List<LabelledRow> rows = last(size(), replayed(), kept);
    int[] ages = new int[rows.size()];
    for (int row = 0; row < ages.length; row++) {
      ages[row] = ages.length - 1 - places.getOrDefault(rows.get(row), 0);
    }
    return ages;
  }

  /**
   * The newest rows to train on, oldest first: stretch after stretch of the log, and within one by
   * time.
   *
   * @param count how many at most
   * @param skip how many still newer ones are left out
   */
  public Rows newest(int count, int skip) {
    List<LabelledRow> ordered = newestRows(count + skip);
    return decoded(ordered.subList(0, Math.max(0, ordered.size() - skip)));
  }

  private List<LabelledRow> newestRows(int count) {
    return last(count, buffer.newest(Math.max(0, count - kept.size())), keptInTimeOrder);
  }

  /** The last {@code count} of both at most. */
  private static List<LabelledRow> last(
      int count, List<LabelledRow> older, List<LabelledRow> newer) {
    List<LabelledRow> rows = new ArrayList<>(older);
    rows.addAll(newer);
    return rows.subList(Math.max(0, rows.size() - count), rows.size());
  }

  /** Any of the rows, decoded. */
  public Rows decoded(List<LabelledRow> rows) {
    Rows.Builder builder = reader.rows();
    if (!rows.isEmpty()) {
      builder.expecting(rows.size());
    }
    decoding.decode(rows, builder);
    return builder.build();
  }
}
