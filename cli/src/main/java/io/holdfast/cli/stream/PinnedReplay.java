package io.holdfast.cli.stream;

import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.framing.ContractFraming;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.TopicFramings;
import io.holdfast.schemas.log.PartitionLog;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.correlate.CorrelationId;
import io.holdfast.service.correlate.IdText;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.score.RecordScorer;
import io.holdfast.service.score.ScoreEncoder;
import io.holdfast.service.score.UncertaintyEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Scores records again, each by the very version that its score names by number and hash, and
 * compares the bytes: a score is a function of the record's bytes and that hash, and of nothing
 * else. Owned by one thread.
 */
public final class PinnedReplay {
  private static final int MODELS_HELD = 32;
  private static final int DIFFERENCES_KEPT = 10;

  private final Map<String, String> kafka;
  private final ModelSettings model;
  private final ModelTopic topic;
  private final RecordFraming framing;
  private final RecordScorer scorer = new RecordScorer();
  private final ScoreEncoder encoder;
  private final UncertaintyEncoder uncertainty = new UncertaintyEncoder();
  private final CorrelationId ids;
  private final Map<Digest, ActiveModel> models =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Digest, ActiveModel> eldest) {
          return size() > MODELS_HELD;
        }
      };

  private final TreeMap<Long, Long> identical = new TreeMap<>();
  private final TreeMap<Long, Long> versionGone = new TreeMap<>();
  private final List<String> differences = new ArrayList<>();
  private long differing;
  private long recordGone;

  /**
   * How many scores, by version, came out the same or have no version on the topic any more; how
   * many differ or have no record any more; and a sentence for each of the first that differ.
   */
  public record Result(
      Map<Long, Long> identical,
      long differing,
      long recordGone,
      Map<Long, Long> versionGone,
      List<String> differences) {

    public long same() {
      return identical.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** A range of times in milliseconds since 1970; the end is exclusive. */
  public record Span(long fromMillis, long toMillis) {
    boolean has(long millis) {
      return millis >= fromMillis && millis < toMillis;
    }
  }

  public PinnedReplay(
      Map<String, String> kafka, ModelSettings model, ModelTopic topic, TopicFramings framings) {
    this.kafka = kafka;
    this.model = model;
    this.topic = topic;
    this.framing = framings.records(model);
    this.encoder =
        new ScoreEncoder(
            ContractFraming.single(Contracts.SCORE.schema()), model.topics().records());
    this.ids = CorrelationId.ofRecords(model);
  }

  /** Replays every score of a topic with so many partitions whose record is of that time. */
  public Result run(String scores, int partitions, Span span, Runnable step) {
    for (int partition = 0; partition < partitions; partition++) {
      try (var given = new PartitionLog(kafka, scores, partition);
          var records = new PartitionLog(kafka, model.topics().records(), partition)) {
        if (span.fromMillis() > 0) {
          given.seekToTime(span.fromMillis());
        }
        for (var score = given.next(); score != null; score = given.next()) {
          if (span.has(score.timestamp())) {
            replay(score, records);
            step.run();
          }
        }
      }
    }
    return new Result(
        new TreeMap<>(identical),
        differing,
        recordGone,
        new TreeMap<>(versionGone),
        List.copyOf(differences));
  }

  private void replay(ConsumerRecord<byte[], byte[]> given, PartitionLog records) {
    String place = given.topic() + "-" + given.partition() + "@" + given.offset();
    Score score;
    try {
      score = Contracts.SCORE.decode(given.value());
    } catch (MalformedRecordException e) {
      differs(Sentence.of("%s is no score: %s", place, e.getMessage()));
      return;
    }
    if (!score.getModel().equals(model.name())
        || !score.getSourceTopic().equals(model.topics().records())
        || score.getSourcePartition() != given.partition()) {
      differs(
          Sentence.of(
              "%s is a score of model %s for %s-%d, not of %s for this partition of %s",
              place,
              score.getModel(),
              score.getSourceTopic(),
              score.getSourcePartition(),
              model.name(),
              model.topics().records()));
      return;
    }
    ConsumerRecord<byte[], byte[]> record = records.at(score.getSourceOffset());
    if (record == null || record.value() == null) {
      recordGone++; // one without a value has no score: what was there was deleted since
      return;
    }
    ActiveModel version = version(score);
    if (version == null) {
      versionGone.merge(score.getVersion(), 1L, Long::sum);
      return;
    }
    compare(place, given.value(), score, version, record);
  }

  private void compare(
      String place,
      byte[] given,
      Score score,
      ActiveModel version,
      ConsumerRecord<byte[], byte[]> record) {
    try {
      byte[] value = record.value();
      Framing.Frame frame = framing.open(value, record.headers());
      byte[] bytes = frame.bytes(value);
      double[] raw = scorer.score(version, frame.schema(), bytes, frame.bodyOffset());
      uncertainty.write(version, raw, scorer.spread(), frame.schema(), bytes, frame.bodyOffset());
      byte[] again =
          encoder.encode(
              version,
              raw,
              score.getSourcePartition(),
              score.getSourceOffset(),
              Contracts.SCORE.knows("id", given) ? IdText.of(id(record, frame)) : null,
              uncertainty);
      if (Arrays.equals(again, Contracts.SCORE.encode(score))) {
        identical.merge(score.getVersion(), 1L, Long::sum);
      } else {
        differs(
            Sentence.of(
                "%s: version %d (%s) gives raw scores %s, and it says %s",
                place,
                score.getVersion(),
                version.version().hash().hex().substring(0, 12),
                Arrays.toString(raw),
                score.getRawScores()));
      }
    } catch (MalformedRecordException e) {
      differs(
          Sentence.of(
              "%s: its record at offset %d cannot be scored: %s",
              place, score.getSourceOffset(), e.getMessage()));
    }
  }

  private byte @Nullable [] id(ConsumerRecord<byte[], byte[]> record, Framing.Frame frame) {
    try {
      return ids.of(record.key(), record.headers(), frame, record.value());
    } catch (MalformedRecordException e) {
      return null; // of a type that names nothing, as when it was scored
    }
  }

  /** The version of exactly that hash; null if the topic does not hold it. */
  private @Nullable ActiveModel version(Score score) {
    Digest hash = Digest.fromBytes(score.getModelHash().bytes());
    ActiveModel known = models.get(hash);
    if (known == null) {
      try {
        LedgerVersion version = topic.ledger().version(model.name(), score.getVersion());
        if (!version.hash().equals(hash)) {
          return null;
        }
        known = new ActiveModel(version);
        models.put(hash, known);
      } catch (LedgerException e) {
        return null;
      }
    }
    return known;
  }

  private void differs(String sentence) {
    differing++;
    if (differences.size() < DIFFERENCES_KEPT) {
      differences.add(sentence);
    }
  }
}
