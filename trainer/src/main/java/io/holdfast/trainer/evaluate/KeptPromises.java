package io.holdfast.trainer.evaluate;

import io.holdfast.schemas.avro.LevelCoverage;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Promised;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** How often labels were within what scores had promised, by level. Owned by one thread. */
final class KeptPromises {
  private final SortedMap<Double, Sums> levels = new TreeMap<>();

  private static final class Sums {
    private long rows;
    private long kept;
    private double width;
  }

  /** Those of some rows; of rows without a promise nothing is said. */
  static List<LevelCoverage> of(List<LabelledRow> rows) {
    var promises = new KeptPromises();
    for (LabelledRow row : rows) {
      Promised promised = row.served().promised();
      if (promised != null) {
        promises.add(promised);
      }
    }
    return promises.coverage();
  }

  private void add(Promised promised) {
    for (int k = 0; k < promised.levels().size(); k++) {
      Sums of = levels.computeIfAbsent(promised.levels().get(k), level -> new Sums());
      of.rows++;
      of.kept += promised.kept().get(k) ? 1 : 0;
      of.width += promised.widths().get(k);
    }
  }

  private List<LevelCoverage> coverage() {
    List<LevelCoverage> coverage = new ArrayList<>();
    levels.forEach(
        (level, of) ->
            coverage.add(
                new LevelCoverage(level, of.rows, (double) of.kept / of.rows, of.width / of.rows)));
    return List.copyOf(coverage);
  }
}
