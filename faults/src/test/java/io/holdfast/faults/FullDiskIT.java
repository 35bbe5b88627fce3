package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.faults.Deployment.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk of the join's state or of the broker is full, can only be read, or fails: what needs no
 * disk goes on, what does says so, and goes on by itself when it can. Needs the right to mount.
 */
@EnabledIf("large")
class FullDiskIT {
  private static final long SEED = Long.getLong("holdfast.faults.seed", 1);

  @TempDir Path folder;
  private final Answers answers = new Answers();

  static boolean large() {
    return Scale.large();
  }

  @Test
  void disksOfAJoin_areMissedByTheJoinAlone() {
    assumeTrue(SmallDisk.possible(folder.resolve("small")), "needs the right to mount");
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("state-0"), 96);
        var at = new Deployment(folder, new Shape(1, 1, 1, 1, SEED))) {
      befall(at, "the disk of a scorer's state full", disk::fill, disk::empty);
      befall(at, "the disk of a scorer's state read-only", disk::lock, disk::unlock);
      Node scorer = at.scorers().node(0);
      befall(at, "I/O errors of a scorer's disk", scorer::denyWrites, scorer::allowWrites);
    }
  }

  private void befall(Deployment at, String fault, Runnable begin, Runnable end) {
    long before = at.records();
    List<Double> seconds = new ArrayList<>();
    int times = Scale.of(10);
    for (int time = 0; time < times; time++) {
      begin.run();
      // Now and then the join is tried again, and runs until it must write.
      at.until(() -> says(at, "joining", 503, "its state below"));
      at.until(() -> says(at, "readiness", 200, "DEGRADED"));
      at.awaitSent(100);
      at.awaitOutcomes();
      for (String part : List.of("scoring", "rest", "liveness")) {
        assertThat(get(at, part)).as("%s, %s", fault, part).matches(Answers.Answer::up);
      }
      long over = System.nanoTime();
      end.run();
      at.until(() -> up(at, "joining"));
      at.awaitNextVersions();
      seconds.add((System.nanoTime() - over) / 1e9);
    }
    at.conclude(fault, times, before, seconds, "FullDiskIT");
  }

  @Test
  void diskOfTheBroker_stopsScoringFromTopics_andLosesNothing() {
    assumeTrue(SmallDisk.possible(folder.resolve("small")), "needs the right to mount");
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("broker-0"), 400);
        var at = new Deployment(folder, new Shape(1, 1, 1, 1, SEED))) {
      befallBroker(at, "the disk of the broker full", disk::fill, disk::empty);
      // Its successor has no such limit.
      befallBroker(at, "I/O errors of the broker's disk", () -> broker(at).denyWrites(), () -> {});
    }
  }

  private static Node broker(Deployment at) {
    return at.brokers().node(0);
  }

  private void befallBroker(Deployment at, String fault, Runnable begin, Runnable end) {
    long before = at.records();
    List<Double> seconds = new ArrayList<>();
    int times = Scale.of(10);
    for (int time = 0; time < times; time++) {
      begin.run();
      at.until(() -> !broker(at).alive());
      at.until(() -> !up(at, "scoring"));
      assertThat(get(at, "rest")).matches(Answers.Answer::up);
      assertThat(get(at, "liveness")).matches(Answers.Answer::up);
      end.run();
      long over = System.nanoTime();
      at.brokers().restartEnded();
      at.awaitOutcomes();
      at.until(() -> up(at, "scoring") && up(at, "joining"));
      seconds.add((System.nanoTime() - over) / 1e9);
    }
    at.conclude(fault, times, before, seconds, "FullDiskIT");
  }

  private boolean says(Deployment at, String part, int status, String text) {
    Answers.Answer answer = get(at, part);
    return answer.status() == status && answer.body().contains(text);
  }

  private boolean up(Deployment at, String part) {
    return get(at, part).up();
  }

  private Answers.Answer get(Deployment at, String part) {
    return answers.get(at.scorers().node(0), "/health/" + part);
  }
}
