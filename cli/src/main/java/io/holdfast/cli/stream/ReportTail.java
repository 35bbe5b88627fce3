package io.holdfast.cli.stream;

import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The reports of one model's windows from now on, as they are committed. Owned by one thread. */
public final class ReportTail implements AutoCloseable {
  private final TopicTail tail;
  private final String model;
  private long concluded;

  public ReportTail(Map<String, String> kafka, String topic, String model) {
    this.model = model;
    tail = TopicTail.fromEnd(kafka, topic);
  }

  public List<WindowReport> poll(Duration limit) {
    List<WindowReport> reports = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : tail.poll(limit)) {
      try {
        WindowReport report = Contracts.REPORT.decode(record.value());
        if (report.getModel().equals(model)) {
          reports.add(report);
          concluded += report.getRows();
          concluded += report.getUnusable().values().stream().mapToLong(Long::longValue).sum();
        }
      } catch (MalformedRecordException e) {
        // Someone else's record on the topic says nothing about this model.
      }
    }
    return reports;
  }

  /** How many examples the windows reported so far held. */
  public long concluded() {
    return concluded;
  }

  @Override
  public void close() {
    tail.close();
  }
}
