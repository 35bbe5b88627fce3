package io.holdfast.cli.ledger;

import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.LedgerReader;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.time.Duration;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What a model's trainer reported of its windows. Stateless. */
public final class WindowReports {
  private static final Duration PATIENCE = Duration.ofSeconds(75);

  private WindowReports() {}

  /**
   * All that were written before this call, by window; the newest of a window counts.
   *
   * @throws io.holdfast.schemas.topic.TopicException in one sentence, if the topic cannot be read
   */
  public static NavigableMap<Long, WindowReport> read(Settings settings, String model) {
    NavigableMap<Long, WindowReport> reports = new TreeMap<>();
    LedgerReader.read(
        settings.kafka(),
        settings.topics().reports(),
        PATIENCE,
        record -> {
          if (model.equals(record.key())) {
            note(record.value(), reports);
          }
        });
    return reports;
  }

  private static void note(byte[] value, NavigableMap<Long, WindowReport> reports) {
    try {
      WindowReport report = Contracts.REPORT.decode(value);
      reports.put(report.getWindow(), report);
    } catch (MalformedRecordException e) {
      // Someone else's record on the topic says nothing about this model.
    }
  }
}
