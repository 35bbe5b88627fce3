package io.holdfast.cli.stream;

import io.holdfast.schemas.avro.WindowReport;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a stream from running away from the trainer: history that is replayed faster than the
 * trainer learns would all be scored by the first version. Owned by one thread.
 */
public final class Lead {
  /*
   * Labels that nothing comes of (refused in the join, for example) are never reported, so a wait
   * without any report is given up after a while: late is better than never.
   */
  private static final Logger LOG = LoggerFactory.getLogger(Lead.class);
  private static final Duration STALL = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(50);

  private final ReportTail reports;
  private final long rows;
  private final Consumer<WindowReport> listener;
  private long sent;
  private long givenUp;

  public Lead(ReportTail reports, long rows, Consumer<WindowReport> listener) {
    this.reports = reports;
    this.rows = rows;
    this.listener = listener;
  }

  /** Counts a label sent, and waits while there are too many that nothing was reported of. */
  public void labelSent() {
    sent++;
    long quietSince = System.nanoTime();
    while (sent - givenUp - reports.concluded() >= rows
        && !Thread.currentThread().isInterrupted()) {
      if (poll(POLL)) {
        quietSince = System.nanoTime();
      } else if (System.nanoTime() - quietSince > STALL.toNanos()) {
        LOG.warn(
            "no report of a window for {} s, so the stream goes on: do service and trainer run?",
            STALL.toSeconds());
        givenUp = sent - reports.concluded();
      }
    }
  }

  /** Takes in what was reported; returns whether there was something. */
  public boolean poll(Duration limit) {
    var news = reports.poll(limit);
    news.forEach(listener);
    return !news.isEmpty();
  }
}
