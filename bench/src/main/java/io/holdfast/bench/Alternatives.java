package io.holdfast.bench;

import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.bench.report.RiskSummary;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.select.GammaSearch;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Alternatives of the settings, compared by the risk on environments that are left out in turn.
 * Each gets its rounds chosen by the same rule, blind to the environment tested on. Not
 * thread-safe.
 */
final class Alternatives {
  private static final int PARTS = 3;
  private static final int MIN_ROWS = 10;

  private final List<Alternative> alternatives;
  private final List<Double> shown;
  private final GammaSearch search;
  private final MarkdownTable table;

  /**
   * A way to train.
   *
   * @param settings what it makes of the default settings
   */
  record Alternative(String name, UnaryOperator<BoosterSettings> settings) {}

  /** What an alternative's models lost, and the processor's time that they took. */
  private record Measured(List<HeldOutEnvironment> held, long nanos) {
    double[] risks(int gamma) {
      return held.stream().mapToDouble(one -> one.risk(gamma)).toArray();
    }

    int medianRounds(int gamma) {
      int[] rounds = held.stream().mapToInt(one -> one.rounds(gamma)).sorted().toArray();
      return rounds[rounds.length / 2];
    }
  }

  /**
   * Nothing measured yet.
   *
   * @param alternatives the first is what the others are held against
   * @param shown the gammas to train with, ascending; 1 is trained too, but not shown unless named
   */
  Alternatives(List<Alternative> alternatives, List<Double> shown) {
    this.alternatives = alternatives;
    this.shown = shown;
    List<Double> gammas = new ArrayList<>(shown);
    if (!gammas.contains(1.0)) {
      gammas.add(1.0);
      gammas.sort(null);
    }
    search = new GammaSearch(gammas, new Criterion.Mean(), true, 2, MIN_ROWS, PARTS);
    List<String> header = new ArrayList<>(List.of("task", "gamma", "alternative", "rounds"));
    header.addAll(RiskSummary.header(alternatives.getFirst().name()));
    header.add("time");
    table = new MarkdownTable(header);
  }

  /** Trains all alternatives on a task; takes long. */
  void measure(Task task, LabelledRows all, int rounds) {
    BoosterSettings settings =
        BoosterSettings.builder(task.objective()).rounds(rounds).seed(1).build();
    List<Measured> measured =
        alternatives.stream().map(one -> measured(one.settings().apply(settings), all)).toList();
    Measured reference = measured.getFirst();
    for (double gamma : shown) {
      int place = search.gammas().indexOf(gamma);
      for (int k = 0; k < alternatives.size(); k++) {
        List<String> cells =
            new ArrayList<>(
                List.of(
                    task.toString(),
                    String.format(Locale.ROOT, "%.0f", gamma),
                    alternatives.get(k).name(),
                    Integer.toString(measured.get(k).medianRounds(place))));
        cells.addAll(RiskSummary.cells(measured.get(k).risks(place), reference.risks(place)));
        double time = (double) measured.get(k).nanos() / reference.nanos();
        cells.add(String.format(Locale.ROOT, "%.2f", time));
        table.add(cells);
      }
    }
  }

  private Measured measured(BoosterSettings settings, LabelledRows all) {
    var threads = ManagementFactory.getThreadMXBean();
    int[] sizes = new int[all.rows().environments().size()];
    for (int row = 0; row < all.rows().size(); row++) {
      sizes[all.rows().environment(row)]++;
    }
    long start = threads.getCurrentThreadCpuTime();
    List<HeldOutEnvironment> held = new ArrayList<>();
    for (int environment = 0; environment < sizes.length; environment++) {
      if (sizes[environment] >= MIN_ROWS) {
        held.add(HeldOutEnvironment.measure(settings, search, all, environment));
      }
    }
    return new Measured(held, threads.getCurrentThreadCpuTime() - start);
  }

  @Override
  public String toString() {
    return table.toString();
  }
}
