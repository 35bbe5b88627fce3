package io.holdfast.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.runtime.Trainer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Heads that are changed while a trainer publishes: none is lost, and none is of nothing. */
class ConcurrentHeadsIT extends TrainersOnABroker {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int CHANGES = 12;

  @Test
  void heads_changedByTwoWhileATrainerPublishes_areAllInTheHistory() throws Exception {
    ExampleTopic topic = new ExampleTopic(folder, broker.bootstrapServers(), "raced");
    topic.produce(300);
    List<ModelHead> accepted = new ArrayList<>();
    try (Trainer trainer = Trainer.start(topic.settings());
        ExecutorService writers = Executors.newFixedThreadPool(2)) {
      await().atMost(LIMIT).until(() -> topic.published().size() >= 2);
      List<Future<List<ModelHead>>> running =
          List.of(writers.submit(changes(topic, 1)), writers.submit(changes(topic, 2)));
      while (running.stream().anyMatch(writer -> !writer.isDone())) {
        topic.produce(100); // each makes the trainer publish while heads are changed
      }
      for (Future<List<ModelHead>> writer : running) {
        accepted.addAll(writer.get());
      }
      topic.produce(300);
      int heads = topic.ledger().history("raced").size();
      await().atMost(LIMIT).until(() -> topic.ledger().history("raced").size() > heads);
      assertThat(trainer.url()).isNotNull();
    }

    assertThat(topic.audit().violations()).isEmpty();
    assertThat(accepted).isNotEmpty();
    List<ModelHead> history = topic.ledger().history("raced");
    assertThat(history).containsAll(accepted);
    for (int i = 0; i < history.size(); i++) {
      assertThat(history.get(i).getSequence()).isEqualTo(i + 1);
    }
    assertThat(history).extracting(ModelHead::getBy).contains("trainer", "writer 1", "writer 2");
  }

  @Test
  void ensembleOfFiftyMegabytes_isPublishedAndRead() throws Exception {
    ExampleTopic topic = new ExampleTopic(folder, broker.bootstrapServers(), "large");
    topic.produce(150);
    try (Trainer _ = Trainer.start(topic.settings())) {
      await().atMost(LIMIT).until(() -> !topic.published().isEmpty());
    }

    ModelHead head =
        HeadWriter.write(
            topic.settings(),
            "large",
            ledger -> {
              LedgerVersion tip = ledger.tip("large").orElseThrow();
              Model model = tip.model().plus(new Segment(trees(2_200)));
              LedgerCodec.Encoded encoded = LedgerCodec.encode(draft(tip, model));
              return new HeadWriter.Change(encoded.records(), imported(ledger, encoded.version()));
            });

    Ledger read = topic.ledger();
    LedgerVersion serving = read.serving("large").orElseThrow();
    assertThat(serving.number()).isEqualTo(head.getVersion());
    assertThat(serving.model().trees()).isGreaterThan(2_200);
    assertThat(topic.audit().violations()).isEmpty();
  }

  private static ModelHead imported(Ledger ledger, LedgerVersion version) throws LedgerException {
    return HeadRules.next(
        ledger.head("large").orElseThrow(),
        new HeadChange.Imported(version.number(), version.hash()),
        ledger.versionsOf("large"),
        Gate.ALWAYS,
        new HeadRules.Author("ada", "a large one", Instant.EPOCH));
  }

  private static LedgerCodec.Draft draft(LedgerVersion tip, Model model) {
    return new LedgerCodec.Draft(
        "large",
        tip.number() + 1,
        tip,
        model,
        1,
        List.of(),
        List.of(),
        List.of(),
        1,
        "{}",
        Map.of(),
        "test");
  }

  private static List<Tree> trees(int count) {
    List<Tree> trees = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      trees.add(tree(1_000, i));
    }
    return trees;
  }

  /** A tree that tests {@code x} against ever larger thresholds; its leaves score nothing. */
  private static Tree tree(int leaves, int number) {
    int nodes = leaves - 1;
    double[] thresholds = new double[nodes];
    int[] left = new int[nodes];
    int[] right = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      // A heap: shallow, however many leaves there are.
      left[node] = 2 * node + 1 < nodes ? 2 * node + 1 : -1 - (2 * node + 1 - nodes);
      right[node] = 2 * node + 2 < nodes ? 2 * node + 2 : -1 - (2 * node + 2 - nodes);
      thresholds[node] = node + number / 4_096.0; // so that no two trees are the same
    }
    return new Tree(
        new int[nodes],
        thresholds,
        new boolean[nodes],
        new long[nodes][0],
        left,
        right,
        new double[leaves]);
  }

  private static Callable<List<ModelHead>> changes(ExampleTopic topic, int writer) {
    return () -> {
      var random = new SplittableRandom(writer);
      List<ModelHead> accepted = new ArrayList<>();
      for (int i = 0; i < CHANGES; i++) {
        List<ModelManifest> versions = topic.ledger().versions("raced");
        long version = versions.get(random.nextInt(versions.size())).getVersion();
        HeadChange change =
            switch (random.nextInt(5)) {
              case 0 -> new HeadChange.RolledBack(version);
              case 1 -> new HeadChange.Pinned(version);
              case 2 -> new HeadChange.Unpinned();
              case 3 -> new HeadChange.Shadowed(version);
              default -> new HeadChange.Promoted(version);
            };
        try {
          accepted.add(
              HeadWriter.apply(
                      topic.settings(), "raced", change, "writer " + writer, "race " + i, false)
                  .after());
        } catch (LedgerException e) {
          assertThat(e.reason()).isIn(Reason.REFUSED, Reason.MISSING_MANIFEST);
          if (e.reason() == Reason.MISSING_MANIFEST) {
            // The oldest versions are tidied away while the trainer publishes.
            assertThat(topic.ledger().versions("raced"))
                .extracting(ModelManifest::getVersion)
                .doesNotContain(version);
          }
        }
      }
      return accepted;
    };
  }
}
