package io.holdfast.cli.demo;

import io.holdfast.cli.learn.LastQuarter;
import io.holdfast.schemas.avro.WindowReport;
import java.util.List;
import java.util.Map;

/**
 * What came of a run of the demo.
 *
 * @param rows orders sent
 * @param labels labels sent
 * @param scored distinct orders with a score
 * @param repeatedScores scores of orders that had one already
 * @param deadLetters by reason
 * @param windows the windows' reports, in order
 * @param startMillis from the start of the process until records could be scored
 * @param firstVersionMillis from the start of the process to the first trained version; -1 if none
 * @param millis from the start of the process to the end of the run
 */
public record DemoResult(
    long rows,
    long labels,
    long scored,
    long repeatedScores,
    Map<String, Long> deadLetters,
    List<WindowReport> windows,
    long startMillis,
    long firstVersionMillis,
    long millis) {
  /** By how much the last quarter must beat the constant model and the first window. */
  public static final double MARGIN = 0.3;

  public DemoResult {
    deadLetters = Map.copyOf(deadLetters);
    windows = List.copyOf(windows);
  }

  /** Versions published beyond the untrained one. */
  public long versions() {
    return windows.stream().filter(window -> window.getPublishedVersion() != null).count();
  }

  public LastQuarter lastQuarter() {
    return LastQuarter.of(windows);
  }

  /**
   * Whether it learned: the last quarter's loss is at least {@link #MARGIN} below that of the
   * constant model and that of the first window, and there are windows enough to speak of quarters.
   */
  public boolean learned() {
    if (windows.size() < 4) {
      return false;
    }
    double loss = lastQuarter().loss();
    return loss <= (1 - MARGIN) * lastQuarter().constantLoss()
        && loss <= (1 - MARGIN) * windows.getFirst().getLoss();
  }
}
