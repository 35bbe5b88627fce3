package io.holdfast.cli.stream;

import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Counts the committed outcomes of a model's records, from the first on. Owned by one thread. */
public final class OutcomeCounter implements AutoCloseable {
  private final TopicTail tail;
  private final ModelTopics topics;
  private final ContractCodec<Score> scores = Contracts.SCORE;
  private final Map<Integer, BitSet> scoredOffsets = new TreeMap<>();
  private final Map<String, Long> deadLetters = new TreeMap<>();
  private long scored;
  private long repeated;

  public OutcomeCounter(Map<String, String> kafka, ModelTopics topics) {
    this.topics = topics;
    tail = TopicTail.fromBeginning(kafka, topics.scores(), topics.deadLetters());
  }

  /** Takes in what was committed since; waits for something no longer than {@code limit}. */
  public void poll(Duration limit) {
    for (ConsumerRecord<byte[], byte[]> record : tail.poll(limit)) {
      if (record.topic().equals(topics.deadLetters())) {
        if (record.headers().lastHeader(DeadLetterMessage.REDRIVEN) != null) {
          continue;
        }
        Header reason = record.headers().lastHeader(DeadLetterMessage.REASON);
        String name =
            reason == null ? "UNKNOWN" : new String(reason.value(), StandardCharsets.UTF_8);
        deadLetters.merge(name, 1L, Long::sum);
      } else {
        score(record);
      }
    }
  }

  private void score(ConsumerRecord<byte[], byte[]> record) {
    try {
      Score score = scores.decode(record.value());
      BitSet offsets = scoredOffsets.computeIfAbsent(score.getSourcePartition(), p -> new BitSet());
      int offset = Math.toIntExact(score.getSourceOffset());
      if (offsets.get(offset)) {
        repeated++;
      } else {
        offsets.set(offset);
        scored++;
      }
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("a score on " + record.topic() + " is no score", e);
    }
  }

  public long scored() {
    return scored;
  }

  /** Scores of records that had one already: 0, if the promise of exactly one is kept. */
  public long repeated() {
    return repeated;
  }

  public Map<String, Long> deadLetters() {
    return new TreeMap<>(deadLetters);
  }

  @Override
  public void close() {
    tail.close();
  }
}
