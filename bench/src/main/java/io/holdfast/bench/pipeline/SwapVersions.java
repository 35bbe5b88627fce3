package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.data.GeneratedRows;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.schemas.avro.HeadReason;
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
  private static final int ROWS = 10_000;
  private static final int DISTINCT = 8;

  private final String model;
  private final List<Feature> features = GeneratedRows.features(WideRecords.FEATURES);
  private final LedgerCodec.Encoded first;
  private final List<Model> later = new ArrayList<>();

  /** Trains them: {@code trees} that all have, and {@code appended} trees a version. */
  SwapVersions(String model, int trees, int appended) {
    this.model = model;
    Model base =
        new Booster(settings(trees))
            .extend(
                Booster.untrained(settings(trees), features),
                features,
                GeneratedRows.of(ROWS, WideRecords.FEATURES, 4, false, 1),
                FitListener.NONE)
            .model();
    first = encode(0, null, base);
    for (int seed = 2; seed < 2 + DISTINCT; seed++) {
      later.add(
          new Booster(settings(appended))
              .extend(
                  first.version().model(), // whose segments are as they were published
                  features,
                  GeneratedRows.of(1_000, WideRecords.FEATURES, 4, false, seed),
                  FitListener.NONE)
              .model());
    }
  }

  private static BoosterSettings settings(int rounds) {
    return BoosterSettings.builder(Objective.named("squared"))
        .gamma(1)
        .rounds(rounds)
        .learningRate(0.1)
        .trees(new TreeLimits(31, 64, 20, 1e-3, 0))
        .penalties(Penalties.ridge(0))
        .maxBins(255)
        .seed(1)
        .build();
  }

  private LedgerCodec.Encoded encode(long number, @Nullable LedgerVersion parent, Model trained) {
    return LedgerCodec.encode(
        new LedgerCodec.Draft(
            model, number, parent, trained, 1, List.of(), List.of(), List.of(), 1, "{}", Map.of(),
            "bench"));
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
      commit(records(first));
    }

    long newest() {
      return newest.number();
    }

    /** Publishes the next version; {@code System.nanoTime()} when its commit was asked for. */
    long publish() {
      long number = newest.number() + 1;
      LedgerCodec.Encoded next = encode(number, newest, later.get((int) (number % later.size())));
      long committed = commit(records(next));
      newest = next.version();
      return committed;
    }

    /** How many bytes the next version's records have. */
    long bytes() {
      long bytes = 0;
      for (LedgerRecord record : records(encode(newest.number() + 1, newest, later.getFirst()))) {
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

    private long commit(List<LedgerRecord> records) {
      producer.beginTransaction();
      for (LedgerRecord record : records) {
        var _ =
            producer.send(
                new ProducerRecord<>(
                    topic, record.key().toString().getBytes(UTF_8), record.value()));
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

  Chain chain(Workbench bench, String topic) {
    return new Chain(bench, topic);
  }
}
