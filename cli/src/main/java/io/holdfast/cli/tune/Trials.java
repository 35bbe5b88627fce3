package io.holdfast.cli.tune;

import io.holdfast.schemas.settings.ModelSettings;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.LongStream;

/** Tries settings on rows that they have not learned from. */
interface Trials {
  /** Fewer rows tell too little. */
  long LEAST_ROWS = 500;

  /** Of all rows: how many the candidates see at first, then the best of them, and so on to all. */
  static List<Long> steps(long rows) {
    return LongStream.of(rows / 9, rows / 3, rows)
        .map(some -> Math.min(rows, Math.max(LEAST_ROWS, some)))
        .distinct()
        .boxed()
        .toList();
  }

  /** What each candidate loses, learning from so many rows, in their order. */
  List<Trial> run(List<Candidate> candidates, long rows);

  /** Settings with keys set over the given ones, which are number 0. */
  record Candidate(int number, Map<String, String> keys, ModelSettings settings) {
    String name() {
      StringJoiner name = new StringJoiner(" ");
      name.add(number == 0 ? "as given" : "#" + number);
      keys.forEach((key, value) -> name.add(key.substring(key.indexOf('.') + 1) + "=" + value));
      return name.toString();
    }
  }

  /**
   * What came of one: the loss that decides, infinite if there is none, and those of the folds, the
   * same for every candidate.
   */
  record Trial(int candidate, long rows, double loss, List<Double> folds) {
    public Trial {
      loss = Double.isFinite(loss) ? loss : Double.POSITIVE_INFINITY;
      folds = List.copyOf(folds);
    }
  }
}
