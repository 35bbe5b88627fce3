package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One concept after another over the same columns: abruptly, gradually, or back again. All rows
 * share one environment.
 */
final class DriftingStream implements SimulatedStream {
  private final List<Stage> stages;
  private final SplittableRandom random;
  private final SimulatedRow row;
  private long number;

  /**
   * A concept that takes over.
   *
   * @param middle the row at which it draws every second row; 0 for the first stage
   * @param width over how many rows its share goes from a tenth to nine tenths, about: {@code 1 /
   *     (1 + exp(-4 (row - middle) / width))} of the rows are its own
   */
  record Stage(Concept concept, long middle, long width) {
    Stage {
      Check.that(width >= 1, "a drift must be at least 1 row wide: %s", width);
    }

    double share(long row) {
      return 1 / (1 + StrictMath.exp(-4.0 * (row - middle) / width));
    }
  }

  DriftingStream(List<Stage> stages, long seed) {
    this.stages = List.copyOf(stages);
    random = new SplittableRandom(seed);
    row = new SimulatedRow(features().size());
  }

  /** One concept for good. */
  static DriftingStream of(Concept concept, long seed) {
    return new DriftingStream(List.of(new Stage(concept, 0, 1)), seed);
  }

  /** The concepts in turn, each {@code rows} long. */
  static DriftingStream of(List<? extends Concept> concepts, long rows, long width, long seed) {
    List<Stage> stages = new ArrayList<>();
    for (int k = 0; k < concepts.size(); k++) {
      stages.add(new Stage(concepts.get(k), k * rows, width));
    }
    return new DriftingStream(stages, seed);
  }

  @Override
  public List<Feature> features() {
    return stages.getFirst().concept().features();
  }

  @Override
  public int classes() {
    return stages.getFirst().concept().classes();
  }

  @Override
  public List<String> environments() {
    return List.of("all");
  }

  @Override
  public SimulatedRow next() {
    number++;
    row.label = present().draw(random, row.features);
    return row;
  }

  /** The newest concept that has its share of this row; each is asked with a draw of its own. */
  private Concept present() {
    for (int k = stages.size() - 1; k > 0; k--) {
      Stage stage = stages.get(k);
      if (random.nextDouble() <= stage.share(number)) {
        return stage.concept();
      }
    }
    return stages.getFirst().concept();
  }
}
