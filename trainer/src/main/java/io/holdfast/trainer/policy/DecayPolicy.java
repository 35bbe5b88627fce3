package io.holdfast.trainer.policy;

import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import java.util.ArrayList;
import java.util.List;

/**
 * The trees that are there lose weight with every row that is learned from, half of it over the
 * half-life; then it goes on as {@link AppendPolicy} does.
 */
public record DecayPolicy() implements UpdatePolicy {

  @Override
  public TrainingRun train(Lesson lesson, Workspace workspace) {
    double rows = lesson.rows().window().size();
    double factor = StrictMath.pow(0.5, rows / lesson.settings().update().upkeep().halfLife());
    Model parent = lesson.parent();
    List<Segment> faded = new ArrayList<>();
    for (Segment segment : parent.segments()) {
      faded.add(new Segment(segment.trees(), segment.decay() * factor));
    }
    return Growth.of(
        lesson, new Model(parent.objective(), parent.features(), parent.base(), faded), workspace);
  }
}
