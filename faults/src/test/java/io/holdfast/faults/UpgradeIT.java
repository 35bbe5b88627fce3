package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.faults.Deployment.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An older build and this one on the same topics, with the same state directories, under traffic:
 * upgraded and downgraded, scorers or trainers first, one process at a time. Needs {@code
 * -Dholdfast.previous=FOLDER}, where that build was built.
 */
class UpgradeIT {
  private static final long SEED = Long.getLong("holdfast.faults.seed", 1);

  /** Rows that go through while builds are mixed. */
  private static final int MIXED = 200;

  private static final int LABEL_DELAY = 20;

  private static final Shape SHAPE = new Shape(1, 2, 2, 1, SEED);
  private static final String UNREAD = "no ModelManifest that this version of Holdfast knows";

  private final List<Double> seconds = new ArrayList<>();

  @Test
  void builds_takeTurns_andNothingIsLostDoubledOrWrong(@TempDir Path folder) {
    Build before = previous();
    Build now = Build.current();
    try (Deployment at = new Deployment(folder, SHAPE, "", before)) {
      change(at, "upgrade, scorers first", () -> scorers(at, now), () -> trainers(at, now));
      change(at, "downgrade, scorers first", () -> scorers(at, before), () -> trainers(at, before));
      change(at, "upgrade, trainers first", () -> trainers(at, now), () -> scorers(at, now));
      change(
          at, "downgrade, trainers first", () -> trainers(at, before), () -> scorers(at, before));
    }
  }

  /** Uncertainty came after the older build, which this needs to be true of. */
  @Test
  void versionsThatTheOlderCannotRead_areSaid_andItGoesOnWithTheOneBefore(@TempDir Path folder) {
    Build before = previous();
    try (Deployment at = new Deployment(folder, SHAPE, "", before)) {
      long records = at.records();
      seconds.clear();
      at.sayOfModels("uncertainty: { coverage: 0.9 }");
      trainers(at, Build.current());
      at.until(() -> at.scorers().node(0).log().contains(UNREAD));
      at.awaitSent(MIXED);
      at.awaitOutcomes();
      at.awaitNextVersions();
      assertThat(at.scorers().node(1).log()).contains(UNREAD);
      scorers(at, Build.current());
      assertThat(at.scorers().node(0).log()).doesNotContain(UNREAD);
      at.conclude(
          "versions that an older scorer cannot read, until it is replaced",
          1,
          records,
          seconds,
          "UpgradeIT");
    }
  }

  private static Build previous() {
    String previous = System.getProperty("holdfast.previous");
    assumeTrue(
        previous != null,
        "there is no older build: build one and name its folder by -Dholdfast.previous=FOLDER");
    return Build.of(Path.of(previous));
  }

  private void change(Deployment at, String name, Runnable first, Runnable second) {
    long before = at.records();
    seconds.clear();
    first.run();
    at.awaitNextVersions();
    second.run();
    at.awaitNextVersions();
    at.pauseUntilDrained();
    long labelled = at.feed().rows() - LABEL_DELAY;
    assertThat(CommittedRecords.of(at.brokers().directServers(), "m0.examples", (int) labelled))
        .as("labels that found their record")
        .hasSize((int) labelled);
    at.conclude(name + ", a process at a time", seconds.size(), before, seconds, "UpgradeIT");
  }

  private void scorers(Deployment at, Build build) {
    at.scorersOf(build);
    replace(at, at.scorers());
  }

  private void trainers(Deployment at, Build build) {
    at.trainersOf(build);
    replace(at, at.trainers());
  }

  /** One after the other, so that both builds run beside each other. */
  private void replace(Deployment at, Fleet fleet) {
    for (int which = 0; which < fleet.size(); which++) {
      long begin = System.nanoTime();
      fleet.end(which, Node::stop);
      fleet.begin(which);
      fleet.awaitStarted();
      at.awaitOutcomes();
      seconds.add((System.nanoTime() - begin) / 1e9);
      at.awaitSent(MIXED);
      at.awaitOutcomes();
    }
  }
}
