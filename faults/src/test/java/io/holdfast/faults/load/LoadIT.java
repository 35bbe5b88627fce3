package io.holdfast.faults.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.faults.Deployment;
import io.holdfast.faults.Deployment.Shape;
import io.holdfast.faults.Scale;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Records come faster than they can be scored, or for long; long runs alone. */
@EnabledIf("large")
class LoadIT {
  private static final long SEED = Long.getLong("holdfast.faults.seed", 1);
  private static final int FLOOD = 1_000_000;
  private static final int SAMPLES = 8;

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private Deployment at;

  static boolean large() {
    return Scale.large();
  }

  @BeforeEach
  void start() {
    at = new Deployment(folder, new Shape(1, 1, 1, 1, SEED));
  }

  @AfterEach
  void stop() {
    at.close();
  }

  @Test
  void twiceWhatCanBeScored_isMadeUpFor_withoutMoreMemory() throws Exception {
    long before = at.records();
    int sustained = sustained();
    at.awaitDrained();
    Footprint first = Footprint.of(at);
    long usual = waiting();
    int seconds = Scale.of(600);
    at.feed().pace(2 * sustained);
    pause(seconds);
    at.feed().pace(Math.max(1, sustained / 4));
    long over = System.nanoTime();
    await("the lag")
        .atMost(Duration.ofSeconds(300 + 5L * seconds))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> at.feed().acknowledged() - at.watch().outcomes() < sustained);
    double drained = (System.nanoTime() - over) / 1e9;
    at.feed().pace(60);
    at.awaitNextVersions();
    at.awaitDrained();
    Footprint last = Footprint.of(at);
    assertThat(last).as("%s", first).matches(first::holds);
    assertThat(waiting()).isLessThanOrEqualTo(2 * usual + 60); // a second's records more
    at.conclude(
        "twice the records that can be scored, for " + seconds + " s",
        1,
        before,
        List.of(drained),
        "LoadIT");
  }

  @Test
  void trainerThatStands_slowsNoScorer() {
    long before = at.records();
    at.feed().pace(500);
    long usual = waiting();
    at.trainers().node(0).freeze(); // slower than any
    int seconds = Scale.of(120);
    pause(seconds);
    assertThat(waiting()).isLessThanOrEqualTo(2 * usual + 500); // a second's records more
    at.trainers().node(0).thaw();
    double next = at.awaitNextVersions();
    at.conclude(
        "a trainer stopped for " + seconds + " s, then woken", 1, before, List.of(next), "LoadIT");
  }

  /** Records that wait for their score, in nine of ten looks at most. */
  private long waiting() {
    long[] looks = new long[100];
    for (int look = 0; look < looks.length; look++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      looks[look] = at.feed().acknowledged() - at.watch().outcomes();
    }
    Arrays.sort(looks);
    return looks[looks.length * 9 / 10];
  }

  /** Records that are scored a second when there are more than enough. */
  private int sustained() {
    at.feed().pace(FLOOD);
    pause(10); // compiled code
    long from = at.watch().outcomes();
    pause(10);
    int sustained = (int) ((at.watch().outcomes() - from) / 10);
    at.feed().pace(60);
    return sustained;
  }

  @Test
  void versionsEveryFewSeconds_leaveNothingBehind() throws Exception {
    long before = at.records();
    at.feed().pace(120);
    at.awaitVersions(10);
    List<Footprint> all = new ArrayList<>();
    for (int sample = 0; sample < SAMPLES; sample++) {
      pause(Math.max(5, Scale.of(3_600) / SAMPLES));
      all.add(Footprint.of(at));
    }
    assertThat(all.getLast()).as("%s", all).matches(all.get(1)::holds);
    long versions = at.watch().versions("m0");
    at.conclude("a soak of " + versions + " versions", 1, before, List.of(), "LoadIT");
  }

  private static void pause(int seconds) {
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(seconds));
  }
}
