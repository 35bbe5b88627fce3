package io.holdfast.trainer.window;

import io.holdfast.boosting.uncertainty.RowBounds;
import io.holdfast.schemas.avro.ScoreBounds;
import io.holdfast.schemas.avro.ScoreUncertainty;
import java.util.ArrayList;
import java.util.List;

/**
 * What a score said of how sure it was, and whether its label bore that out. Immutable.
 *
 * @param own whether by thresholds of the row's own environment
 * @param levels of coverage, ascending
 * @param kept whether the label is within what was promised, by level
 * @param widths how far apart the bounds are, or how many classes the set has, by level
 */
public record Promised(
    double spread, boolean own, List<Double> levels, List<Boolean> kept, List<Double> widths) {
  private static final int OBJECT_BYTES = 64;
  private static final int LEVEL_BYTES = 48;

  public Promised {
    levels = List.copyOf(levels);
    kept = List.copyOf(kept);
    widths = List.copyOf(widths);
  }

  /** As an example has it. */
  public static Promised of(ScoreUncertainty said, String environment, double label) {
    List<Double> levels = new ArrayList<>();
    List<Boolean> kept = new ArrayList<>();
    List<Double> widths = new ArrayList<>();
    for (ScoreBounds bounds : said.getLevels()) {
      levels.add(bounds.getCoverage());
      Double lower = bounds.getLower();
      Double upper = bounds.getUpper();
      if (lower == null || upper == null) {
        kept.add(bounds.getClasses().contains((int) label));
        widths.add((double) bounds.getClasses().size());
      } else {
        kept.add(label >= lower && label <= upper);
        widths.add(upper - lower);
      }
    }
    boolean own = environment.equals(said.getEnvironment());
    return new Promised(said.getSpread(), own, levels, kept, widths);
  }

  /** Where a version's bounds were asked for. */
  public static Promised of(
      RowBounds bounds, String environment, double[] rawScores, double spread, double label) {
    bounds.of(environment, rawScores, spread);
    List<Boolean> kept = new ArrayList<>();
    List<Double> widths = new ArrayList<>();
    for (int level = 0; level < bounds.levels().size(); level++) {
      kept.add(
          bounds.ofClasses()
              ? label >= 0 && label < bounds.classes() && bounds.holds(level, (int) label)
              : label >= bounds.lower(level) && label <= bounds.upper(level));
      widths.add(
          bounds.ofClasses()
              ? (double) bounds.size(level)
              : bounds.upper(level) - bounds.lower(level));
    }
    return new Promised(spread, bounds.knows(environment), bounds.levels(), kept, widths);
  }

  /** The memory it takes, roughly. */
  int bytes() {
    return OBJECT_BYTES + LEVEL_BYTES * levels.size();
  }
}
