package io.holdfast.service.score;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.ModelSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;

/**
 * Scores what a poll brought in one block, before Kafka Streams hands it out record by record: many
 * rows together cost a fraction of what they cost one by one. Thread-safe; what it keeps belongs to
 * the stream thread that polled.
 *
 * <p>It only works ahead. A processor that finds no score here scores the record itself; so what
 * becomes of a record, in which order and in which transaction, does not depend on it.
 *
 * <p>A score that waits here when another version begins to serve goes out as it is, and names the
 * version that it is of. To score those records again would hold them up at each swap, by far more
 * than they waited: a version scores from the first poll after its swap on.
 */
public final class ScoreAhead {
  /*
   * Fewer records than MIN_BLOCK gain nothing. A stream thread polls and processes in turn, so what
   * is kept is touched by it alone, and a consumer's interceptor, which runs inside poll, is the
   * place where a whole poll is seen. An error there is logged by Kafka and costs the block only.
   */
  static final String SETTING = "holdfast.score.ahead";
  static final int MIN_BLOCK = 16;
  static final int MAX_BLOCK = 1_024;

  private final RecordFraming framing;
  private final ModelSource active;
  private final @Nullable Intake intake;
  private final Map<String, List<Target>> targets = new HashMap<>(); // by topic of records

  @SuppressWarnings("ThreadLocalUsage") // of this service's stream threads alone
  private final ThreadLocal<Polled> polled = ThreadLocal.withInitial(Polled::new);

  private record Target(String model, ScoreMeters meters) {}

  /** Works ahead on what {@code intake} lets through; on all that is polled if it is null. */
  public ScoreAhead(
      Collection<ModelSettings> models,
      RecordFraming framing,
      ModelSource active,
      MeterRegistry meters,
      @Nullable Intake intake) {
    this.intake = intake;
    this.framing = framing;
    this.active = active;
    for (ModelSettings model : models) {
      targets
          .computeIfAbsent(model.topics().records(), topic -> new ArrayList<>())
          .add(new Target(model.name(), new ScoreMeters(meters, model.name())));
    }
  }

  /** Adds to a stream application's properties what makes it score ahead. */
  public void addTo(Properties properties) {
    String interceptors =
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    Object present =
        properties.getOrDefault(
            interceptors, properties.getOrDefault(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, ""));
    String ours = Interceptor.class.getName();
    properties.put(interceptors, present.toString().isBlank() ? ours : present + "," + ours);
    properties.put(StreamsConfig.mainConsumerPrefix(SETTING), this);
  }

  /** A processor has been given a partition, of whose records it has processed none. */
  void onAssigned() {
    if (intake != null) {
      intake.onAssigned();
    }
  }

  /** The scores kept for a model and a partition of its records, on this thread. */
  PolledScores of(String model, int partition, int outputs) {
    return polled.get().of(model, partition, outputs);
  }

  /** Scores all that a poll brought, of models that have a version. */
  void score(ConsumerRecords<byte[], byte[]> records) {
    boolean waits = !records.isEmpty() && intake != null && !intake.onPolled();
    if (waits || records.count() < MIN_BLOCK) {
      return;
    }
    for (TopicPartition partition : records.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> ofPartition = ready(records.records(partition));
      if (ofPartition.size() < MIN_BLOCK) {
        continue;
      }
      for (Target target : targets.getOrDefault(partition.topic(), List.of())) {
        ActiveModel model = active.active(target.model());
        if (model != null) {
          score(target, model, partition.partition(), ofPartition);
        }
      }
    }
  }

  /** Those before the first whose schema is being looked up: what is behind it waits too. */
  private List<ConsumerRecord<byte[], byte[]>> ready(List<ConsumerRecord<byte[], byte[]>> records) {
    return framing.waits()
        ? records.stream()
            .takeWhile(record -> framing.ready(record.value(), record.headers()))
            .toList()
        : records;
  }

  private void score(
      Target target,
      ActiveModel model,
      int partition,
      List<ConsumerRecord<byte[], byte[]>> records) {
    Polled mine = polled.get();
    PolledScores kept = mine.of(target.model(), partition, model.scorer().outputs());
    for (int from = 0; from < records.size(); from += MAX_BLOCK) {
      int to = Math.min(from + MAX_BLOCK, records.size());
      long start = System.nanoTime();
      int rows = mine.block.score(model, framing, records.subList(from, to), kept);
      target.meters().clipped(mine.block.clipped());
      if (rows > 0) {
        target.meters().timed((System.nanoTime() - start) / rows);
      }
    }
  }

  /** Shows every poll to {@link ScoreAhead}. Made by Kafka, one a consumer. */
  public static final class Interceptor implements ConsumerInterceptor<byte[], byte[]> {
    private @Nullable ScoreAhead ahead;

    @Override
    public void configure(Map<String, ?> settings) {
      ahead = (ScoreAhead) settings.get(SETTING);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
      if (ahead != null) {
        ahead.score(records);
      }
      return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}
  }

  /** What one stream thread holds. */
  private static final class Polled {
    private final Map<String, Map<Integer, PolledScores>> scores = new HashMap<>();
    private final RecordBlock block = new RecordBlock();

    PolledScores of(String model, int partition, int outputs) {
      Map<Integer, PolledScores> ofModel = scores.computeIfAbsent(model, name -> new HashMap<>());
      PolledScores known = ofModel.get(partition);
      if (known == null || known.outputs() != outputs) {
        known = new PolledScores(outputs);
        ofModel.put(partition, known);
      }
      return known;
    }
  }
}
