package io.holdfast.faults;

import io.holdfast.faults.Deployment.Shape;
import io.holdfast.faults.Walk.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults that overlap as a seed has it, of 3 brokers, 3 scorers, 2 trainers and 3 models in a long
 * run, judged by the auditor. A walk that fails says its seed and is shrunk ({@code
 * -Dholdfast.faults.shrink=true}); {@code -Dholdfast.faults.walk=3,7,9} runs these steps of it
 * again.
 */
class RandomWalkIT {
  private static final long SEED = Long.getLong("holdfast.faults.seed", 1);
  private static final int STEPS =
      Integer.getInteger("holdfast.faults.steps", Scale.large() ? 300 : 8);
  private static final Shape SHAPE =
      Scale.large() ? new Shape(3, 3, 2, 3, SEED) : new Shape(1, 2, 1, 1, SEED);
  private static final int BETWEEN_AUDITS = 50;

  @TempDir Path folder;
  private int runs;

  @Test
  void walk_losesDoublesAndSpoilsNothing() {
    List<Step> steps = Walk.draw(SEED, STEPS, SHAPE);
    String named = System.getProperty("holdfast.faults.walk");
    List<Integer> numbers =
        named == null
            ? IntStream.range(0, steps.size()).boxed().toList()
            : Arrays.stream(named.split(",", -1)).map(Integer::valueOf).toList();
    AssertionError failure = run(steps, numbers);
    if (failure != null) {
      List<Integer> least =
          Boolean.getBoolean("holdfast.faults.shrink")
              ? Walk.shrink(numbers, some -> run(steps, some) != null)
              : numbers;
      throw new AssertionError(
          "seed "
              + SEED
              + "; again: ./mvnw verify -Pfaults -pl faults -am -Dit.test=RandomWalkIT"
              + " -Dfailsafe.failIfNoSpecifiedTests=false -Dholdfast.faults.seed="
              + SEED
              + " -Dholdfast.faults.steps="
              + STEPS
              + " -Dholdfast.faults.walk="
              + least.stream().map(String::valueOf).collect(Collectors.joining(",")),
          failure);
    }
  }

  /** Walks so on a deployment of its own; null if all is well. */
  private @Nullable AssertionError run(List<Step> steps, List<Integer> numbers) {
    Path own = folder.resolve("walk-" + runs++);
    StringBuilder story = new StringBuilder();
    try (var at = new Deployment(own, SHAPE)) {
      int taken = 0;
      for (int number : numbers) {
        Step step = steps.get(number);
        story.append(number).append(": ").append(step).append('\n');
        take(step, at);
        taken++;
        if (taken % BETWEEN_AUDITS == 0 && taken < numbers.size()) {
          conclude(at, taken);
        }
      }
      conclude(at, taken);
      return null;
    } catch (AssertionError e) {
      return new AssertionError(story.toString(), e);
    } finally {
      keep(story.toString());
    }
  }

  private static void keep(String story) {
    try {
      Files.createDirectories(Path.of("target", "faults"));
      Files.writeString(Path.of("target", "faults", "walk-" + SEED + ".txt"), story);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void take(Step step, Deployment at) {
    if (step.begins()) {
      step.fault().begin(at, step.which());
    } else {
      step.fault().end(at, step.which());
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(step.millis()));
  }

  /** Everything is mended, goes on by itself, and is as promised. */
  private static void conclude(Deployment at, int taken) {
    for (Fault.Part part : List.of(Fault.Part.NETWORK, Fault.Part.BROKER)) {
      end(part, at, 0);
    }
    for (Fault.Part part : List.of(Fault.Part.SCORER, Fault.Part.TRAINER)) {
      IntStream.range(0, part.count(at.shape())).forEach(which -> end(part, at, which));
    }
    long begin = System.nanoTime();
    at.awaitNextVersions();
    at.pauseUntilDrained();
    double seconds = (System.nanoTime() - begin) / 1e9;
    at.conclude("random walk, seed " + SEED, taken, 0, List.of(seconds), "RandomWalkIT");
  }

  private static void end(Fault.Part part, Deployment at, int which) {
    Arrays.stream(Fault.values())
        .filter(fault -> fault.part() == part)
        .findFirst()
        .orElseThrow()
        .end(at, which);
  }
}
