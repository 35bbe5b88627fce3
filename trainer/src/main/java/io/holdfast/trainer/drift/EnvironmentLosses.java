package io.holdfast.trainer.drift;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Looks for environments whose own loss of served scores has risen. Stateless. */
final class EnvironmentLosses {
  /*
   * An environment's newest rows are held against its remembered ones before, no more than REMEMBERED
   * times as many, so that a rise is told for a bounded time. What is evidence of another distribution
   * counts where the newest rows' mean is above that of the others. All environments are one family.
   */
  private static final int REMEMBERED = 16;
  private static final int LONGEST = 8;
  private static final int LEAST_BEFORE = 100;
  private static final int MOST_ENVIRONMENTS = 20;
  private static final int GROUPS = 10;

  private EnvironmentLosses() {}

  /** Their names, ascending; none if there is but one environment. */
  static List<String> risen(DriftEvidence evidence, ComparedRows compared, double falseAlarms) {
    Set<LabelledRow> looked = Collections.newSetFromMap(new IdentityHashMap<>());
    looked.addAll(compared.rows());
    Map<String, List<LabelledRow>> newest = byEnvironment(compared.rows());
    Predicate<Position> upToNow = compared.upToNow();
    List<LabelledRow> older = new ArrayList<>(evidence.replayed());
    older.addAll(evidence.arrived());
    older.removeIf(row -> looked.contains(row) || !upToNow.test(row.position()));
    Map<String, List<LabelledRow>> before = byEnvironment(older);
    if (before.size() < 2) {
      return List.of();
    }
    List<String> tested = new ArrayList<>();
    List<Double> p = new ArrayList<>();
    newest.forEach(
        (environment, rows) -> {
          List<LabelledRow> remembered = before.getOrDefault(environment, List.of());
          int from = Math.max(0, remembered.size() - REMEMBERED * rows.size());
          if (tested.size() < MOST_ENVIRONMENTS
              && rows.size() >= Distributions.LEAST_ROWS
              && remembered.size() - from >= LEAST_BEFORE) {
            tested.add(environment);
            List<LabelledRow> all = new ArrayList<>(remembered.subList(from, remembered.size()));
            all.addAll(rows);
            p.add(1 / Math.max(1, evidence(evidence.objective(), all, rows.size())));
          }
        });
    boolean[] believed =
        ShiftStatistics.believed(p.stream().mapToDouble(one -> one).toArray(), falseAlarms);
    return tested.stream().filter(name -> believed[tested.indexOf(name)]).toList();
  }

  private static Map<String, List<LabelledRow>> byEnvironment(List<LabelledRow> rows) {
    Map<String, List<LabelledRow>> grouped = new TreeMap<>();
    for (LabelledRow row : rows) {
      grouped.computeIfAbsent(row.environment(), name -> new ArrayList<>()).add(row);
    }
    return grouped;
  }

  /** Of a rise within the last rows, by stretches of as many as the newest. */
  private static double evidence(Objective objective, List<LabelledRow> rows, int newest) {
    double[] costs = LossTrack.costs(objective, rows);
    int last = costs.length - newest;
    double now = Arrays.stream(costs, last, costs.length).average().orElse(0);
    if (now <= Arrays.stream(costs, 0, last).average().orElse(0)) {
      return 0;
    }
    double[] edges = edges(costs);
    List<int[]> stretches = new ArrayList<>();
    int end = costs.length;
    int stretch = newest;
    while (end - stretch >= LEAST_BEFORE && costs.length - end + stretch <= LONGEST * newest) {
      stretches.add(counts(costs, end - stretch, end, edges));
      end -= stretch;
      stretch = costs.length - end;
    }
    double[] before = Arrays.stream(counts(costs, 0, end, edges)).asDoubleStream().toArray();
    return ShiftEvidence.of(before, stretches);
  }

  /** The last values of all groups but the last; of losses that are 0 or 1 that is 0. */
  private static double[] edges(double[] costs) {
    double[] sorted = costs.clone();
    Arrays.sort(sorted);
    return IntStream.range(1, GROUPS)
        .mapToDouble(group -> sorted[group * sorted.length / GROUPS])
        .filter(edge -> edge < sorted[sorted.length - 1])
        .distinct()
        .toArray();
  }

  /** By group; the last is for what is missing, and empty. */
  private static int[] counts(double[] costs, int from, int to, double[] edges) {
    int[] counts = new int[edges.length + 2];
    for (int row = from; row < to; row++) {
      int place = Arrays.binarySearch(edges, costs[row]);
      counts[place >= 0 ? place : -place - 1]++;
    }
    return counts;
  }
}
