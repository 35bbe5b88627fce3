package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.data.GeneratedRows;
import io.holdfast.bench.data.SampleModels;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Versions of an ensemble that are all as large: the same trees, and behind them a few of the
 * version's own. Owned by one thread.
 */
final class SwapVersions {
  private static final int DISTINCT = 8;

  private final String model;
  private final LedgerCodec.Encoded first;
  private final List<Model> later = new ArrayList<>();

  /** Trains them: {@code trees} that all have, and {@code appended} trees a version. */
  SwapVersions(String model, int trees, int appended) {
    this.model = model;
    first = encode(model, 0, null, SampleModels.trained(trees, 10_000, WideRecords.FEATURES));
    List<Feature> features = GeneratedRows.features(WideRecords.FEATURES);
    var booster = new Booster(SampleModels.settings(Objective.named("squared"), appended).build());
    for (int seed = 2; seed < 2 + DISTINCT; seed++) {
      later.add(
          booster
              .extend(
                  first.version().model(), // whose segments are as they were published
                  features,
                  GeneratedRows.of(1_000, WideRecords.FEATURES, 4, false, seed),
                  FitListener.NONE)
              .model());
    }
  }

  static LedgerCodec.Encoded encode(
      String model, long number, @Nullable LedgerVersion parent, Model trained) {
    return encode(model, number, parent, trained, null);
  }

  static LedgerCodec.Encoded encode(
      String model,
      long number,
      @Nullable LedgerVersion parent,
      Model trained,
      @Nullable Uncertainty uncertainty) {
    var extras =
        new LedgerCodec.Extras(List.of(), 0, List.of(), null, Kept.NONE, uncertainty, null);
    return LedgerCodec.encode(
        new LedgerCodec.Draft(
            model, number, parent, trained, 1, List.of(), List.of(), List.of(), 1, "{}", Map.of(),
            "bench", extras));
  }

  /** A chain of them on one model topic. Owned by one thread. */
  final class Chain implements AutoCloseable {
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private LedgerVersion newest = first.version();

    /** Publishes the first version. */
    Chain(Workbench bench, String topic) {
      this.topic = topic;
      this.producer = bench.producer(Map.of("transactional.id", "swap-" + topic, "linger.ms", 0));
      producer.initTransactions();
      commit(first);
    }

    long newest() {
      return newest.number();
    }

    private LedgerCodec.Encoded next() {
      long number = newest.number() + 1;
      return encode(model, number, newest, later.get((int) (number % later.size())));
    }

    /** Publishes the next version; {@code System.nanoTime()} when its commit was asked for. */
    long publish() {
      LedgerCodec.Encoded next = next();
      long committed = commit(next);
      newest = next.version();
      return committed;
    }

    /** How many bytes the next version's records have. */
    int bytes() {
      int bytes = 0;
      for (LedgerRecord record : records(next())) {
        byte[] value = record.value();
        bytes += value == null ? 0 : value.length;
      }
      return bytes;
    }

    private static List<LedgerRecord> records(LedgerCodec.Encoded encoded) {
      List<LedgerRecord> records = new ArrayList<>(encoded.records());
      records.add(
          LedgerCodec.encode(
              LedgerCodec.head(encoded.version(), HeadReason.TRAINED, "bench", "", Instant.EPOCH)));
      return records;
    }

    private long commit(LedgerCodec.Encoded encoded) {
      producer.beginTransaction();
      for (LedgerRecord record : records(encoded)) {
        byte[] key = record.key().toString().getBytes(UTF_8);
        var _ = producer.send(new ProducerRecord<>(topic, key, record.value()));
      }
      producer.flush(); // the commit is what is timed, not what is committed
      long start = System.nanoTime();
      producer.commitTransaction();
      return start;
    }

    @Override
    public void close() {
      producer.close();
    }
  }
}
