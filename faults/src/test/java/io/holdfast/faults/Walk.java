package io.holdfast.faults;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A sequence of things that happen to a deployment, drawn from a seed. A part of it is named by the
 * numbers of its steps, so that it can be run again. Stateless.
 */
final class Walk {
  /** All but those that all programs are struck by at once. */
  static final List<Fault> FAULTS =
      Arrays.stream(Fault.values()).filter(fault -> fault.part() != Fault.Part.TOPICS).toList();

  /** Faults of one broker or network at a time: two of three brokers are no cluster. */
  private static final Set<Fault.Part> ONE_AT_A_TIME =
      EnumSet.of(Fault.Part.BROKER, Fault.Part.NETWORK);

  /**
   * What happens next.
   *
   * @param begins whether the fault begins or ends
   * @param millis how long nothing else happens then
   */
  record Step(Fault fault, int which, boolean begins, int millis) {
    @Override
    public String toString() {
      return (begins ? "" : "end of ") + fault + " " + which + ", " + millis + " ms";
    }
  }

  private Walk() {}

  /** So many steps; each fault that begins ends a few steps later. */
  static List<Step> draw(long seed, int count, Deployment.Shape shape) {
    var random = new SplittableRandom(seed);
    List<Step> steps = new ArrayList<>();
    Map<Integer, List<Step>> ends = new TreeMap<>();
    while (steps.size() < count) {
      List<Step> due = ends.remove(steps.size());
      if (due != null) {
        Step end = due.removeFirst();
        steps.add(end);
        if (!due.isEmpty()) {
          ends.computeIfAbsent(steps.size(), step -> new ArrayList<>()).addAll(due);
        }
        continue;
      }
      Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
      int which = random.nextInt(fault.part().count(shape));
      boolean struck =
          ends.values().stream()
              .flatMap(List::stream)
              .anyMatch(
                  open ->
                      open.fault.part() == fault.part()
                          && (open.which == which || ONE_AT_A_TIME.contains(fault.part())));
      if (!struck && (shape.brokers() > 1 || !fault.needsCluster())) {
        steps.add(new Step(fault, which, true, random.nextInt(2_000)));
        ends.computeIfAbsent(steps.size() + random.nextInt(4), step -> new ArrayList<>())
            .add(new Step(fault, which, false, random.nextInt(2_000)));
      }
    }
    return steps;
  }

  /**
   * A shorter list of steps that fails, too: halves, quarters and so on are left out as long as it
   * does.
   */
  static List<Integer> shrink(List<Integer> failing, Predicate<List<Integer>> fails) {
    List<Integer> least = failing;
    for (int size = Math.max(1, least.size() / 2); size >= 1; size /= 2) {
      for (int from = 0; from < least.size(); ) {
        List<Integer> without = new ArrayList<>(least.subList(0, from));
        without.addAll(least.subList(Math.min(least.size(), from + size), least.size()));
        if (!without.isEmpty() && fails.test(without)) {
          least = without;
        } else {
          from += size;
        }
      }
    }
    return least;
  }
}
