package io.holdfast.service.route;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The record's own timestamp; for a record without one, the newest of its partition. Kafka Streams'
 * extractors stop on such a record or leave it out, and every record must have an outcome.
 */
public final class RecordTime implements TimestampExtractor {
  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return record.timestamp() >= 0 ? record.timestamp() : Math.max(partitionTime, 0);
  }
}
