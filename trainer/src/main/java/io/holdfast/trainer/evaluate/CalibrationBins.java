package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.schemas.avro.CalibrationBin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What served scores predicted against what labels showed, in bins of like predictions; no bins of
 * quantiles, which no mean of labels can tell from wrong ones.
 */
final class CalibrationBins {
  private static final int BINS = 10;

  /** A tenth of the rows has no fewer than these: a mean of fewer says little. */
  private static final int FEWEST = 10;

  private final Rows rows;
  private final boolean classes;
  private final double[] predicted;
  private final double[] observed;
  private final List<Integer> ascending; // by what was predicted

  CalibrationBins(Rows rows, VersionObjectives.ServedScores served) {
    this.rows = rows;
    int size = rows.size();
    this.classes = served.objectives().getFirst().classes() > 0;
    this.predicted = new double[size];
    this.observed = new double[size];
    double[] scores = new double[served.objectives().getFirst().outputs()];
    for (int row = 0; row < size; row++) {
      for (int k = 0; k < scores.length; k++) {
        scores[k] = served.scores()[k * size + row];
      }
      set(row, served.objectives().get(row), scores);
    }
    this.ascending =
        served.objectives().getFirst() instanceof Quantile
            ? List.of()
            : IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparingDouble(row -> predicted[row]))
                .toList();
  }

  private void set(int row, Objective objective, double[] scores) {
    double label = rows.label(row);
    double prediction = objective.prediction(scores);
    if (!classes || objective.binary()) {
      predicted[row] = prediction;
      observed[row] = label;
      return;
    }
    double[] probabilities = new double[objective.classes()];
    objective.probabilities(scores, probabilities);
    predicted[row] = probabilities[(int) prediction];
    observed[row] = label == prediction ? 1 : 0;
  }

  List<CalibrationBin> all() {
    return of(ascending);
  }

  /** In the order of {@code rows.environments()}. */
  List<List<CalibrationBin>> byEnvironment() {
    List<List<Integer>> members = new ArrayList<>();
    rows.environments().forEach(name -> members.add(new ArrayList<>()));
    ascending.forEach(row -> members.get(rows.environment(row)).add(row));
    return members.stream().map(this::of).toList();
  }

  private List<CalibrationBin> of(List<Integer> sorted) {
    int tenths = Math.clamp(sorted.size() / FEWEST, 1, BINS);
    List<CalibrationBin> bins = new ArrayList<>();
    int begin = 0;
    for (int end = 1; end <= sorted.size(); end++) {
      if (end == sorted.size() || bin(sorted, end, tenths) != bin(sorted, end - 1, tenths)) {
        bins.add(mean(sorted.subList(begin, end)));
        begin = end;
      }
    }
    return List.copyOf(bins);
  }

  private int bin(List<Integer> sorted, int at, int tenths) {
    return classes
        ? Math.min(BINS - 1, (int) (BINS * predicted[sorted.get(at)]))
        : (int) ((long) at * tenths / sorted.size());
  }

  private CalibrationBin mean(List<Integer> members) {
    double weights = 0;
    double predictions = 0;
    double labels = 0;
    for (int row : members) {
      weights += rows.weight(row);
      predictions += rows.weight(row) * predicted[row];
      labels += rows.weight(row) * observed[row];
    }
    return new CalibrationBin((long) members.size(), predictions / weights, labels / weights);
  }
}
