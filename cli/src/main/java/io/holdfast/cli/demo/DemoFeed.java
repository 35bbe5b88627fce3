package io.holdfast.cli.demo;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.holdfast.cli.stream.RecordSender;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.RecordEncoder;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;

/** Sends the stream: each order when it is placed, its label when it is delivered. One thread's. */
final class DemoFeed {
  private static final Schema SCHEMA = DemoModel.schema();
  private static final RecordEncoder RECORDS = new RecordEncoder(SCHEMA);

  private final DeliveryStream stream;
  private final RecordSender sender;
  private final ModelTopics topics;
  private final InstantSource time;
  private final ContractCodec<Label> labels = new ContractCodec<>(Label.class);
  private final PriorityQueue<Due> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Due::row).thenComparing(Due::key));
  private long rows;
  private long labelsSent;

  private record Due(long row, String key, double label) {}

  DemoFeed(
      DeliveryStream stream,
      RecordSender sender,
      ModelTopics topics,
      InstantSource time,
      long first) {
    this.rows = first;
    this.stream = stream;
    this.sender = sender;
    this.topics = topics;
    this.time = time;
  }

  /** Sends the next order, then the labels that are due; returns how many those were. */
  int next() {
    Delivery delivery = stream.row(rows);
    long now = time.millis();
    sender.send(topics.records(), delivery.id(), encode(delivery, now), now);
    int delay = stream.labelDelay(rows);
    if (delay >= 0) {
      waiting.add(new Due(rows + delay, delivery.id(), delivery.minutes()));
    }
    int sent = sendLabels(rows);
    rows++;
    return sent;
  }

  /** Sends the labels that are still due, whenever that is, and waits until all is sent. */
  void finish() {
    sendLabels(Long.MAX_VALUE);
    sender.flush();
  }

  long rows() {
    return rows;
  }

  long labelsSent() {
    return labelsSent;
  }

  @CanIgnoreReturnValue
  private int sendLabels(long row) {
    int sent = 0;
    for (Due due = waiting.peek(); due != null && due.row() <= row; due = waiting.peek()) {
      waiting.remove();
      Label label =
          Label.newBuilder().setLabel(due.label()).setEnvironment(null).setWeight(null).build();
      sender.send(topics.labels(), due.key(), labels.encode(label), time.millis());
      sent++;
    }
    labelsSent += sent;
    return sent;
  }

  static byte[] encode(Delivery delivery, long placedAt) {
    GenericData.Record record = new GenericData.Record(SCHEMA);
    record.put("id", delivery.id());
    record.put("placedAt", placedAt);
    record.put("city", delivery.city());
    record.put("distanceKm", delivery.distanceKm());
    record.put("items", delivery.items());
    record.put("hour", delivery.hour());
    Schema vehicle = SCHEMA.getField("vehicle").schema();
    record.put("vehicle", new GenericData.EnumSymbol(vehicle, delivery.vehicle()));
    record.put("rainMm", delivery.rainMm());
    record.put("openOrders", delivery.openOrders());
    return RECORDS.encode(record);
  }
}
