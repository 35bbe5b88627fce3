package io.holdfast.service.report;

import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.topic.CompactedTopicReader;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.trouble.WindowSigns;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the reports topic from its beginning on a thread of its own, and says what the reports
 * tell of trouble once it has read those there are. Reports are for people: without them the
 * service scores on.
 */
public final class ReportReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReportReader.class);

  private final RecentReports reports;
  private final Map<String, WindowSigns> signs = new HashMap<>();
  private final CompactedTopicReader reader;
  private final Thread thread;
  private volatile boolean started;
  private volatile @Nullable String failure;

  /** Does not start yet. */
  public ReportReader(
      Map<String, String> kafka, String topic, RecentReports reports, Troubles troubles) {
    this.reports = reports;
    reports.models().forEach(model -> signs.put(model, new WindowSigns(model, troubles)));
    this.reader =
        new CompactedTopicReader(
            kafka,
            topic,
            new CompactedTopicReader.Listener() {
              @Override
              public void onRecord(ConsumerRecord<String, byte[]> record) {
                add(record);
              }

              @Override
              public void onEnd() {
                // What was wrong long ago is nobody's concern.
                signs.values().forEach(WindowSigns::tell);
              }
            });
    this.thread =
        Thread.ofPlatform()
            .name("holdfast-reports")
            .uncaughtExceptionHandler(this::died)
            .unstarted(reader);
  }

  /** Starts reading. */
  public void start() {
    started = true;
    thread.start();
  }

  /** Why reports are no longer read, in one sentence; null while they are. */
  public @Nullable String failure() {
    return failure;
  }

  @Override
  public void close() {
    reader.close();
    if (!started) {
      return;
    }
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void add(ConsumerRecord<String, byte[]> record) {
    try {
      WindowReport report = Contracts.REPORT.decode(record.value());
      reports.add(report);
      WindowSigns ofModel = signs.get(report.getModel());
      if (ofModel != null) {
        ofModel.add(report);
      }
    } catch (MalformedRecordException e) {
      LOG.warn(
          "report {}-{}@{} cannot be read and is left out: {}",
          record.topic(),
          record.partition(),
          record.offset(),
          e.getMessage());
    }
  }

  private void died(Thread thread, Throwable cause) {
    failure = "window reports are no longer read: " + cause.getMessage();
    LOG.error("the report reader stopped", cause);
  }
}
