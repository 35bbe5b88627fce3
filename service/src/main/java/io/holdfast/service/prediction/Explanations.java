package io.holdfast.service.prediction;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.explain.Explainer;
import io.holdfast.boosting.explain.Explanation;
import io.holdfast.http.ProblemException;
import io.holdfast.http.ProblemKind;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.Sentence;
import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.request.AskedVersions.Asked;
import io.holdfast.service.request.JsonScorer.Scored;
import io.holdfast.service.request.TimeLimit;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** Explains scores by the rows that a version was trained on. Thread-safe. */
@Singleton
final class Explanations {
  /** Records of a request: each costs about as much as a hundred scores. */
  static final int MOST = 100;

  /** One a version, for as long as that is held. Each is used under its own lock. */
  private final Map<ActiveModel, Explainer> explainers =
      Collections.synchronizedMap(new WeakHashMap<>());

  ExplainView of(Asked asked, List<Scored> records, TimeLimit limit) {
    ActiveModel active = asked.active();
    Explainer explainer = explainer(active);
    List<ExplainView.Explained> explained = new ArrayList<>();
    synchronized (explainer) {
      for (Scored scored : records) {
        limit.check();
        explained.add(
            new ExplainView.Explained(
                ScoreView.Prediction.of(active, scored),
                explainer.explain(scored.features()).stream()
                    .map(one -> output(active, one))
                    .toList()));
      }
    }
    return new ExplainView(VersionUsed.of(asked), explained);
  }

  private Explainer explainer(ActiveModel active) {
    try {
      return explainers.computeIfAbsent(active, one -> Explainer.of(one.version().model()));
    } catch (IllegalArgumentException e) {
      throw new ProblemException(
          ProblemKind.NOT_EXPLAINABLE,
          Sentence.of("version %d cannot be explained: %s", active.number(), e.getMessage()));
    }
  }

  private static ExplainView.Output output(ActiveModel active, Explanation of) {
    boolean several = active.version().model().base().outputs() > 1;
    return new ExplainView.Output(
        several ? active.classes().shown(of.output()).toString() : null,
        of.expected(),
        of.rawScore(),
        of.contributions().stream().map(one -> contribution(active, one)).toList());
  }

  private static ExplainView.Contribution contribution(
      ActiveModel active, Explanation.Contribution one) {
    @Nullable String category = null;
    for (Feature feature : active.version().model().features()) {
      if (feature instanceof Feature.Categorical known
          && known.name().equals(one.feature())
          && one.value() >= 0
          && one.value() < known.categories().size()) {
        category = known.categories().get((int) one.value());
      }
    }
    return new ExplainView.Contribution(
        ColumnName.of(one.feature()),
        category == null && Double.isFinite(one.value()) ? (Double) one.value() : null,
        category,
        one.amount());
  }
}
