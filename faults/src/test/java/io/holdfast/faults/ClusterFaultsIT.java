package io.holdfast.faults;

import io.holdfast.faults.Deployment.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three brokers, three copies of everything, two of which must be in sync; long runs alone. */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
@EnabledIf("large")
class ClusterFaultsIT {
  private static final long SEED = Long.getLong("holdfast.faults.seed", 1);

  @SuppressWarnings("NullAway.Init")
  private Deployment at;

  static boolean large() {
    return Scale.large();
  }

  @BeforeAll
  void start(@TempDir Path folder) {
    at =
        new Deployment(
            folder, Scale.of(100) < 10 ? new Shape(3, 2, 1, 1, SEED) : new Shape(3, 3, 2, 2, SEED));
  }

  @AfterAll
  void stop() {
    at.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LEADER_KILLED", "CONTROLLER_KILLED", "BROKER_FROZEN"})
  @Order(1)
  void oneOfThreeBrokers_isNotMissed(Fault fault) {
    var random = new SplittableRandom(SEED * 31 + fault.name().hashCode());
    long before = at.records();
    List<Double> seconds = new ArrayList<>();
    int times = Scale.of(fault.times());
    for (int time = 0; time < times; time++) {
      pause(random.nextInt(1_500));
      fault.begin(at, random.nextInt(3));
      seconds.add(at.awaitOutcomes()); // by the other two
      fault.end(at, 0);
      at.awaitOutcomes();
    }
    conclude(fault.text() + ", one of three", times, before, seconds);
  }

  @Test
  @Order(2)
  void tooFewInSyncForAMinute_waitsAndGoesOn() {
    long before = at.records();
    at.brokers().node(1).kill();
    at.brokers().node(2).kill();
    pause(60_000);
    at.brokers().restartEnded();
    List<Double> seconds = List.of(at.awaitOutcomes());
    conclude("too few replicas in sync, for a minute", 1, before, seconds);
  }

  @Test
  @Order(3)
  void instancesComeAndGo_withoutLossOrDouble() {
    long before = at.records();
    var random = new SplittableRandom(SEED);
    int times = Math.max(30, Scale.of(120));
    for (int time = 0; time < times; time++) {
      int which = random.nextInt(at.scorers().size());
      if (at.scorers().node(which).alive()) {
        at.scorers().end(which, Node::kill);
      } else {
        at.scorers().begin(which);
      }
      pause(1_000);
    }
    for (int which = 0; which < at.scorers().size(); which++) {
      at.scorers().begin(which);
    }
    conclude("an instance comes or goes each second", times, before, List.of(at.awaitOutcomes()));
  }

  @Test
  @Order(4)
  void brokerGoneForGood_isNotMissed() {
    long before = at.records();
    at.brokers().node(at.brokers().leader("m0.scores")).kill();
    List<Double> seconds = List.of(at.awaitOutcomes());
    at.awaitNextVersions();
    conclude("one broker of three gone for good", 1, before, seconds);
  }

  private void conclude(String fault, int times, long before, List<Double> seconds) {
    at.conclude(fault, times, before, seconds, "ClusterFaultsIT");
  }

  private static void pause(int millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
