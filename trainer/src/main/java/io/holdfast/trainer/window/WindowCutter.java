package io.holdfast.trainer.window;

import io.holdfast.boosting.numeric.Check;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects examples until they make a window. Owned by the training thread.
 *
 * <p>A window is full at {@code rows} usable rows, or as many as were aimed at, of at least {@code
 * environments} environments; or at {@code maxRows} examples, usable or not, so that a stream of
 * unusable ones is still committed. It goes on until {@code minInterval} has passed since the
 * window before, or it has as many examples as memory has room for, or the log is quiet.
 */
public final class WindowCutter {
  private final ModelSettings.Window limits;
  private final RateLimit rate;
  private final List<LabelledRow> rows = new ArrayList<>();
  private final Set<String> environments = new HashSet<>();
  private final TreeMap<String, Long> unusable = new TreeMap<>();
  private final TreeMap<Integer, Window.Cut> cuts = new TreeMap<>();
  private int fewest;
  private int most;
  private double enough;
  private double lost;
  private long nextTime = RateLimit.NO_TIME;
  private long examples;
  private long number = 1;

  public WindowCutter(ModelSettings.Window limits) {
    this.limits = limits;
    rate = new RateLimit(limits.minInterval());
    aim(limits.rows(), limits.rows(), 0);
  }

  /**
   * Sets how many rows make a window, instead of {@code rows}.
   *
   * @param fewest rows, once they have lost {@code enough}; at most {@code maxRows} count
   * @param most rows, whatever they have lost
   */
  public void aim(int fewest, int most, double enough) {
    this.fewest = Math.min(fewest, limits.maxRows());
    this.most = most;
    this.enough = enough;
  }

  /**
   * Continues after a window.
   *
   * @param window the last window's number; 0 if there was none
   * @param time that it ended at, as {@link #time} gave it
   * @param positions the next offset of every partition ever read
   */
  public void resume(long window, long time, SortedMap<Integer, Long> positions) {
    number = window + 1;
    rate.resume(time);
    positions.forEach((partition, next) -> cuts.put(partition, new Window.Cut(next, next)));
  }

  /** Sets when the next example was written, in milliseconds since 1970. */
  public void at(long time) {
    nextTime = time;
  }

  /** The time of the newest example; {@link RateLimit#NO_TIME} if none had one. */
  public long time() {
    return rate.newest();
  }

  /**
   * Takes a usable row, the next of its partition, with the loss of what was served, at least 0.
   */
  public void add(LabelledRow row, double lost) {
    advance(row.position());
    this.lost += lost;
    rows.add(row);
    environments.add(row.environment());
  }

  /** Counts an example that cannot be used. */
  public void refuse(Position position, Refusal refusal) {
    advance(position);
    unusable.merge(refusal.reason(), 1L, Long::sum);
  }

  /** Whether the window is full and may end. */
  public boolean complete() {
    return full() && (rate.passed() || examples >= Math.max(limits.maxRows(), limits.memoryRows()));
  }

  /** Whether it may end if the next example was written at that time. */
  public boolean completeBefore(long next) {
    return full() && rate.quietUntil(next);
  }

  /** Whether it may end once the log has been quiet for long enough. */
  public boolean full() {
    boolean enoughRows = rows.size() >= fewest && (lost >= enough || rows.size() >= most);
    return (enoughRows && environments.size() >= limits.environments())
        || examples >= limits.maxRows();
  }

  /** Usable rows taken since the last window. */
  public int rows() {
    return rows.size();
  }

  /** Examples taken since the last window, usable or not. */
  public long examples() {
    return examples;
  }

  /** The window of all that was taken, complete or not. */
  public Window window() {
    return new Window(number, ReplayBuffer.inLogOrder(rows), unusable, cuts);
  }

  /** The cuts of {@link #window}. */
  public SortedMap<Integer, Window.Cut> cuts() {
    return Collections.unmodifiableSortedMap(cuts);
  }

  /** Forgets what was taken, and begins the next window. */
  public void next() {
    number++;
    rate.end();
    cuts.replaceAll((partition, cut) -> new Window.Cut(cut.to(), cut.to()));
    rows.clear();
    environments.clear();
    unusable.clear();
    examples = 0;
    lost = 0;
  }

  private void advance(Position position) {
    long offset = position.offset();
    Window.Cut cut =
        cuts.computeIfAbsent(position.partition(), p -> new Window.Cut(offset, offset));
    Check.that(
        offset >= cut.to(),
        "examples must be fed in offset order: partition %s, offset %s before %s",
        position.partition(),
        offset,
        cut.to());
    cuts.put(position.partition(), new Window.Cut(cut.from(), offset + 1));
    rate.reached(nextTime);
    examples++;
  }
}
