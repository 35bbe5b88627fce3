package io.holdfast.trainer.rows;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.policy.LessonRows;
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
import org.jspecify.annotations.Nullable;

/**
 * A window and the replay buffer for one training run, decoded when they are asked for. Owned by
 * the training thread.
 */
public final class WindowRows implements LessonRows {
  /*
   * Categories get their codes as rows are decoded: memory first, where it is decoded anyway, and
   * the window first where it may not be. Which of the two is up to the policy, so codes are a
   * function of settings and rows.
   */
  private static final int SLACK = 1_000;

  private final RowReader reader;
  private final RowReader.Decoding decoding;
  private final ReplayBuffer buffer;
  private final List<LabelledRow> arrived;
  private final List<LabelledRow> kept = new ArrayList<>();
  private final List<LabelledRow> heldOut = new ArrayList<>();
  private final Rows whole;
  private @Nullable List<LabelledRow> inTimeOrder; // those that are kept
  private @Nullable List<LabelledRow> replayed;
  private @Nullable Rows replay;
  private @Nullable Rows all;
  private @Nullable Rows fresh;

  private WindowRows(
      RowReader reader,
      LedgerVersion parent,
      ReplayBuffer buffer,
      Window window,
      Predicate<Position> holdOut,
      boolean memoryFirst) {
    this.reader = reader;
    this.buffer = buffer;
    decoding = reader.decoding(parent.model().features());
    arrived = window.rows();
    for (LabelledRow row : arrived) {
      (holdOut.test(row.position()) ? heldOut : kept).add(row);
    }
    if (memoryFirst) {
      decoding.remember(replayed(), arrived);
    }
    whole = decoded(arrived);
    decoding.forgetBeyond(2L * (buffer.size() + arrived.size()) + SLACK, this::replayed);
  }

  /**
   * Decodes for a version that is to grow from {@code parent}.
   *
   * @param memoryFirst whether memory is decoded at once, and before the window
   */
  public static WindowRows of(
      RowReader reader,
      LedgerVersion parent,
      ReplayBuffer replay,
      Window window,
      Predicate<Position> holdOut,
      boolean memoryFirst) {
    return new WindowRows(reader, parent, replay, window, holdOut, memoryFirst);
  }

  /** The parent's features, with the categories that were met so far. */
  public List<Feature> features() {
    return decoding.features();
  }

  /** The usable rows of the window, in log order. */
  public List<LabelledRow> arrived() {
    return arrived;
  }

  /** The same, decoded. */
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

  /** The same, decoded. */
  public Rows replay() {
    if (replay == null) {
      decoding.remember(replayed(), arrived);
      replay = decoded(replayed());
    }
    return replay;
  }

  /** Whether any of these rows is of an environment. */
  public boolean remembers(String environment) {
    return buffer.holds(environment);
  }

  /** How many of these rows are at or after these places of the log, by partition. */
  public int from(Map<Integer, Long> places) {
    return buffer.from(places);
  }

  /**
   * At most that many of the newest rows, those that are kept out of training too, oldest first,
   * and none from before a row that is no longer remembered.
   */
  public List<LabelledRow> unbroken(int count) {
    List<LabelledRow> rows = new ArrayList<>(buffer.unbroken(Math.max(0, count - arrived.size())));
    rows.addAll(ReplayBuffer.inTimeOrder(arrived));
    return rows.subList(Math.max(0, rows.size() - count), rows.size());
  }

  /** Rows of the window that are kept out of training, in log order. */
  public List<LabelledRow> heldOut() {
    return heldOut;
  }

  /** The same, decoded. */
  public Rows heldOutRows() {
    return decoded(heldOut);
  }

  @Override
  public Rows window() {
    if (fresh == null) {
      fresh = decoded(keptInTimeOrder());
    }
    return fresh;
  }

  @Override
  public Served[] served() {
    List<LabelledRow> ordered = keptInTimeOrder();
    Served[] served = new Served[ordered.size()];
    for (int row = 0; row < served.length; row++) {
      served[row] = ordered.get(row).served();
    }
    return served;
  }

  private List<LabelledRow> keptInTimeOrder() {
    if (inTimeOrder == null) {
      inTimeOrder = ReplayBuffer.inTimeOrder(kept);
    }
    return inTimeOrder;
  }

  @Override
  public int size() {
    return buffer.size() + kept.size();
  }

  @Override
  public Rows all() {
    if (all == null) {
      List<LabelledRow> rows = new ArrayList<>(replayed());
      rows.addAll(kept);
      all = decoded(rows);
    }
    return all;
  }

  @Override
  public int[] ages() {
    List<LabelledRow> ordered = newestRows(size());
    IdentityHashMap<LabelledRow, Integer> places = new IdentityHashMap<>();
    for (int place = 0; place < ordered.size(); place++) {
      places.put(ordered.get(place), place);
    }
    List<LabelledRow> rows = new ArrayList<>(replayed());
    rows.addAll(kept);
    int[] ages = new int[rows.size()];
    for (int row = 0; row < ages.length; row++) {
      ages[row] = ages.length - 1 - places.getOrDefault(rows.get(row), 0);
    }
    return ages;
  }

  @Override
  public Rows newest(int count, int skip) {
    List<LabelledRow> ordered = newestRows(count + skip);
    return decoded(ordered.subList(0, Math.max(0, ordered.size() - skip)));
  }

  private List<LabelledRow> newestRows(int count) {
    List<LabelledRow> rows = new ArrayList<>(buffer.newest(Math.max(0, count - kept.size())));
    rows.addAll(keptInTimeOrder());
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
