package io.holdfast.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.cli.trainer.DisturbedTrainer;
import io.holdfast.faults.Deployment.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each fault, one after the other, on one deployment under traffic: nothing is lost, doubled or
 * wrong, and all goes on by itself. {@code -Dholdfast.faults.seed=N} draws other moments; {@code
 * -Dholdfast.faults.only=SCORER_KILLED,BROKER_KILLED} injects these alone.
 */
@TestInstance(Lifecycle.PER_CLASS)
class FaultsIT {
  private static final long SEED = Long.getLong("holdfast.faults.seed", 1);
  private static final List<String> ONLY =
      List.of(System.getProperty("holdfast.faults.only", "").split(",", -1));

  @SuppressWarnings("NullAway.Init")
  private Deployment at;

  @BeforeAll
  void start(@TempDir Path folder) {
    at =
        new Deployment(
            folder, Scale.large() ? new Shape(1, 3, 2, 2, SEED) : new Shape(1, 2, 1, 1, SEED));
  }

  @AfterAll
  void stop() {
    at.close();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void fault_losesDoublesAndSpoilsNothing(Fault fault) {
    assumeTrue(!fault.needsCluster());
    assumeTrue(all() ? Scale.large() || sampled(fault) : ONLY.contains(fault.name()));
    var random = new SplittableRandom(SEED * 31 + fault.name().hashCode());
    int times = Scale.of(fault.times());
    long before = at.records();
    List<Double> seconds = new ArrayList<>();
    for (int time = 0; time < times; time++) {
      pause(random.nextInt(1_500)); // at any moment
      seconds.add(inject(fault, random.nextInt(fault.part().count(at.shape()))));
    }
    at.conclude(fault.text(), times, before, seconds, "FaultsIT");
  }

  private static boolean all() {
    return ONLY.contains("");
  }

  /** Those whose code is not run through by others of the sample. */
  private static boolean sampled(Fault fault) {
    return switch (fault) {
      case SCORER_KILLED, TRAINER_KILLED, BROKER_KILLED -> true;
      default -> false;
    };
  }

  /** Seconds from when it was over, or from a kill, until all that had come was done. */
  private double inject(Fault fault, int which) {
    long begin = System.nanoTime();
    fault.begin(at, which);
    if (!fault.kills()) {
      pause(fault.lasts().toMillis());
      if (fault.isBorne()) {
        awaitProgress(fault);
      }
      begin = System.nanoTime();
    }
    fault.end(at, which);
    awaitProgress(fault);
    return (System.nanoTime() - begin) / 1e9;
  }

  private void awaitProgress(Fault fault) {
    switch (fault.part()) {
      case TRAINER -> at.awaitNextVersions();
      case TOPICS -> {
        at.awaitSent(200); // also to what is new
        at.awaitOutcomes();
        at.awaitNextVersions();
      }
      case SCORER, BROKER, NETWORK -> at.awaitOutcomes();
    }
  }

  @Test
  void trainerKilledAtAnyStepOfAPublication_publishesNothingTwice() {
    assumeTrue(all() || ONLY.contains("PUBLICATION"));
    var random = new SplittableRandom(SEED);
    List<String> moments = DisturbedTrainer.moments();
    if (!Scale.large()) {
      moments = List.of(moments.get(random.nextInt(moments.size())));
    }
    long before = at.records();
    List<Double> seconds = new ArrayList<>();
    for (String moment : moments) {
      for (int trainer = 0; trainer < at.trainers().size(); trainer++) {
        at.trainers().end(trainer, Node::stop);
      }
      Node disturbed =
          at.disturbedTrainer(0, DisturbedTrainer.class, random.nextInt(2), moment)
              .awaitText(DisturbedTrainer.STOPPED);
      long begin = System.nanoTime();
      disturbed.kill();
      for (int trainer = 0; trainer < at.trainers().size(); trainer++) {
        at.trainers().begin(trainer);
      }
      at.awaitNextVersions();
      seconds.add((System.nanoTime() - begin) / 1e9);
    }
    at.conclude(
        "SIGKILL of the trainer at a step of a publication",
        moments.size(),
        before,
        seconds,
        "FaultsIT");
  }

  /** The way back from a lost connection begins where nothing can be opened. */
  @Test
  void connectionsLostWhereNoneCanBeOpened_areMadeOnceTheyCan() {
    assumeTrue(all() ? Scale.large() : ONLY.contains("DESCRIPTORS"));
    long before = at.records();
    List<Double> seconds = new ArrayList<>();
    int times = Scale.of(10);
    for (int time = 0; time < times; time++) {
      List<Node> struck = List.of(at.scorers().node(0), at.trainers().node(0));
      struck.forEach(Node::denyAnyDescriptor);
      at.networks(Network::cut);
      pause(2_000);
      at.networks(Network::mend);
      pause(Fault.OUTLASTING.toMillis());
      struck.forEach(Node::allowDescriptors);
      long begin = System.nanoTime();
      at.awaitNextVersions();
      at.awaitOutcomes();
      seconds.add((System.nanoTime() - begin) / 1e9);
    }
    at.conclude(
        "all connections lost, and no descriptor for new ones", times, before, seconds, "FaultsIT");
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
